/// Where the worker writes, but for the ledgers, which are ``SourceSettings/ledger``.
package struct TopicNames: Sendable, Equatable {
    package var outcomes: String
    package var deadLetters: String
    /// Orders to pause and resume sources: compacted, one partition, read whole by every worker.
    package var control: String

    package init(
        outcomes: String = "newsflash.outcomes.v1",
        deadLetters: String = "newsflash.dead-letters.v1",
        control: String = TopicNames.control(group: "newsflash")
    ) {
        self.outcomes = outcomes
        self.deadLetters = deadLetters
        self.control = control
    }

    /// The usual name of a group's control topic.
    package static func control(group: String) -> String { "\(group).control" }

    /// The usual name of a ledger: a group has one for each topic that it reads.
    package static func ledger(group: String, source: String) -> String { "\(group).\(source).ledger" }
}

extension TopicNames {
    /// Reads `topics`.
    ///
    /// - Parameters:
    ///   - section: The section.
    ///   - group: Of the workers.
    ///   - sources: What they read; each gets the name of its ledger.
    ///   - ledger: Whether there is a ledger.
    init(_ section: ConfigurationSection, group: String, sources: inout [SourceSettings], ledger: LedgerSettings.Use) {
        let defaults = TopicNames()
        self.init(
            outcomes: section.text("outcomes") ?? defaults.outcomes,
            deadLetters: section.text("deadLetters") ?? defaults.deadLetters,
            control: section.text("control")?.replacing(Self.placeOfGroup, with: group) ?? Self.control(group: group)
        )
        let given = section.text("ledger")?.replacing(Self.placeOfGroup, with: group)
        for index in sources.indices {
            let topic = sources[index].topic
            sources[index].ledger =
                given?.replacing(Self.placeOfTopic, with: topic) ?? Self.ledger(group: group, source: topic)
        }
        section.reportUnknownKeys()
        // Copies of a file in which only the group was changed.
        if control.hasSuffix(".control"), !control.contains(group), !group.isEmpty {
            section.warn(
                "control",
                "'\(control)' is the usual name of another group than '\(group)': if both have it, 'newsflash pause' of one "
                    + "pauses both; write \"{group}.control\" or leave the key out"
            )
        }
        guard ledger == .required, !group.isEmpty else { return }
        var taken = Dictionary(sources.map { ($0.topic, "the source") }) { first, _ in first }
        taken[outcomes] = "topics.outcomes"
        taken[deadLetters] = "topics.deadLetters"
        for (index, source) in sources.enumerated() {
            Self.check(source.ledger, besides: taken, section)
            if sources[..<index].contains(where: { $0.ledger == source.ledger && $0.topic != source.topic }) {
                section.report(
                    "ledger",
                    "'\(source.ledger)' is one topic, and each source needs a ledger of its own: put {topic} into the name"
                )
            }
        }
    }

    /// Stands in `topics.ledger` for the source's topic.
    private static let placeOfTopic = "{topic}"
    /// Stands in `topics.ledger` and `topics.control` for `kafka.group`.
    private static let placeOfGroup = "{group}"

    private static func check(_ ledger: String, besides taken: [String: String], _ section: ConfigurationSection) {
        if !isTopicName(ledger) {
            section.report(
                "ledger",
                "'\(ledger)' is no name of a topic, which has 1 to 249 letters, digits, dots, - and _ of ASCII; name "
                    + "one (without a name it is made of kafka.group and the source's topic)"
            )
        }
        if let other = taken[ledger] {
            section.report("ledger", "'\(ledger)' is the topic of \(other) already; a ledger needs one of its own")
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
