/// How the worker keeps its memory of stories.
package struct LedgerSettings: Sendable, Equatable {
    /// Whether there is a ledger.
    package enum Use: String, Sendable, CaseIterable {
        /// The worker does not start without its topic.
        case required
        /// What is known of stories ends with the process, and what waits is read again after it.
        case off
    }

    package var use: Use
    /// Whether a record of the ledger that cannot be read is passed over, with a warning; else its partition is not worked
    /// on.
    package var ignoresDamage: Bool
    /// How long a story is remembered after the last that was heard of it.
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
    ///   - life: The longest that an event may be worth telling: as long its story must be remembered, or it is told twice.
    init(_ section: ConfigurationSection, life: Duration) {
        self.init()
        use = section.choice("use", of: Use.self) ?? use
        ignoresDamage = section.choice("damaged", of: Damage.self) == .ignore
        if let asked = section.positiveDuration("retention") {
            retention = asked
            if use == .required, asked < life {
                section.warn(
                    "retention",
                    "is shorter than policy.maximumLife: an event that is read again may be told twice once its story is "
                        + "forgotten"
                )
            }
        }
    }
}
