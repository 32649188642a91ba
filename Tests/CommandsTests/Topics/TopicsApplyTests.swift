import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTestSupport
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// `newsflash topics plan` and `apply` with a real broker.
@Suite(.timeLimit(.minutes(3)), .needsRealKafka)
struct TopicsApplyTests {
    private struct Stage {
        let cluster: KafkaTestCluster
        let newsroom: CheckedNewsroom
        let folder: TemporaryFolder

        init() async throws {
            cluster = try await KafkaTestCluster.shared()
            newsroom = try CheckedNewsroom(cluster.client())
            folder = try TemporaryFolder()
            let configuration = newsroom.configuration
            let text =
                SampleNewsroom.yaml + """

                    kafka: { bootstrapServers: "\(cluster.bootstrapServers)", group: \(configuration.group) }
                    sources: { desk: { topic: \(configuration.source.topic) } }
                    topics: { outcomes: \(configuration.topics.outcomes), deadLetters: \(configuration.topics.deadLetters) }
                    """
            try folder.write(text, to: "newsflash.yaml")
        }

        /// Runs `newsflash topics`.
        func run(_ words: String...) async throws -> (code: Int32, lines: [String]) {
            let all = ["topics"] + words + ["--config", folder.file("newsflash.yaml")]
            let process = try ChildProcess([TestProgram.path()] + all, environment: TestProgram.environment)
            guard case .exited(let code) = try await process.waitForEnd() else { return (-1, process.lines.events) }
            return (code, process.lines.events)
        }

        /// The settings of a topic, once the broker has them.
        func settings(_ topic: String) async throws -> [String: String] {
            try await KafkaAdmin(cluster.client()).configuration(ofTopic: topic)
        }

        var names: [String] { newsroom.needed.map(\.name) }

        func created() async throws -> [KafkaTopic] {
            try await KafkaAdmin(cluster.client()).topics().filter { names.contains($0.name) }
        }
    }

    @Test func `an empty cluster gets all topics, and then there is nothing to do`() async throws {
        let stage = try await Stage()
        let plan = try await stage.run("plan", "--partitions", "3")
        #expect(plan.code == 1)
        #expect(plan.lines.filter { $0.hasPrefix("create   ") }.count == 5, "\(plan.lines)")
        // Without the option the command would not do what the plan shows.
        #expect(plan.lines.last?.hasSuffix("do it with 'newsflash topics apply --partitions 3'") == true)
        let refused = try await stage.run("apply", "--partitions", "3")
        #expect(refused.code == 1)
        #expect(refused.lines.contains("Error: nothing was changed: add --yes to do it"), "\(refused.lines)")
        #expect(try await stage.created().isEmpty)

        let done = try await stage.run("apply", "--partitions", "3", "--replication", "1", "--yes")
        #expect(done.code == 0, "\(done.lines)")
        #expect(done.lines.last == "done: Kafka has all topics as needed")
        let counts = try await stage.created().map { ($0.name, $0.partitions.count) }
        #expect(Dictionary(uniqueKeysWithValues: counts)[stage.newsroom.configuration.topics.control] == 1)
        #expect(counts.map(\.1).sorted() == [1, 3, 3, 3, 3])

        for words in ["plan", "apply"] {
            let again = try await stage.run(words)
            #expect(again.code == 0, "\(again.lines)")
            #expect(again.lines.last == "nothing to do")
            #expect(again.lines.contains("fits     " + stage.names.joined(separator: ", ")), "\(again.lines)")
        }
        let json = try await stage.run("plan", "--json")
        let objects = json.lines.compactMap { try? JSONReader.read(Array($0.utf8)) }
        #expect(objects.count == 5 && objects.allSatisfy { $0[member: "state"]?.string == "fits" }, "\(json.lines)")
    }

