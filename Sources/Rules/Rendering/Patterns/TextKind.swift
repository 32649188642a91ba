package import NewsEvents

/// The kinds of message that have words of their own: the keys of `text:` in the configuration.
package enum TextKind: String, Sendable, CaseIterable {
    case alert, flash, update, correction, kill

    /// The place in `allCases`.
    var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The kind of message that tells of an event; `nil` for a hold, of which readers are told nothing.
    ///
    /// - Parameter kind: What the event is.
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
