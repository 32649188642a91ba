import NewsflashKafka
import NewsflashKafkaMock
import NewsflashKafkaTestCluster
import NewsflashTopicPartitions
import Testing

/// Topics with control records. Only a real broker writes them.
@Suite(.timeLimit(.minutes(4)), .enabled(if: KafkaTestCluster.isReal, "needs a real Kafka: for control records"))
struct TransactionTests {
    private let cluster: KafkaTestCluster
    private let place: TopicPartition
    private let writer: TransactionalWriter
    private var configuration: KafkaConsumerConfiguration

    init() async throws {
        cluster = try await KafkaTestCluster.shared()
        place = TopicPartition(topic: try await cluster.makeTopic(), partition: 0)
        writer = try await TransactionalWriter(cluster, id: cluster.uniqueName("outbox"))
        configuration = cluster.consumer(group: cluster.uniqueName("group"))
        configuration.assignmentStrategy = .cooperativeSticky
        configuration.commitsToEnd = true
    }

    private func records(_ count: Int) -> [KafkaRecord] {
        (0..<count).map { KafkaRecord(topic: place.topic, partition: 0, value: [UInt8($0)]) }
    }

    /// Waits until all transactions have ended, and their control records are in the log. A transaction is committed or
    /// aborted earlier, so that records of another one may come before its control record.
    private func isEnded(at offset: Int64) async throws {
        let admin = try KafkaAdmin(cluster.client())
        try await waitUntil { try await admin.watermarks(of: place).high == offset }
    }

    private func committed(_ consumer: KafkaConsumer) async throws -> Int64? {
        try await consumer.committedOffsets(of: [place])[place]
    }

    @Test
    func `the committed offset passes control records and an aborted transaction`() async throws {
        try await writer.write(records(3))
        try await isEnded(at: 4)
        try await writer.write(records(2), isCommitted: false)
        // Three records and a control record, two records and a control record.
        let end: Int64 = 7
        try await isEnded(at: end)
        let recorder = ConsumerRecorder()
        let consumer = try KafkaConsumer(configuration, delegate: recorder)
        try consumer.subscribe([place.topic])
        #expect(try await recorder.messages(atLeast: 3).map(\.offset) == [0, 1, 2])
        try await waitUntil { consumer.position(of: place) == end }
        // Not all of them are processed.
        consumer.commit([place: 2])
        try await recorder.commit(of: [place: 2])
        consumer.commit([place: 3])
        try await recorder.commit(of: [place: end])
        // Only control records follow: nobody asks for a commit.
        try await writer.write(records(1), isCommitted: false)
        try await recorder.commit(of: [place: 9])
        #expect(try await committed(consumer) == 9)
        #expect(recorder.messages.count == 3)
        await consumer.close()
    }

    @Test
    func `an end after an unprocessed message is not committed, not even on revocation`()
        async throws
    {
        try await writer.write(records(3))
        let recorder = ConsumerRecorder { places in Dictionary(uniqueKeysWithValues: places.map { ($0, 2) }) }
        let consumer = try KafkaConsumer(configuration, delegate: recorder)
        try consumer.subscribe([place.topic])
        _ = try await recorder.messages(atLeast: 3)
        try await waitUntil { consumer.position(of: place) == 4 }
        await consumer.close()
        try await recorder.commit(of: [place: 2])
    }

    @Test
    func `messages that a leaving member has processed are committed up to the end`() async throws {
        try await writer.write(records(3))
        let recorder = ConsumerRecorder { places in Dictionary(uniqueKeysWithValues: places.map { ($0, 3) }) }
        let consumer = try KafkaConsumer(configuration, delegate: recorder)
        try consumer.subscribe([place.topic])
        _ = try await recorder.messages(atLeast: 3)
        try await waitUntil { consumer.position(of: place) == 4 }
        await consumer.close()
        try await recorder.commit(of: [place: 4])
    }

    @Test
    func `the committed offset does not pass an open transaction`() async throws {
        try await writer.write(records(1))
        try await isEnded(at: 2)
        let open = try await TransactionalWriter(cluster, id: cluster.uniqueName("slow"))
        try await open.begin(records(1))
        try await writer.write(records(1))
        let recorder = ConsumerRecorder()
        let consumer = try KafkaConsumer(configuration, delegate: recorder)
        try consumer.subscribe([place.topic])
        _ = try await recorder.messages(atLeast: 1)
        try await waitUntil { consumer.position(of: place) == 2 }
        consumer.commit([place: 1])
        try await recorder.commit(of: [place: 2])
        try await open.end(isCommitted: true)
        #expect(try await recorder.messages(atLeast: 3).map(\.offset) == [0, 2, 3])
        await consumer.close()
    }
}
