import Dispatch
import NewsflashEvents
import NewsflashKafka
import NewsflashObservability
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

@testable import NewsflashPublishing
@testable import NewsflashWorker

/// Clients of Kafka whose files cannot be read, for example because a mount hangs.
@Suite(.timeLimit(.minutes(1)))
struct HungFileTests {
    private let asked = EventLog<Bool>()
    /// The reads of the password that ended because the gate was not opened in time. If a call waits for such a read, the test
    /// cannot open the gate before the call returns.
    private let timeouts = EventLog<Bool>()
    private let gate = DispatchSemaphore(value: 0)
    private let logger = Logger(label: "", handler: DiscardingLogHandler())
    private let news = TopicPartition(topic: "news", partition: 0)

    /// A cluster whose password cannot be read before the gate opens.
    private var client: KafkaConfiguration {
        let password = KafkaSecret(reading: { [asked, timeouts, gate] in
            asked.append(true)
            // Two reads in a row must end before the time limit of the test.
            if gate.wait(timeout: .now() + .seconds(20)) == .timedOut { timeouts.append(true) }
            return "secret"
        })
        return KafkaConfiguration(
            bootstrapServers: "127.0.0.1:1",
            clientID: "tests",
            security: .sasl(.plain(user: "news", password: password), tls: nil)
        )
    }

    @Test
    func `the priority scan does not block the publishing thread while it connects`() async throws {
        let scout = PriorityScanner(
            try WorkerContext { $0.kafka = client },
            progress: { _ in PriorityScanPlan.Progress(position: 0, end: 100_000) },
            isReaderFull: { true }
        )
        scout.timePassed(working: { [news] in [news] }, now: .now)
        try await asked.wait { $0.isEmpty ? nil : () }
        scout.timePassed(working: { [news] in [news] }, now: .now + .seconds(1))
        #expect(timeouts.events.isEmpty, "a call waited for the file")
        #expect(asked.events.count == 1, "the first reader still waits for the file")
        // One signal for each of its two readers.
        for _ in 0..<2 { gate.signal() }
        #expect(await scout.shutDown(within: .seconds(5)))
        #expect(asked.events.count == 2)
        #expect(timeouts.events.isEmpty)
    }

    @Test
    func `the reader of records does not block the publishing thread while it connects`() async throws {
        let recall = RecordRecall(try WorkerContext { $0.source.topic = news.topic })
        recall.open(client)
        for offset in [Int64(1), 2] {
            let order = RecallRequest(id: RecallID(UInt64(offset)), partition: PartitionID(0), place: .ledger(offset))
            recall.add(order, of: news)
            try await asked.wait { $0.isEmpty ? nil : () }
            recall.timePassed(now: .now)
            #expect(recall.silences.isEmpty)
        }
        #expect(timeouts.events.isEmpty, "a call waited for the file")
        gate.signal()
        await recall.close()
        #expect(asked.events.count == 1)
    }
}
