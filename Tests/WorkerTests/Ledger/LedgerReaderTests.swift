import NewsflashEvents
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

@testable import NewsflashWorker

/// The ledger reader after it has restored a partition.
@Suite(.timeLimit(.minutes(4)))
struct LedgerReaderTests {
    @Test(.needsRealKafka)
    func `the search for late writers starts at the beginning if the ledger has lost records`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let (source, ledger) = (try await cluster.makeTopic(), try await cluster.makeTopic(isCompacted: true))
        let log = EventLog<LogEntry>()
        let client = cluster.client()
        let reader = try reader(client, of: source, ledger, log)
        // The log shows when this record is read, because it cannot be decoded.
        let record = KafkaRecord(topic: ledger, key: Array("story".utf8), value: [0])
        try await cluster.write([record, record])
        try reader.start()
        reader.restore(TopicPartition(topic: source, partition: 0), as: PartitionID(0), assignment: 1)
        try await log.wait { $0.contains { $0.message.hasPrefix("records of the ledger cannot be read") } ? () : nil }
        let admin = try KafkaAdmin(client)
        #expect(try await admin.deleteTopics([ledger]).isEmpty)
        try await waitUntil { try await admin.topic(ledger) == nil }
        try await cluster.makeTopic(named: ledger, isCompacted: true)
        try await cluster.write([record])
        var now = Instant.now + .seconds(5)
        reader.timePassed(now: now)
        try await log.wait { $0.contains { $0.message.hasPrefix("the ledger has lost records") } ? () : nil }
        now += .seconds(10)
        reader.timePassed(now: now)
        let late = try await log.wait { $0.first { $0.message.hasPrefix("another writer wrote an unreadable record") } }
        #expect(late.level == .warning)
        #expect(await reader.shutDown(within: .seconds(5)))
    }

    @Test
    func `a record with a future time does not end the reading of a ledger`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let (source, ledger) = (try await cluster.makeTopic(), try await cluster.makeTopic())
        let log = EventLog<LogEntry>()
        let reader = try reader(cluster.client(), of: source, ledger, log)
        // Undecodable records are counted. Kafka 4 refuses records whose time is more than an hour in the future.
        let times = [Timestamp.now() + .seconds(3000), .now(), .now() - .seconds(3000)]
        try await cluster.write(
            times.map { KafkaRecord(topic: ledger, key: Array("story".utf8), value: [0], timestamp: $0) }
        )
        try reader.start()
        reader.restore(TopicPartition(topic: source, partition: 0), as: PartitionID(0), assignment: 1)
        let read = try await log.wait { entries in
            entries.first { $0.message.hasPrefix("records of the ledger cannot be read") }
        }
        #expect(read.metadata["records"].map { "\($0)" } == "3")
        #expect(await reader.shutDown(within: .seconds(5)))
    }

    /// A reader that counts and skips undecodable records.
    private func reader(
        _ client: KafkaConfiguration,
        of source: String,
        _ ledger: String,
        _ log: EventLog<LogEntry>
    ) throws -> LedgerReader {
        let context = try WorkerContext(logger: Logger(label: "", handler: log)) { configuration in
            configuration.kafka = client
            configuration.group = ""
            configuration.source.topic = source
            configuration.source.ledger = ledger
            configuration.ledger.ignoresDamage = true
        }
        return LedgerReader(context, instance: "this worker")
    }
}
