import Kafka
import KafkaTestCluster
import NewsEvents
import Publishing
import StructuredLog
import TestSupport
import Testing
import Timestamps

@testable import Worker

/// The reader of ledgers after it has restored a partition.
@Suite(.timeLimit(.minutes(4)))
struct LedgerReaderTests {
    @Test(.needsRealKafka)
    func `a ledger that has lost records is searched for late writers from its beginning`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let (source, ledger) = (try await cluster.makeTopic(), try await cluster.makeTopic(isCompacted: true))
        let log = EventLog<LogEntry>()
        let client = cluster.client()
        let logger = Logger(label: "", handler: ControlLogRecorder(log: log))
        let loop = PublishingLoop { _ in .tombstone }
        var settings = LedgerSettings()
        settings.ignoresDamage = true
        let reader = LedgerReader(
            ledgers: [source: ledger],
            settings: settings,
            group: "",
            instance: "this worker",
            byteLimit: 1000,
            loop: loop,
            recall: RecordRecall(ledgers: [:], decode: { _, _, _ in .tombstone }, logger: logger, tell: { _ in }),
            metrics: WorkerMetrics(hubs: ["newsroom"]),
            logger: logger
        )
        // A record that cannot be read shows in the log that it was read.
        let record = KafkaRecord(topic: ledger, key: Array("story".utf8), value: [0])
        try await cluster.write([record, record])
        try reader.open(client)
        reader.restore(SourcePartition(topic: source, number: 0), as: PartitionID(0), assignment: 1)
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
        let late = try await log.wait { $0.first { $0.message.hasPrefix("someone else wrote a record") } }
        #expect(late.level == .warning)
        await reader.close()
    }
}
