/// The settings of the ledger, which stores the facts of all stories.
package struct LedgerSettings: Sendable, Equatable {
    /// Whether there is a ledger.
    package enum Use: String, Sendable, CaseIterable {
        /// The worker does not start without the ledger topic.
        case required
        /// Facts of stories are lost when the process ends. Waiting events are read again after a restart.
        case off
    }

    package var use: Use
    /// Whether an unreadable ledger record is skipped with a warning. Otherwise the worker does not process its partition.
    package var ignoresDamage: Bool
    /// How long the facts of a story are kept after its latest change.
    package var retention: Duration

    package init(use: Use = .required, ignoresDamage: Bool = false, retention: Duration = .seconds(30 * 86_400)) {
        self.use = use
        self.ignoresDamage = ignoresDamage
        self.retention = retention
    }
}

extension LedgerSettings {
    private enum Damage: String, CaseIterable {
        case refuse
        case ignore
    }

    /// Reads `ledger`.
    ///
    /// - Parameters:
    ///   - section: The section.
    ///   - life: The longest life of an event. The facts of its story must be kept as long, or it may be sent twice.
    init(_ section: ConfigurationSection, life: Duration) {
        self.init()
        use = section.choice("use", of: Use.self)
        ignoresDamage = section.choice("damaged", of: Damage.self) == .ignore
        retention = section.duration("retention")
        if use == .required, section.isGiven("retention"), retention < life {
            section.warn(
                "retention",
                "is shorter than policy.maximumLife: an event that is read again after its story was forgotten may "
                    + "be sent twice"
            )
        }
    }
}
