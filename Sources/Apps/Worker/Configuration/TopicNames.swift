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
    /// Reads `topics`, and checks the names of all topics: none is another's.
    ///
    /// - Parameters:
    ///   - root: The whole configuration.
    ///   - group: Of the workers.
    ///   - sources: What they read; each gets the name of its ledger.
    ///   - ledger: Whether there is a ledger.
    init(
        _ root: ConfigurationSection,
        group: String,
        sources: inout [SourceSettings],
        ledger: LedgerSettings.Use
    ) {
        let section = root.section("topics")
        let defaults = TopicNames()
        let givenControl = section.text("control")
        self.init(
            outcomes: section.text("outcomes") ?? defaults.outcomes,
            deadLetters: section.text("deadLetters") ?? defaults.deadLetters,
            control: givenControl?.replacing(Self.placeOfGroup, with: group) ?? Self.control(group: group)
        )
        let givenLedger = section.text("ledger")
        let pattern = givenLedger?.replacing(Self.placeOfGroup, with: group)
        for index in sources.indices {
            let topic = sources[index].topic
            sources[index].ledger =
                pattern?.replacing(Self.placeOfTopic, with: topic) ?? Self.ledger(group: group, source: topic)
        }
        // Copies of a file in which only the group was changed.
        if control.hasSuffix(".control"), !control.contains(group), !group.isEmpty {
            section.warn(
                "control",
                "'\(control)' is the usual name of another group than '\(group)': if both have it, 'newsflash pause' of one "
                    + "pauses both; write \"{group}.control\" or leave the key out"
            )
        }
        let keepsLedger = ledger == .required
        // A group may have any name in Kafka, except where topics are named after it.
        let namesTopics =
            givenControl?.contains(Self.placeOfGroup) ?? true
            || (keepsLedger && givenLedger?.contains(Self.placeOfGroup) ?? true)
        let isGroupSound = Self.checkGroup(group, namesTopics: namesTopics, root.section("kafka"))
        guard isGroupSound else { return }
        var topics = sources.map { source in
            NamedTopic(source.topic, key: "topic", root.section("sources").section(source.name))
        }
        topics += [
            NamedTopic(outcomes, key: "outcomes", section), NamedTopic(deadLetters, key: "deadLetters", section),
            NamedTopic(control, key: "control", section),
        ]
        if keepsLedger {
            // A ledger that is named after a topic with a bad name has that fault as well; it is told once.
            let named = sources.filter { Self.isTopicName($0.topic) }
            for (index, source) in named.enumerated()
            where named[..<index].contains(where: { $0.ledger == source.ledger && $0.topic != source.topic }) {
                section.report(
                    "ledger",
                    "'\(source.ledger)' is one topic, and each source needs a ledger of its own: put {topic} into the name"
                )
            }
            topics += Set(named.map(\.ledger)).sorted().map { NamedTopic($0, key: "ledger", section) }
        }
        NamedTopic.check(topics)
    }

    /// Stands in `topics.ledger` for the source's topic.
    private static let placeOfTopic = "{topic}"
    /// Stands in `topics.ledger` and `topics.control` for `kafka.group`.
    private static let placeOfGroup = "{group}"

    /// Reports a group without a name, and one whose name cannot be part of a topic's name.
    private static func checkGroup(_ group: String, namesTopics: Bool, _ kafka: ConfigurationSection) -> Bool {
        if group.allSatisfy(\.isWhitespace) {
            kafka.report("group", "is empty; name the consumer group, such as newsflash")
            return false
        }
        guard namesTopics, !isTopicName(control(group: group)) else { return true }
        kafka.report(
            "group",
            "'\(group)' cannot be part of the names of the control topic and the ledger; \(rule), or give both names "
                + "without {group} in topics" + group.hintOfVariables
        )
        return false
    }

    /// The rule for names of topics, for people.
    fileprivate static let rule = "write at most 249 letters, digits, dots, - and _ of ASCII"

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

/// A topic of the configuration, with the key that names it.
private struct NamedTopic {
    let name: String
    let key: String
    let section: ConfigurationSection

    init(_ name: String, key: String, _ section: ConfigurationSection) {
        self.name = name
        self.key = key
        self.section = section
    }

    private var path: String { (section.path + [key]).joined(separator: ".") }

    /// Reports names that no topic can have, and two topics of one name.
    static func check(_ topics: [NamedTopic]) {
        for (index, topic) in topics.enumerated() {
            guard TopicNames.isTopicName(topic.name) else {
                topic.section.report(
                    topic.key,
                    "'\(topic.name)' is not a name of a topic; \(TopicNames.rule)" + topic.name.hintOfVariables
                )
                continue
            }
            // Two sources of one topic are reported where sources are read.
            guard let other = topics[..<index].first(where: { $0.name == topic.name && $0.key != topic.key }) else {
                continue
            }
            let (wrong, right) = topic.section.isGiven(topic.key) ? (topic, other) : (other, topic)
            wrong.section.report(
                wrong.key,
                "'\(topic.name)' is the topic of \(right.path) already; each needs a topic of its own"
            )
        }
    }
}

extension String {
    /// Says that variables are not expanded in the file, if this looks like one.
    var hintOfVariables: String {
        guard contains("${") || contains("$(") else { return "" }
        return "; variables are not replaced in this file: set the key's own variable NEWSFLASH_… instead"
    }
}