    @Test func `a setting that differs is corrected, and the topic's other settings stay`() async throws {
        let stage = try await Stage()
        _ = try await stage.run("apply", "--partitions", "2", "--yes")
        let letters = stage.newsroom.configuration.topics.deadLetters
        let ledger = stage.newsroom.configuration.source.ledger
        let own = ["flush.messages": "7", "retention.ms": "3600000"]
        try await KafkaAdmin(stage.cluster.client()).changeConfiguration(ofTopic: letters, to: own)
        try await KafkaAdmin(stage.cluster.client()).changeConfiguration(
            ofTopic: ledger,
            to: ["cleanup.policy": "delete", "segment.ms": "7200000"]
        )
        try await waitUntil { try await stage.settings(ledger)["segment.ms"] == "7200000" }
        let plan = try await stage.run("plan")
        #expect(plan.code == 1)
        #expect(plan.lines.contains("change   \(letters): retention.ms 3600000 -> 2592000000"), "\(plan.lines)")
        #expect(plan.lines.contains("change   \(ledger): cleanup.policy delete -> compact"), "\(plan.lines)")
        let done = try await stage.run("apply", "--yes")
        #expect(done.code == 0, "\(done.lines)")
        let settings = try await stage.settings(letters)
        #expect(settings["retention.ms"] == "2592000000")
        #expect(settings["flush.messages"] == "7")
        #expect(settings["max.message.bytes"] == "1064972")
        #expect(try await stage.settings(ledger)["cleanup.policy"] == "compact")
        #expect(try await stage.settings(ledger)["segment.ms"] == "3600000")
        #expect(try await stage.run("plan").code == 0)
    }

    @Test func `a topic that brokers refuse is an error with what to do, and the others are created`() async throws {
        let stage = try await Stage()
        let end = try await stage.run("apply", "--replication", "9", "--yes")
        #expect(end.code == 1)
        #expect(end.lines.contains { $0.contains("there are fewer brokers than that") }, "\(end.lines)")
        let setup = TopicSetup(TopicSettings(stage.newsroom.configuration), partitions: 2)
        let invalid = KafkaNewTopic(name: stage.names[0], partitions: 2, configuration: ["cleanup.policy": "never"])
        let good = KafkaNewTopic(name: stage.names[1], partitions: 2)
        let error = await #expect(throws: OperationError.self) {
            try await TopicSetup.create([invalid, good], at: stage.cluster.client())
        }
        #expect(error?.kind == .foundProblems)
        try await stage.cluster.awaitTopic(stage.names[1], partitions: 2)
        #expect(try await setup.apply(try await setup.plan()).isEmpty)
    }

    @Test func `a ledger with fewer partitions than its source grows with the stories, without --partitions`()
        async throws
    {
        let stage = try await Stage()
        _ = try await stage.run("apply", "--partitions", "2", "--yes")
        let source = stage.newsroom.configuration.source
        try await KafkaAdmin(stage.cluster.client()).growTopic(source.topic, to: 3)
        try await stage.cluster.awaitTopic(source.topic, partitions: 3)
        let stories = (0..<12).map { "s-\($0)" }
        let producer = try KafkaProducer(KafkaProducerConfiguration(client: stage.cluster.client()))
        for story in stories {
            let place = KafkaPartitioner.partition(ofKey: Array(story.utf8), among: 2)
            let value = LedgerRecordCodec.encode(.sent, of: story)
            try await producer.send(
                KafkaRecord(topic: source.ledger, partition: place, key: Array(story.utf8), value: value)
            )
        }
        await producer.close()
        let moving = stories.count { story in
            let key = Array(story.utf8)
            return KafkaPartitioner.partition(ofKey: key, among: 2) != KafkaPartitioner.partition(ofKey: key, among: 3)
        }
        let plan = try await stage.run("plan")
        #expect(plan.code == 1)
        #expect(plan.lines.contains("grow     \(source.ledger): 2 -> 3 partitions"), "\(plan.lines)")
        #expect(plan.lines.contains("move     \(source.ledger): \(moving) of 12 stories"), "\(plan.lines)")
        let done = try await stage.run("apply", "--yes", "--json")
        #expect(done.code == 0, "\(done.lines)")
        #expect(done.lines.allSatisfy { $0.hasSuffix(#""done":true}"#) }, "\(done.lines)")
        #expect(try await stage.run("plan", "--partitions", "3").lines.last == "nothing to do")
        #expect(try await stage.created().first { $0.name == source.ledger }?.partitions.count == 3)
    }
}
