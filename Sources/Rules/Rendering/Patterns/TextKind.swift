package import NewsEvents

/// The kinds of message with their own patterns: the keys of `text:` in the configuration.
package enum TextKind: String, Sendable, CaseIterable {
    case alert, flash, update, correction, kill

    /// The index in `allCases`.
    var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The kind of message for an event; `nil` for a hold, about which subscribers are not notified.
    ///
    /// - Parameter kind: The event's kind.
    package init?(_ kind: EventKind) {
        switch kind {
        case .alert: self = .alert
        case .flash: self = .flash
        case .update: self = .update
        case .correction: self = .correction
        case .kill: self = .kill
        case .hold: return nil
        }
    }
}
