import NewsflashKafka
import NewsflashPublishing
import NewsflashStrictJSON
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct TopicPlanTests {
    private static let needed = [
        NeededTopic(role: .source, name: "news"), NeededTopic(role: .deadLetters, name: "letters"),
        NeededTopic(role: .control, name: "orders"), NeededTopic(role: .ledger, name: "memory", source: "news"),
    ]

    /// Topics as the worker creates them, on one broker.
    private func present(partitions: Int = 6) -> [PresentTopic] {
        Self.needed.map { needed in
            let partitions = (0..<Int32(needed.fixedPartitions ?? partitions)).map {
                KafkaTopic.Partition(number: $0, leader: 1, replicas: [1], inSyncReplicas: [1])
            }
            let settings = ["max.message.bytes": "1048588"].merging(needed.settings) { $1 }
            return PresentTopic(
                needed: needed,
                topic: KafkaTopic(name: needed.name, partitions: partitions),
                settings: settings
            )
        }
    }

    private func json(_ plan: TopicPlan) throws -> [JSONValue] { try plan.json().map { try JSONReader.read($0) } }

    @Test func `missing topics are created with the wanted partitions, and the ledger with as many as its source`() {
        let plan = TopicPlan(offline: Self.needed, partitions: 12, replicationFactor: 3)
        #expect(plan.creations.map(\.name) == ["news", "letters", "orders", "memory"])
        #expect(plan.creations.map(\.partitions) == [12, 12, 1, 12])
        #expect(plan.creations.allSatisfy { $0.replicationFactor == 3 })
        #expect(
            plan.lines(.plain)[1]
                == "create   letters (dead letters): 12 partitions, 3 replicas, cleanup.policy=delete "
                + "max.message.bytes=1064972 retention.ms=2592000000"
        )
        #expect(TopicPlan(offline: Self.needed).creations.map(\.partitions) == [6, 6, 1, 6])
        #expect(plan.changeCount == 4 && !plan.isEmpty)
    }

    @Test func `topics that fit are one line, and advice that several have is one, too`() {
        let plan = TopicPlan(present())
        #expect(plan.isEmpty)
        #expect(
            plan.lines(.plain) == [
                "advice   news, letters, orders, memory: has one replica, and is lost with its broker: three are recommended",
                "fits     news, letters, orders, memory",
            ]
        )
    }

    @Test func `a plan fits the screen, and only words that need a person stand out`() {
        var topics = present()
        topics[0].topic?.partitions[2].leader = nil
        let screen = ScreenStyle(isTerminal: true, size: (40, 24), environment: [:])
        #expect(
            TopicPlan(topics).lines(screen) == [
                "\u{1B}[1;31mproblem\u{1B}[0m  news: partition 2 has no",
                "         leader: bring its brokers back",
                "\u{1B}[1madvice\u{1B}[0m   news, letters, orders, memory:",
                "         has one replica, and is lost",
                "         with its broker: three are",
                "         recommended",
                "fits     letters, orders, memory",
            ]
        )
    }

    @Test func `settings that differ are changed, all others stay`() throws {
        var topics = present()
        topics[1].settings["retention.ms"] = "3600000"
        topics[3].settings["cleanup.policy"] = "delete"
        topics[3].settings["segment.ms"] = "604800000"
        // Longer is fine.
        topics[0].settings["retention.ms"] = "-1"
        let plan = TopicPlan(topics)
        #expect(plan.changeCount == 2)
        #expect(plan.problemCount == 0)
        #expect(
            plan.lines(.plain).filter { !$0.hasPrefix("advice") } == [
                "change   letters: retention.ms 3600000 -> 2592000000",
                "change   memory: cleanup.policy delete -> compact",
                "change   memory: segment.ms 604800000 -> 3600000", "fits     news, orders",
            ]
        )
        let letters = try json(plan)[1]
        #expect(letters[member: "state"]?.string == "differs")
        #expect(letters[member: "change"]?[member: "retention.ms"]?[member: "needed"]?.string == "2592000000")
        #expect(letters[member: "settings"]?[member: "retention.ms"]?.string == "3600000")
    }

    @Test func `dead letters get room for the largest event of the source, also of one that is changed`() {
        var topics = present()
        topics[0].settings["max.message.bytes"] = "2000000"
        #expect(TopicPlan(topics).lines(.plain).contains("change   letters: max.message.bytes 1064972 -> 2016384"))
        topics[1].topic = nil
        #expect(TopicPlan(topics).creations.first?.configuration["max.message.bytes"] == "2016384")
        topics[0].settings["max.message.bytes"] = "1000"
        let plan = TopicPlan(topics)
        #expect(plan.creations.first?.configuration["max.message.bytes"] == "1064972")
        #expect(plan.entries[0].changes.map(\.needed) == ["1048588"])
    }

    @Test(arguments: [
        (nil, 6, 6, 6), (12, 6, 6, 12), (3, 6, 6, 6), (nil, 12, 6, 12), (nil, 6, 12, 12), (nil, 0, 4, 4),
        (nil, 4, 0, 4),
        (8, 0, 4, 8),
    ])
    func `source and ledger get the same number of partitions`(wanted: Int?, source: Int, ledger: Int, count: Int)
        throws
    {
        var topics = present()
        for (index, number) in [(0, source), (3, ledger)] {
            topics[index].topic = number == 0 ? nil : present(partitions: number)[index].topic
        }
        let plan = TopicPlan(topics, partitions: wanted)
        for (index, number) in [(0, source), (3, ledger)] {
            let entry = plan.entries[index]
            #expect(entry.creation?.partitions == (number == 0 ? count : nil))
            #expect(entry.partitions == (number == 0 || number == count ? nil : count))
        }
        #expect(plan.problemCount == 0)
    }

    @Test func `a finding that only a person can do something about is not a change`() throws {
        var topics = present()
        topics[0].topic?.partitions[2].leader = nil
        topics[1].settings["min.insync.replicas"] = "2"
        topics[2].topic?.error = KafkaError(.topicForbidden, "no")
        let plan = TopicPlan(topics)
        #expect(plan.changeCount == 0)
        #expect(plan.problemCount == 3)
        #expect(!plan.isEmpty)
        #expect(plan.lines(.plain).contains("problem  news: partition 2 has no leader: bring its brokers back"))
        #expect(plan.lines(.plain).last == "fits     memory")
        #expect(try json(plan)[0][member: "problem"]?.array?.count == 1)
    }

    @Test func `the growth and the moves are in the plan`() throws {
        var plan = TopicPlan(present(partitions: 2), partitions: 4)
        let stories = (0..<20).map { number in
            let place = KafkaPartitioner.partition(ofKey: Array("s-\(number)".utf8), among: 2)
            return (story: "s-\(number)", record: StoryFacts.sent, partition: place)
        }
        var growth = GrowthPlan(
            source: "news",
            ledger: "memory",
            sourceCount: 2,
            ledgerCount: 2,
            count: 4,
            stories: stories
        )
        (growth.unread, growth.members, growth.group) = (1, 1, "desk")
        plan.growths = [growth]
        let moving = growth.moves.count
        #expect(plan.changeCount == 2)
        #expect(
            plan.lines(.plain).prefix(3) == [
                "grow     news: 2 -> 4 partitions", "grow     memory: 2 -> 4 partitions",
                "move     memory: \(moving) of 20 stories",
            ]
        )
        #expect(plan.lines(.plain).filter { $0.hasPrefix("first    ") }.count == 2)
        let memory = try json(plan)[3]
        #expect(memory[member: "grow"]?.number?.int64 == 4)
        #expect(memory[member: "stories"]?[member: "moving"]?.number?.int64 == Int64(moving))
        #expect(memory[member: "first"]?.array?.count == 2)
    }

    @Test(arguments: [
        ("INVALID_REPLICATION_FACTOR", OperationError.Kind.foundProblems, "leave out --replication"),
        ("CLUSTER_AUTHORIZATION_FAILED", .unavailable, "'newsflash topics plan --offline'"),
        ("TOPIC_AUTHORIZATION_FAILED", .unavailable, "the right Create on"),
        ("POLICY_VIOLATION", .foundProblems, "no"), ("REQUEST_TIMED_OUT", .unavailable, "try again"),
    ])
    func `the exit code shows why a topic was not created`(code: String, kind: OperationError.Kind, remedy: String) {
        let cluster = KafkaConfiguration(bootstrapServers: "a:9092", clientID: "tests")
        let error = OperationError(
            creating: KafkaError(KafkaError.Code(rawValue: code), "making topic: no"),
            at: cluster
        )
        #expect(error.kind == kind)
        #expect(error.description.hasPrefix("Kafka at a:9092: "))
        #expect(error.description.contains(remedy), "\(error.description)")
    }
}
