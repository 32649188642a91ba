/// The interruption level of a push, in the terms of Apple's user notifications.
package enum InterruptionLevel: String, Sendable, CaseIterable {
    /// Added to the list of notifications, without light or sound.
    case passive
    /// Shown with light and sound.
    case active
    /// Shown even if the subscriber has asked for quiet.
    case timeSensitive

    /// The default level of an urgency: 1 and 2 are time-sensitive, 6 to 9 passive.
    ///
    /// - Parameter urgency: The urgency on the IPTC scale, 1 to 9.
    package init(urgency: Int) {
        switch urgency {
        case ...2: self = .timeSensitive
        case 3...5: self = .active
        default: self = .passive
        }
    }

    /// Whether it is without light and sound.
    package var isQuiet: Bool { self == .passive }

    /// The property `sound`: empty for a push without sound.
    var sound: String { isQuiet ? "" : "default" }

    /// The index in `allCases`.
    package var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The value of Apple's `interruption-level`.
    package var appleName: String { self == .timeSensitive ? "time-sensitive" : rawValue }
}

/// The interruption level of each urgency: `interruption:` of the configuration.
package struct InterruptionLevels: Sendable, Equatable {
    /// IPTC's scale.
    package static let urgencies = 1...9

    private var levels = urgencies.map(InterruptionLevel.init(urgency:))

    /// Creates the default levels.
    package init() {}

    /// The level of an urgency; an urgency outside the scale is clamped.
    ///
    /// - Parameter urgency: 1 to 9.
    package subscript(urgency: Int) -> InterruptionLevel {
        get { levels[Self.place(of: urgency)] }
        set { levels[Self.place(of: urgency)] = newValue }
    }

    private static func place(of urgency: Int) -> Int { min(max(urgency, 1), 9) - 1 }
}
