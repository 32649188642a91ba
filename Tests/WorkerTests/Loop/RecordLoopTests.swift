import Kafka
import KafkaTestCluster
import NewsEvents
import StructuredLog
import Testing
import Threads
import Timestamps

@testable import Publishing
@testable import Worker

/// What was decided is written down by a thread of its own; a test stands in for the publishing thread and the broker.
@Suite(.timeLimit(.minutes(1)))
struct RecordLoopTests {
    private let records = RecordLoop()
    private let batches = EventLog<RecordBatch>()
    private let ledgers = EventLog<KafkaRecordBatch>()
    private let reports = EventLog<PublishingReport>()

    init() throws {
        let logger = Logger(label: "", handler: DiscardingLogHandler())
        let configuration = try SoundConfiguration.read()
        let observer = PublishingObserver(
            logger: logger,
            metrics: WorkerMetrics(),
            follower: NotedReports(reports: reports)
        )
        // Nobody reads what it hears.
        let loop = PublishingLoop { _ in .tombstone }
        startThread(named: "records") { [records, batches, ledgers] in
            let writer = RecordWriter(
                sources: configuration.sources,
                topics: configuration.topics,
                group: "",
                worker: "",
                instance: "life"
            )
            let outlets = RecordOutlets(
                produceLedger: { ledgers.append($0) },
                produce: { batches.append($0) },
                loop: loop,
                observer: observer
            )
            records.run(writer, outlets)
        }
    }

    @Test
    func `the outcome goes out once the ledger's record is confirmed`() async throws {
        records.take([order(1, of: 0)], [], sureUntil: .now + .seconds(60))
        let first = try await ledgers.wait { $0.first }
        #expect(batches.events.isEmpty)
        let ledger = try #require(first.records.first)
        #expect(ledger.partition == 7)
        #expect(ledger.headers == [KafkaHeader(name: "newsflash-writer", text: "life")])
        let place = KafkaDeliveryReport.Place(partition: 7, offset: 3)
        records.take([KafkaDeliveryReport(id: ledger.id, result: .success(place), mayBePersisted: true)])
        let second = try await batches.wait { $0.first }
        #expect(second.outcomes.records.map(\.key) == [Array("story-1".utf8)])
        records.stop()
        #expect(ledgers.events.count == 1)
        #expect(batches.events.count == 1)
    }

    @Test
    func `a partition's records wait for those before them, and go together`() async throws {
        let end = ContinuousClock.now + .seconds(60)
        records.take([order(1, of: 0)], [], sureUntil: end)
        let first = try await ledgers.wait { $0.first?.records.first }
        records.take([order(2, of: 0)], [], sureUntil: end)
        records.take([order(3, of: 0)], [.tombstone(origin)], sureUntil: end)
        records.take([order(4, of: 1, number: 8)], [], sureUntil: end)
        // That of another partition waits for nobody.
        let other = try await ledgers.wait { $0.dropFirst().first }
        #expect(other.records.map(\.partition) == [8])
        let place = KafkaDeliveryReport.Place(partition: 7, offset: 3)
        records.take([KafkaDeliveryReport(id: first.id, result: .success(place), mayBePersisted: true)])
        let next = try await ledgers.wait { $0.dropFirst(2).first }
        #expect(next.records.map(\.key) == [Array("story-2".utf8), Array("story-3".utf8)])
        records.stop()
        #expect(ledgers.events.count == 3)
    }

    @Test
    func `what waits in a ledger's queue is written once it is sure again whose the partitions are`() async throws {
        records.take([order(1, of: 0)], [], sureUntil: .now + .seconds(60))
        let first = try await ledgers.wait { $0.first?.records.first }
        records.take([order(2, of: 0)], [.tombstone(origin)], sureUntil: .now + .seconds(60))
        _ = try await reports.wait { $0.first }
        records.take([], [], sureUntil: .now - .seconds(1))
        let place = KafkaDeliveryReport.Place(partition: 7, offset: 3)
        records.take([KafkaDeliveryReport(id: first.id, result: .success(place), mayBePersisted: true)])
        records.take([], [.tombstone(origin)], sureUntil: .now - .seconds(1))
        _ = try await reports.wait { $0.dropFirst().first }
        #expect(ledgers.events.count == 1)
        records.take([], [], sureUntil: .now + .seconds(60))
        let next = try await ledgers.wait { $0.dropFirst().first }
        #expect(next.records.map(\.key) == [Array("story-2".utf8)])
        records.stop()
    }

