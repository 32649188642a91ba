import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashTopicPartitions
import Testing

/// Logs that lose records. Only a real broker can delete records.
@Suite(.timeLimit(.minutes(2)), .enabled(if: KafkaTestCluster.isReal, "needs a real Kafka: a mock deletes no records"))
struct LogGapTests {
    private let cluster: KafkaTestCluster
    private let topic: String
    private var configuration: KafkaConsumerConfiguration

    init() async throws {
        cluster = try await KafkaTestCluster.shared()
        topic = try await cluster.makeTopic(partitions: 2)
        configuration = cluster.consumer(group: cluster.uniqueName("group"))
        configuration.assignmentStrategy = .cooperativeSticky
        configuration.commitsToEnd = true
    }

    private func place(_ partition: Int32 = 0) -> TopicPartition {
        TopicPartition(topic: topic, partition: partition)
    }

    private func write(_ count: Int, partition: Int32 = 0, size: Int = 1) async throws {
        let value = [UInt8](repeating: 7, count: size)
        try await cluster.write((0..<count).map { _ in KafkaRecord(topic: topic, partition: partition, value: value) })
    }

    private func commit(_ offset: Int64, partition: Int32 = 0) async throws {
        let admin = try KafkaAdmin(cluster.client())
        try await admin.alterOffsets(ofGroup: configuration.groupID, to: [place(partition): offset])
    }

    private func open(
        _ configuration: KafkaConsumerConfiguration,
        _ recorder: ConsumerRecorder = ConsumerRecorder()
    ) throws -> (KafkaConsumer, ConsumerRecorder) {
        let consumer = try KafkaConsumer(configuration, delegate: recorder)
        try consumer.subscribe([topic])
        return (consumer, recorder)
    }

    @Test(arguments: [KafkaConsumerConfiguration.AssignmentStrategy.cooperativeSticky, .range])
    func `records that were deleted before they were read are reported as lost once`(
        strategy: KafkaConsumerConfiguration.AssignmentStrategy
    ) async throws {
        var configuration = configuration
        configuration.assignmentStrategy = strategy
        try await write(10)
        try await write(1, partition: 1)
        try await commit(3)
        try await cluster.deleteRecords(of: place(), below: 7)
        let (first, recorder) = try open(configuration)
        let gap = try await recorder.log.wait { $0.gaps.first }
        #expect(gap == KafkaLogGap(partition: place(), offsets: 3..<7, reason: .retention))
        try await recorder.commit(of: [place(): 7])
        let read = try await recorder.messages(atLeast: 4).filter { $0.topicPartition == place() }
        #expect(read.map(\.offset) == [7, 8, 9])
        #expect(recorder.messages.count(where: { $0.partition == 1 }) <= 2, "the other partition continues")
        await first.close()
        let (second, later) = try open(configuration)
        let again = try await later.messages(atLeast: 4).filter { $0.topicPartition == place() }
        #expect(again.map(\.offset) == [7, 8, 9])
        #expect(later.log.events.gaps.isEmpty)
        await second.close()
    }

    @Test
    func `records deleted ahead of a slow reader are reported as lost, and fetched ones are read`() async throws {
        var configuration = configuration
        configuration.queuedMessagesPerPartition = 1
        let (consumer, recorder) = try open(configuration)
        try await write(1)
        _ = try await recorder.messages(atLeast: 1)
        consumer.setReading(false, of: [place()])
        // Each write is a separate batch, and a fetch returns a few of them.
        for _ in 1..<40 { try await write(1, size: 100_000) }
        try await cluster.deleteRecords(of: place(), below: 35)
        consumer.setReading(true, of: [place()])
        let gap = try await recorder.log.wait { $0.gaps.first }
        #expect(gap.reason == .retention)
        #expect(gap.offsets.upperBound == 35)
        try await recorder.log.wait { $0.messages.last?.offset == 39 ? () : nil }
        #expect(recorder.messages.map(\.offset) == Array(0..<gap.offsets.lowerBound) + Array(35..<40))
        consumer.commit([place(): 40])
        try await recorder.commit(of: [place(): 40])
        #expect(recorder.log.events.gaps.count == 1)
        await consumer.close()
    }

