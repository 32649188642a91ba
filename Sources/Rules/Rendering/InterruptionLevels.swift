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
