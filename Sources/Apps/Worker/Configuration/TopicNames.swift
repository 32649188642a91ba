/// Where the worker writes.
package struct TopicNames: Sendable, Equatable {
    package var outcomes: String
    package var deadLetters: String
    /// The worker's memory of stories: compacted, with as many partitions as the source.
    package var ledger: String

    package init(
        outcomes: String = "newsflash.outcomes.v1",
        deadLetters: String = "newsflash.dead-letters.v1",
        ledger: String = TopicNames.ledger(group: "newsflash", source: "newsroom.breaking.v1")
    ) {
        self.outcomes = outcomes
        self.deadLetters = deadLetters
        self.ledger = ledger
    }

    /// The usual name of a ledger: a group has one for each topic that it reads.
    package static func ledger(group: String, source: String) -> String { "\(group).\(source).ledger" }
}

extension TopicNames {
    /// Reads `topics`.
    ///
    /// - Parameters:
    ///   - section: The section.
    ///   - group: Of the workers.
    ///   - source: The topic that they read.
    ///   - ledger: Whether there is a ledger.
    init(_ section: ConfigurationSection, group: String, source: String, ledger: LedgerSettings.Use) {
        let defaults = TopicNames()
        self.init(
            outcomes: section.text("outcomes") ?? defaults.outcomes,
            deadLetters: section.text("deadLetters") ?? defaults.deadLetters,
            ledger: section.text("ledger") ?? Self.ledger(group: group, source: source)
        )
        section.reportUnknownKeys()
        guard ledger == .required, !group.isEmpty else { return }
        if !Self.isTopicName(self.ledger) {
            section.report(
                "ledger",
                "'\(self.ledger)' is no name of a topic, which has 1 to 249 letters, digits, dots, - and _ of ASCII; name "
                    + "one (without a name it is made of kafka.group and the source's topic)"
            )
        }
        let others = [source: "the source", outcomes: "topics.outcomes", deadLetters: "topics.deadLetters"]
        if let other = others[self.ledger] {
            section.report("ledger", "'\(self.ledger)' is the topic of \(other) already; a ledger needs one of its own")
        }
    }

    /// Whether brokers take a name for a topic, or for a member of a group.
    ///
    /// - Parameter name: 1 to 249 letters, digits, dots, `-` and `_` of ASCII, and neither `.` nor `..`.
    /// - Returns: Whether they do.
    package static func isTopicName(_ name: String) -> Bool {
        (1...249).contains(name.utf8.count) && name != "." && name != ".."
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"): true
                case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
                default: false
                }
            }
    }
}
