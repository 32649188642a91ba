import NewsflashBasics
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashTopicPartitions
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// A topic of events that gets more partitions, with a worker before and after.
@Suite(
    .timeLimit(.minutes(3)),
    .needsRealKafka
)
struct TopicsGrowTests {
    private static let stories = (0..<12).map { "urn:desk:\($0)" }

    private struct Stage {
        let cluster: KafkaTestCluster
        let hub: HubEmulator
        let newsroom: CheckedNewsroom

        func setup(partitions: Int?) -> TopicSetup {
            TopicSetup(TopicSettings(newsroom.configuration), partitions: partitions, replicationFactor: 1)
        }

        func withWorker(_ body: () async throws -> Void) async throws {
            let logger = Logger(label: "worker", level: .critical, handler: TextLogHandler())
            let worker = try await Worker.start(newsroom.configuration, logger: logger)
            do {
                try await body()
            } catch {
                await worker.stop()
                throw error
            }
            #expect(await worker.stop())
        }

        func publish(_ events: [(story: String, text: String)]) async throws {
            let producer = try KafkaProducer(KafkaProducerConfiguration(client: newsroom.configuration.kafka))
            let records = events.map { event in
                KafkaRecord(
                    topic: newsroom.configuration.source.topic,
                    key: Array(event.story.utf8),
                    value: Array(event.text.utf8)
                )
            }
            for result in await producer.send(records) { _ = try result.get() }
            await producer.close()
        }

        /// Waits until a number of outcomes are of a kind.
        func outcomes(_ kind: String, _ count: Int) async throws {
            let topic = newsroom.configuration.topics.outcomes
            try await waitUntil {
                let found = Locked(0)
                let scan = TopicScan(newsroom.configuration.kafka, topics: [topic], from: .earliest, to: .present)
                _ = try await scan.run { messages in
                    let kinds = messages.compactMap { message in
                        message.value.flatMap { try? JSONReader.read($0) }?[member: "outcome"]?.string
                    }
                    found.withLock { $0 += kinds.count { $0 == kind } }
                    return true
                }
                return found.withLock { $0 } >= count
            }
        }
    }

