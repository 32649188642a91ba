import CNewsflashRDKafka
import NewsflashKafkaMock
import NewsflashKafkaTestCluster
import NewsflashTopicPartitions
import Testing

@testable import NewsflashKafka

@Suite(.timeLimit(.minutes(4)))
struct ClosingTests {
    @Test
    func `closing a consumer under load returns`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(partitions: 4)
        let writer = ProducerRecorder()
        let producer = try KafkaProducer(KafkaProducerConfiguration(client: cluster.client()), delegate: writer)
        let value = [UInt8](repeating: 7, count: 100)
        producer.produce((0..<5000).map { KafkaRecord(topic: topic, value: value, id: $0) })
        let offsets = Dictionary(
            (0..<4).map { (TopicPartition(topic: topic, partition: $0), KafkaOffset.beginning) }
        ) {
            $1
        }
        let recorder = ConsumerRecorder()
        let consumer = try KafkaConsumer(
            cluster.consumer(group: cluster.uniqueName("group")),
            delegate: recorder
        )
        consumer.assign(offsets)
        _ = try await recorder.messages(atLeast: 1)
        #expect(await consumer.close(deadline: .seconds(10)))
        await producer.close(deadline: .seconds(10))
        #expect(Set(writer.reports.events.map(\.id)) == Set(0..<5000))
    }

    @Test
    func `a coordinator that never answers cannot block closing forever`() async throws {
        let mock = try MockCluster()
        let lines = EventLog<KafkaLogLine>()
        let client = KafkaConfiguration(
            bootstrapServers: mock.bootstrapServers,
            clientID: "tests",
            properties: ["fetch.wait.max.ms": "5"],
            log: { lines.append($0) }
        )
        try mock.createTopic("news", partitions: 1)
        let recorder = ConsumerRecorder()
        let consumer = try KafkaConsumer(
            KafkaConsumerConfiguration(
                client: client,
                groupID: "g",
                offsetReset: .earliest,
                sessionTimeout: .milliseconds(3500)
            ),
            delegate: recorder
        )
        try consumer.subscribe(["news"])
        _ = try await recorder.log.wait { events in
            events.contains { if case .assigned = $0 { true } else { false } } ? () : nil
        }
        try mock.setRoundTripTime(.seconds(600), ofBroker: 1)
        #expect(await consumer.close(deadline: .milliseconds(500)) == false)
        #expect(lines.events.contains { $0.facility == "CLOSE" && $0.level == .critical })
    }

    @Test
    func `a delegate that does not return cannot block closing forever`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let partition = TopicPartition(topic: try await cluster.makeTopic(), partition: 0)
        let lines = EventLog<KafkaLogLine>()
        let calls = EventLog<Bool>()
        let gate = EventLog<Bool>()
        let recorder = ConsumerRecorder { _ in
            calls.append(true)
            gate.blockingWait()
            return [:]
        }
        var configuration = cluster.consumer(group: cluster.uniqueName("group"))
        configuration.client.log = { lines.append($0) }
        let consumer = try KafkaConsumer(configuration, delegate: recorder)
        consumer.assign([partition: .beginning])
        _ = try await recorder.log.wait { $0.isEmpty ? nil : () }
        // The delegate blocks while it gives the partition up.
        consumer.assign([:])
        try await calls.wait { $0.isEmpty ? nil : () }
        #expect(await consumer.close(deadline: .milliseconds(200)) == false)
        #expect(lines.events.contains { $0.facility == "CLOSE" && $0.level == .critical })
        gate.append(true)
        // The result depends on a race, because the deadline of the first call has passed.
        _ = await consumer.close(deadline: .seconds(10))
        #expect(await consumer.close(deadline: .seconds(10)))
    }

    /// The embedded cluster does not wait for a member that has not returned its partitions.
    @Test(.needsRealKafka, arguments: [KafkaConsumerConfiguration.AssignmentStrategy.range, .cooperativeSticky])
    func `a member that drains for two sessions while another joins stays, then hands over at once`(
        strategy: KafkaConsumerConfiguration.AssignmentStrategy
    ) async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(partitions: 2)
        let ends = Dictionary((0..<2).map { (TopicPartition(topic: topic, partition: $0), Int64(1)) }) { $1 }
        try await cluster.write((0..<2).map { KafkaRecord(topic: topic, partition: $0, value: [7]) })
        var configuration = cluster.consumer(group: cluster.uniqueName("group"))
        configuration.assignmentStrategy = strategy
        configuration.revokeDeadline = .seconds(60)
        let (isDraining, isDrained) = (EventLog<Void>(), EventLog<Void>())
        let leaving = ConsumerRecorder { _ in
            isDraining.append(())
            isDrained.blockingWait()
            return ends
        }
        let first = try KafkaConsumer(configuration, delegate: leaving)
        try first.subscribe([topic])
        _ = try await leaving.messages(atLeast: 2)
        async let closing = first.close(deadline: .seconds(60))
        try await isDraining.wait { $0.isEmpty ? nil : () }
        let began = ContinuousClock.now
        let heir = ConsumerRecorder()
        let second = try KafkaConsumer(configuration, delegate: heir)
        try second.subscribe([topic])
        try await waitUntil { .now - began > configuration.sessionTimeout * 2 }
        #expect(second.assignment.isEmpty, "the partitions are the first member's until it has drained")
        isDrained.append(())
        let released = ContinuousClock.now
        #expect(await closing)
        try await heir.log.wait { events in
            let all = events.flatMap { event -> [TopicPartition] in
                if case .assigned(let partitions) = event { partitions } else { [] }
            }
            return Set(all).count == 2 ? () : nil
        }
        #expect(.now - released < .seconds(3))
        #expect(!leaving.log.events.contains { if case .lost = $0 { true } else { false } })
        let commits = leaving.log.events.compactMap { event in
            if case .committed(let offsets, let error) = event {
                (offsets, error?.description ?? "committed")
            } else {
                nil
            }
        }
        let committed = commits.reduce(into: [:]) { $0.merge($1.0) { $1 } }
        #expect(committed == ends && Set(commits.map(\.1)) == ["committed"], "\(commits)")
        #expect(try await second.committedOffsets(of: Array(ends.keys)) == ends)
        #expect(await second.close(deadline: .seconds(10)))
    }

    @Test(arguments: [Duration.seconds(1), .seconds(240), .seconds(900)])
    func `the group allows more time between two polls than returning partitions may take`(limit: Duration) throws {
        let client = KafkaConfiguration(bootstrapServers: "127.0.0.1:1", clientID: "tests")
        let configuration = KafkaConsumerConfiguration(client: client, groupID: "g", revokeDeadline: limit)
        let property = try configuration.properties().last { $0.0 == "max.poll.interval.ms" }
        let interval = try #require(property.flatMap { Int($0.1) })
        #expect(Duration.milliseconds(interval) >= limit + .seconds(60))
    }

    @Test
    func `a continuous backlog leaves time for callers`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let partition = TopicPartition(topic: try await cluster.makeTopic(), partition: 0)
        try await cluster.write((0..<2000).map { KafkaRecord(topic: partition.topic, value: [UInt8($0 % 256)]) })
        let served = EventLog<ContinuousClock.Instant>()
        let recorder = SlowRecorder(served: served)
        var configuration = cluster.consumer(group: cluster.uniqueName("group"))
        configuration.maximumBatch = 1
        let consumer = try KafkaConsumer(configuration, delegate: recorder)
        consumer.assign([partition: .beginning])
        _ = try await served.wait { $0.count >= 200 ? () : nil }
        #expect(await consumer.close(deadline: .seconds(10)))
        // Before each batch the thread has served callers since the previous batch.
        let signs = served.events.dropFirst(20).prefix(100)
        #expect(Set(signs).count > 50)
    }

    @Test
    func `after a fatal error the partitions are lost, and closing still works`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        let partition = TopicPartition(topic: topic, partition: 0)
        try await cluster.withConsumer(assigned: [partition: .beginning]) { consumer, recorder in
            _ = try await recorder.log.wait { $0.isEmpty ? nil : () }
            rd_kafka_test_fatal_error(
                try consumer.openClient().pointer,
                RD_KAFKA_RESP_ERR_FENCED_INSTANCE_ID,
                "for a test"
            )
            let error = try await recorder.log.wait { events in
                events.lazy.compactMap { event -> KafkaError? in
                    if case .failed(let error) = event, error.isFatal { error } else { nil }
                }.first
            }
            #expect(error.code.rawValue == "FENCED_INSTANCE_ID")
            #expect(recorder.log.events.contains { if case .lost([partition]) = $0 { true } else { false } })
            #expect(consumer.commit([partition: 1]) == [partition])
            #expect(await consumer.close(deadline: .seconds(5)))
        }
    }
}

/// Records at each batch when the consumer's thread last served its callers.
private final class SlowRecorder: KafkaConsumerDelegate {
    private let served: EventLog<ContinuousClock.Instant>

    init(served: EventLog<ContinuousClock.Instant>) {
        self.served = served
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didReceive messages: [KafkaMessage]) {
        served.append(consumer.lastServed)
    }

    func kafkaConsumer(
        _ consumer: KafkaConsumer,
        willRevoke partitions: [TopicPartition],
        deadline: Duration
    ) -> [TopicPartition: Int64] { [:] }

    func kafkaConsumer(_ consumer: KafkaConsumer, didAssign partitions: [TopicPartition]) {}
    func kafkaConsumer(_ consumer: KafkaConsumer, didLose partitions: [TopicPartition]) {}
    func kafkaConsumer(
        _ consumer: KafkaConsumer,
        didCommit offsets: [TopicPartition: Int64],
        error: KafkaError?
    ) {}
    func kafkaConsumer(_ consumer: KafkaConsumer, didFail error: KafkaError) {}
}