    @Test
    func `what waits in the queue of a partition that has left is written, and keeps nothing back that follows`()
        async throws
    {
        let end = ContinuousClock.now + .seconds(60)
        records.take([order(1, of: 0)], [], sureUntil: end)
        _ = try await ledgers.wait { $0.first }
        records.take([order(2, of: 0)], [.tombstone(origin)], sureUntil: end)
        _ = try await reports.wait { $0.first }
        records.forget([PartitionID(0)])
        let second = try await ledgers.wait { $0.dropFirst().first }
        #expect(second.records.map(\.key) == [Array("story-2".utf8)])
        records.take([order(3, of: 0)], [], sureUntil: end)
        let third = try await ledgers.wait { $0.dropFirst(2).first }
        #expect(third.records.map(\.key) == [Array("story-3".utf8)])
        records.stop()
    }

    @Test
    func `what was decided before a standstill is told, and written when it is sure whose the partitions are`()
        async throws
    {
        let past = ContinuousClock.now - .seconds(1)
        records.take([order(1, of: 0)], [.tombstone(origin)], sureUntil: past)
        _ = try await reports.wait { $0.first }
        #expect(ledgers.events.isEmpty)
        records.take([], [], sureUntil: .now + .seconds(60))
        let batch = try await ledgers.wait { $0.first }
        #expect(batch.records.count == 1)
        records.stop()
    }

    @Test
    func `after a standstill orders of a partition that has left are forgotten, those after its return are not`()
        async throws
    {
        let past = ContinuousClock.now - .seconds(1)
        records.take([order(1, of: 0), order(2, of: 1)], [], sureUntil: past)
        records.forget([PartitionID(0)])
        records.take([order(3, of: 0)], [], sureUntil: past)
        records.forget([PartitionID(1)])
        records.take([], [], sureUntil: .now + .seconds(60))
        let batch = try await ledgers.wait { $0.first }
        records.stop()
        #expect(batch.records.map(\.key) == [Array("story-3".utf8)])
        #expect(ledgers.events.count == 1)
    }

    @Test
    func `what was decided before its partition has left is written, and not followed`() async throws {
        records.take([order(1, of: 0)], [], sureUntil: .now + .seconds(60))
        records.forget([PartitionID(0)])
        let ledger = try await ledgers.wait { $0.first?.records.first }
        let place = KafkaDeliveryReport.Place(partition: 7, offset: 3)
        records.take([KafkaDeliveryReport(id: ledger.id, result: .success(place), mayBePersisted: true)])
        records.stop()
        #expect(ledgers.events.count == 1)
        #expect(batches.events.isEmpty)
    }

    @Test
    func `what came before the end is written`() async throws {
        records.take([order(1, of: 0)], [.tombstone(origin)], sureUntil: .now - .seconds(1))
        records.stop()
        #expect(ledgers.events.map(\.records.count) == [1])
        #expect(reports.events.count == 1)
    }

    private let origin = RecordOrigin(partition: SourcePartition(topic: "news", number: 7), offset: 7)

    /// The end of an event, in the ledger and in the outcomes.
    private func order(_ number: UInt64, of partition: Int32, number source: Int32 = 7) -> RecordLoop.Write {
        let event = Desk.event("event-\(number)")
        let story = "story-\(number)"
        var outcome = OutcomeRecord(
            of: event,
            verdict: EventVerdict(.sent),
            origin: origin,
            config: "",
            at: .now()
        )
        outcome.story = story
        let record = StoryRecord(awaiting: event, digest: ContentDigest(of: event), now: .now())
        let order = WriteOrder(
            id: WriteID(number),
            partition: PartitionID(partition),
            ledger: LedgerWrite(story: story, record: record),
            outcome: outcome
        )
        return RecordLoop.Write(order: order, source: SourcePartition(topic: "news", number: source))
    }
}

/// Notes what it hears.
private struct NotedReports: WorkerObserver {
    let reports: EventLog<PublishingReport>

    func heard(_ report: PublishingReport) { reports.append(report) }
}
