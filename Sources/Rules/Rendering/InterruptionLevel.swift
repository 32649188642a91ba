/// How much a push disturbs its reader, in the words of Apple's user notifications.
package enum InterruptionLevel: String, Sendable, CaseIterable {
    /// Into the list of notifications, without light or sound.
    case passive
    /// With light and sound.
    case active
    /// Also where the reader has asked for quiet.
    case timeSensitive

    /// The level of an urgency where the newsroom names none: 1 and 2 are time-sensitive, 6 to 9 passive.
    ///
    /// - Parameter urgency: On the IPTC scale, 1 to 9.
    package init(urgency: Int) {
        switch urgency {
        case ...2: self = .timeSensitive
        case 3...5: self = .active
        default: self = .passive
        }
    }

    /// Whether it is without light and sound.
    package var isQuiet: Bool { self == .passive }

    /// The property `sound`: empty for a push without one.
    var sound: String { isQuiet ? "" : "default" }

    /// The place in `allCases`.
    package var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The value of Apple's `interruption-level`.
    package var appleName: String { self == .timeSensitive ? "time-sensitive" : rawValue }
}