    @Test
    func `a truncated log is read from its oldest record`() async throws {
        try await write(5)
        try await cluster.deleteRecords(of: place(), below: 2)
        try await commit(100)
        let (consumer, recorder) = try open(configuration)
        let gap = try await recorder.log.wait { $0.gaps.first }
        #expect(gap == KafkaLogGap(partition: place(), offsets: 5..<100, reason: .truncated))
        #expect(try await recorder.messages(atLeast: 3).map(\.offset) == [2, 3, 4])
        try await recorder.commit(of: [place(): 2])
        // The old log is finished before the new one begins.
        let changes = recorder.log.events.compactMap { event -> String? in
            switch event {
            case .revoked(let partitions): "revoked \(partitions)"
            case .assigned(let partitions): "assigned \(partitions.count)"
            default: nil
            }
        }
        #expect(changes == ["assigned 2", "revoked [\(place())]", "assigned 1"])
        await consumer.close()
    }

    @Test
    func `a log that loses its end while it is read is read again from its oldest record`() async throws {
        let broker = try await RealCluster.start()
        do {
            try await loseEnd(of: broker)
        } catch {
            await broker.stop()
            throw error
        }
        await broker.stop()
    }

    private func loseEnd(of broker: RealCluster) async throws {
        let cluster = KafkaTestCluster(of: broker)
        let place = TopicPartition(topic: try await cluster.makeTopic(), partition: 0)
        for count in [3, 4] {
            try await cluster.write((0..<count).map { _ in KafkaRecord(topic: place.topic, partition: 0, value: [7]) })
        }
        var configuration = cluster.consumer(group: cluster.uniqueName("group"))
        configuration.commitsToEnd = true
        // The broker is unavailable for a few seconds, and the partition stays assigned.
        configuration.sessionTimeout = .seconds(60)
        let recorder = ConsumerRecorder()
        let consumer = try KafkaConsumer(configuration, delegate: recorder)
        try consumer.subscribe([place.topic])
        _ = try await recorder.messages(atLeast: 7)
        consumer.commit([place: 7])
        try await recorder.commit(of: [place: 7])
        try await broker.kill(1)
        try await broker.cutLog(of: place, on: 1)
        try await broker.restart(1)
        let gap = try await recorder.log.wait { $0.gaps.first }
        #expect(gap == KafkaLogGap(partition: place, offsets: 3..<7, reason: .truncated))
        #expect(try await recorder.messages(atLeast: 10).map(\.offset) == [0, 1, 2, 3, 4, 5, 6, 0, 1, 2])
        try await recorder.commit(of: [place: 0])
        await consumer.close()
    }

    @Test
    func `a topic recreated below the committed offset is read from its beginning`() async throws {
        try await write(3)
        try await commit(8)
        let (consumer, recorder) = try open(configuration)
        let gap = try await recorder.log.wait { $0.gaps.first }
        #expect(gap == KafkaLogGap(partition: place(), offsets: 3..<8, reason: .topicRecreated))
        #expect(try await recorder.messages(atLeast: 3).map(\.offset) == [0, 1, 2])
        await consumer.close()
    }

    @Test
    func `a partition without an offset waits for a person, and the others continue`() async throws {
        var configuration = configuration
        configuration.offsetReset = .error
        try await write(1)
        try await write(3, partition: 1)
        try await commit(1, partition: 1)
        let (consumer, recorder) = try open(configuration)
        #expect(try await recorder.messages(atLeast: 2).map(\.topicPartition) == [place(1), place(1)])
        let error = try await recorder.log.wait { events in
            events.lazy.compactMap { if case .failed(let error) = $0, error.partition != nil { error } else { nil } }
                .first
        }
        #expect(error.code == .noOffset)
        #expect(error.partition == place())
        await consumer.close()
    }
}

extension [ConsumerEvent] {
    fileprivate var gaps: [KafkaLogGap] {
        compactMap { if case .missed(let gap) = $0 { gap } else { nil } }
    }
}
