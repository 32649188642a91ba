/// The topics that the worker writes to, except the ledgers, which are ``SourceSettings/ledger``.
package struct TopicNames: Sendable, Equatable {
    package var outcomes: String
    package var deadLetters: String
    /// Commands to pause and resume sources: compacted, one partition, read completely by every worker.
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

    /// The default name of a group's control topic.
    package static func control(group: String) -> String { "\(group).control" }

    /// The default name of a ledger. A group has one ledger for each topic that it reads.
    package static func ledger(group: String, source: String) -> String { "\(group).\(source).ledger" }
}

extension TopicNames {
    /// Reads `topics`, and checks that the names of all topics are valid and different.
    ///
    /// - Parameters:
    ///   - root: The root section of the file.
    ///   - group: The group of the workers.
    ///   - sources: The sources; each gets the name of its ledger.
    ///   - ledger: Whether there is a ledger.
    init(
        _ root: ConfigurationSection,
        group: String,
        sources: inout [SourceSettings],
        ledger: LedgerSettings.Use
    ) {
        let section = root.section("topics")
        let givenControl = section.text("control")
        self.init(
            outcomes: section.value("outcomes"),
            deadLetters: section.value("deadLetters"),
            control: givenControl?.replacing(Self.placeOfGroup, with: group) ?? Self.control(group: group)
        )
        let givenLedger = section.text("ledger")
        let pattern = givenLedger?.replacing(Self.placeOfGroup, with: group)
        for index in sources.indices {
            let topic = sources[index].topic
            sources[index].ledger =
                pattern?.replacing(Self.placeOfTopic, with: topic) ?? Self.ledger(group: group, source: topic)
        }
        // Probably a copy of a file in which only the group was changed.
        if control.hasSuffix(".control"), !control.contains(group), !group.isEmpty {
            section.report(
                "control",
                "'\(control)' is the default name of another group than '\(group)': if both used it, 'newsflash pause' and "
                    + "'resume' for one would be for both; write \"{group}.control\" or leave the key out"
            )
        }
        let keepsLedger = ledger == .required
        // Kafka allows any group name, but a topic named after the group needs a valid topic name.
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
            // A ledger named after an invalid topic name is not reported again.
            let named = sources.filter { Self.isTopicName($0.topic) }
            for (index, source) in named.enumerated()
            where named[..<index].contains(where: { $0.ledger == source.ledger && $0.topic != source.topic }) {
                section.report(
                    "ledger",
                    "'\(source.ledger)' is one topic, but each source needs its own ledger: put {topic} into the name"
                )
            }
            topics += Set(named.map(\.ledger)).sorted().map { NamedTopic($0, key: "ledger", section) }
        }
        NamedTopic.check(topics)
    }

    /// The placeholder for the source's topic in `topics.ledger`.
    private static let placeOfTopic = "{topic}"
    /// The placeholder for `kafka.group` in `topics.ledger` and `topics.control`.
    private static let placeOfGroup = "{group}"

    /// Reports an empty group, and a group that cannot be part of a topic name.
    private static func checkGroup(_ group: String, namesTopics: Bool, _ kafka: ConfigurationSection) -> Bool {
        if group.allSatisfy(\.isWhitespace) {
            kafka.report("group", "is empty; name the consumer group, such as newsflash")
            return false
        }
        guard namesTopics, !isTopicName(control(group: group)) else { return true }
        kafka.report(
            "group",
            "'\(group)' cannot be part of the names of the control topic and the ledger; \(rule), or set both names "
                + "without {group} in topics" + group.hintOfVariables
        )
        return false
    }

    /// The rule for topic names, as shown to operators.
    fileprivate static let rule = "write at most 249 letters, digits, dots, - and _ of ASCII"

    /// Whether a name is valid for a topic or a group member.
    ///
    /// - Parameter name: Valid are 1 to 249 ASCII letters, digits, dots, `-` and `_`, except `.` and `..`.
    /// - Returns: Whether the name is valid.
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

/// A topic of the configuration, with its key.
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

    /// Reports invalid topic names, and two topics with the same name.
    static func check(_ topics: [NamedTopic]) {
        for (index, topic) in topics.enumerated() {
            guard TopicNames.isTopicName(topic.name) else {
                topic.section.report(
                    topic.key,
                    "'\(topic.name)' is not a valid topic name; \(TopicNames.rule)" + topic.name.hintOfVariables
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
                "'\(topic.name)' is already the topic of \(right.path); each needs its own topic"
            )
        }
    }
}

extension String {
    /// A hint that variables are not expanded in the file, if this looks like one; otherwise empty.
    var hintOfVariables: String {
        guard contains("${") || contains("$(") else { return "" }
        return "; variables are not replaced in this file: set the key's own variable NEWSFLASH_… instead"
    }
}