    private func withStage(_ body: (Stage) async throws -> Void) async throws {
        let cluster = try await KafkaTestCluster.shared()
        let hub = HubEmulator()
        try hub.start()
        let newsroom = try CheckedNewsroom(cluster.client(), hub: try #require(hub.connectionStrings.first))
        for topic in newsroom.needed {
            let count = topic.fixedPartitions ?? 2
            let new = topic.new(partitions: count, replicationFactor: 1)
            if let error = try await KafkaAdmin(cluster.client()).createTopics([new])[topic.name] { throw error }
            try await cluster.awaitTopic(topic.name, partitions: count)
        }
        do {
            try await body(Stage(cluster: cluster, hub: hub, newsroom: newsroom))
        } catch {
            await hub.stop()
            throw error
        }
        await hub.stop()
    }

    private static func event(_ story: String, revision: Int = 1, _ members: String) -> (story: String, text: String) {
        (
            story,
            #"{"v":1,"id":"\#(story)-\#(revision)","story":"\#(story)","revision":\#(revision),"#
                + #""published":"\#(start.rfc3339)",\#(members)}"#
        )
    }

    private static let start = Timestamp.now() - .seconds(5)
    private static let alert = #""kind":"alert","categories":["world"],"text":{"en":{"headline":"Bridge closed"}}"#

    @Test func `after growing nobody is notified twice, and corrections, kills and embargoes still work`()
        async throws
    {
        try await withStage { stage in
            let first = Self.stories.map { Self.event($0, Self.alert) }
            let embargo = (Timestamp.now() + .seconds(25)).rfc3339
            let waiting = (0..<4).map { number in
                Self.event("urn:later:\(number)", Self.alert + #","embargo":"\#(embargo)""#)
            }
            try await stage.withWorker {
                try await stage.publish(first + waiting)
                _ = await stage.hub.waitForPushes(count: 12)
                try await stage.outcomes("held", 4)
                try await stage.outcomes("sent", 12)
                // Fails while a worker runs.
                let plan = try await stage.setup(partitions: 5).plan()
                #expect(
                    plan.conditions.contains(
                        "stop all workers of the group \(stage.newsroom.configuration.group): 1 runs"
                    )
                )
                let error = await #expect(throws: OperationError.self) {
                    _ = try await stage.setup(partitions: 5).apply(plan)
                }
                #expect(error?.kind == .foundProblems)
                #expect(error?.description.contains("stop all of them first") == true)
                #expect(try await stage.setup(partitions: nil).plan().isEmpty)
            }
            let setup = stage.setup(partitions: 5)
            let plan = try await setup.plan()
            let growth = try #require(plan.growths.first)
            #expect(growth.moves.count + growth.staying == 16)
            #expect(growth.moves.contains { !$0.record.waiting.isEmpty })
            #expect(plan.conditions.isEmpty, "\(plan.conditions)")
            #expect(plan.changeCount == 2)
            #expect(try await setup.apply(plan).isEmpty)
            let again = try await setup.plan()
            #expect(again.isEmpty, "\(again.lines)")
            #expect(again.growths.map(\.isDone) == [true])
            let facts = await KafkaCheckup(TopicSettings(stage.newsroom.configuration)).topics()
            #expect(facts.isEmpty, "\(facts)")

            let correction = #""kind":"correction","categories":["sport"],"text":{"en":{"headline":"Bridge open"}}"#
            let later = Self.stories.prefix(6).map { Self.event($0, revision: 2, correction) }
            let kills = Self.stories.suffix(6).map { Self.event($0, revision: 2, #""kind":"kill""#) }
            try await stage.withWorker {
                try await stage.publish(first + later + kills)
                try await stage.outcomes("duplicate", 12)
                _ = await stage.hub.waitForPushes(count: 28)
            }
            let pushes = stage.hub.pushes
            #expect(pushes.count == 28)
            #expect(pushes.allSatisfy { $0.expression.map { "\($0)" } == "World" })
            let headlines = pushes.dropFirst(12).compactMap { push in
                (try? JSONReader.read(push.body))?[member: "headline_en"]?.string
            }
            #expect(headlines.count { $0 == "Correction: Bridge open" } == 6)
            #expect(headlines.count { $0 == "Withdrawn: Bridge closed" } == 6)
            #expect(headlines.count { $0 == "Bridge closed" } == 4)
        }
    }

    @Test func `a group that has committed nothing and has a worker prevents the growth`() async throws {
        try await WatchedNewsroom.open(partitions: 2) { newsroom in
            try await newsroom.withWorkers { _ in
                let words = ["topics", "apply", "--config", newsroom.file, "--partitions", "4", "--yes"]
                let process = try ChildProcess([TestProgram.path()] + words, environment: TestProgram.environment)
                let end = try await process.waitForEnd()
                #expect(end == .exited(1), "\(process.lines.events)")
                #expect(
                    process.lines.events.contains { $0.contains("stop all of them first") },
                    "\(process.lines.events)"
                )
            }
            let topics = try await KafkaAdmin(newsroom.cluster.client()).topics()
            let source = topics.first { $0.name == newsroom.configuration.source.topic }
            #expect(source?.partitions.count == 2)
        }
    }

    @Test func `unread events prevent the growth, and fewer partitions than there are change nothing`() async throws {
        try await withStage { stage in
            try await stage.publish([Self.event("urn:desk:1", Self.alert)])
            let setup = stage.setup(partitions: 3)
            let plan = try await setup.plan()
            #expect(plan.conditions.first?.contains("1 event of") == true)
            let unread = await #expect(throws: OperationError.self) { _ = try await setup.apply(plan) }
            #expect(unread?.kind == .foundProblems)
            #expect(unread?.description.contains("1 event of") == true)
            #expect(try await setup.plan().changeCount == 2)
            #expect(try await stage.setup(partitions: 1).plan().isEmpty)
            #expect(try await setup.apply(plan, ignoringUnread: true).isEmpty)
        }
    }
}

extension KafkaCheckup {
    /// Returns the problems of the topics.
    fileprivate func topics() async -> [CheckFact] {
        var facts: [CheckFact] = []
        await run { facts.append($0) }
        return facts.problems
    }
}
