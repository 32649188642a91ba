import Kafka
import KafkaTestCluster
import NewsEvents
import StructuredLog
import Testing
import Timestamps

@testable import Publishing
@testable import Worker

/// How what was decided is written down and told; a test stands in for the publishing thread and the broker.
@Suite(.timeLimit(.minutes(1)))
struct RecordDeskTests {
    private var desk: RecordDesk
    private let batches = EventLog<RecordBatch>()
    private let ledgers = EventLog<KafkaRecordBatch>()
    private let rings = EventLog<Void>()
    private var now = Instant.now
    private let reports = EventLog<PublishingReport>()

    init() throws {
        let logger = Logger(label: "", handler: DiscardingLogHandler())
        let configuration = try SoundConfiguration.read()
        let observer = PublishingObserver(
            logger: logger,
            metrics: WorkerMetrics(),
            follower: NotedReports(reports: reports)
        )
        let writer = RecordWriter(
            sources: configuration.sources,
            topics: configuration.topics,
            group: "",
            worker: "",
            instance: "life"
        )
        let outlets = RecordOutlets(
            produceLedger: { [ledgers] in ledgers.append($0) },
            ringForLedgers: { [rings] in rings.append(()) },
            produce: { [batches] in batches.append($0) },
            observer: observer
        )
        desk = RecordDesk(writer, outlets)
    }

    @Test
    mutating func `the outcome goes out once the ledger's record is confirmed`() throws {
        desk.isSure(until: .now + .seconds(60))
        take(order(1, of: 0))
        produceLedgers()
        let ledger = try #require(ledgers.events.first?.records.first)
        #expect(ledger.partition == 7)
        #expect(ledger.headers == [KafkaHeader(name: "newsflash-writer", text: "life")])
        let isTold = desk.layOutSome()
        #expect(!isTold, "nobody is told before the ledger knows")
        let remembered = desk.reported([confirmation(of: ledger)])
        #expect(remembered.remembered == [WriteID(1)])
        #expect(remembered.ended.isEmpty)
        produceOutcomes()
        let outcome = try #require(batches.events.first?.outcomes.records.first)
        #expect(outcome.key == Array("story-1".utf8))
        let ended = desk.reported([confirmation(of: outcome)])
        #expect(ended.ended.map(\.id) == [WriteID(1)])
        #expect(ended.ended.map(\.ledgerOffset) == [3])
        desk.finish()
        #expect(ledgers.events.count == 1)
        #expect(batches.events.count == 1)
    }

    @Test
    mutating func `a partition's records wait for those before them, and go together`() throws {
        desk.isSure(until: .now + .seconds(60))
        take(order(1, of: 0))
        produceLedgers()
        let first = try #require(ledgers.events.first?.records.first)
        take(order(2, of: 0))
        take(order(3, of: 0))
        take(order(4, of: 1, number: 8))
        produceLedgers()
        // That of another partition waits for nobody.
        #expect(ledgers.events.dropFirst().map { $0.records.map(\.partition) } == [[8]])
        _ = desk.reported([confirmation(of: first)])
        produceLedgers()
        #expect(stories(since: 2) == [["story-2", "story-3"]])
    }

    @Test
    mutating func `what waits in a ledger's queue is written once it is sure again whose the partitions are`() throws {
        desk.isSure(until: .now + .seconds(60))
        take(order(1, of: 0))
        produceLedgers()
        let first = try #require(ledgers.events.first?.records.first)
        take(order(2, of: 0))
        desk.isSure(until: .now - .seconds(1))
        _ = desk.reported([confirmation(of: first)])
        produceLedgers()
        #expect(ledgers.events.count == 1)
        desk.isSure(until: .now + .seconds(60))
        produceLedgers()
        #expect(stories(since: 1) == [["story-2"]])
    }

    @Test
    mutating func `what waits for a partition that has left is written, and keeps nothing back`() {
        desk.isSure(until: .now + .seconds(60))
        take(order(1, of: 0))
        produceLedgers()
        take(order(2, of: 0))
        desk.forget([PartitionID(0)])
        produceLedgers()
        #expect(stories(since: 1) == [["story-2"]])
        take(order(3, of: 0))
        produceLedgers()
        #expect(stories(since: 2) == [["story-3"]])
    }

    @Test
    mutating func `after a standstill orders of a partition that has left are forgotten, later ones not`() {
        desk.isSure(until: .now - .seconds(1))
        take(order(1, of: 0))
        take(order(2, of: 1, number: 8))
        produceLedgers()
        desk.forget([PartitionID(0)])
        take(order(3, of: 0))
        desk.forget([PartitionID(1)])
        #expect(ledgers.events.isEmpty)
        desk.isSure(until: .now + .seconds(60))
        produceLedgers()
        #expect(stories(since: 0) == [["story-3"]])
    }

    @Test
    mutating func `what was decided before its partition has left is written, and not followed`() throws {
        desk.isSure(until: .now + .seconds(60))
        take(order(1, of: 0))
        desk.forget([PartitionID(0)])
        produceLedgers()
        let ledger = try #require(ledgers.events.first?.records.first)
        let written = desk.reported([confirmation(of: ledger)])
        #expect(written.isEmpty)
        desk.finish()
        #expect(ledgers.events.count == 1)
        #expect(batches.events.isEmpty)
    }

    @Test
    mutating func `a partition's batches go a moment apart, and the desk says when the next one's turn is`() throws {
        desk.isSure(until: .now + .seconds(60))
        take(order(1, of: 0))
        desk.produceLedgers(now: now)
        let first = try #require(ledgers.events.first?.records.first)
        _ = desk.reported([confirmation(of: first)])
        let next = now + LedgerQueues.shortestMoment
        // Rung for long ago.
        desk.produceLedgers(now: next)
        take(order(2, of: 0))
        desk.produceLedgers(now: next - .microseconds(1))
        #expect(ledgers.events.count == 1)
        #expect(desk.due == next)
        let isMore = desk.layOutSome()
        #expect(isMore, "the first one's outcome")
        desk.produceLedgers(now: next)
        #expect(stories(since: 1) == [["story-2"]])
    }

    @Test
    mutating func `the ledger's producer is rung for once its linger is over`() throws {
        desk.isSure(until: .now + .seconds(60))
        take(order(1, of: 0))
        desk.produceLedgers(now: now)
        let due = try #require(desk.due)
        desk.produceLedgers(now: due - .microseconds(1))
        #expect(rings.events.isEmpty)
        desk.produceLedgers(now: due)
        desk.produceLedgers(now: due + .seconds(1))
        #expect(rings.events.count == 1)
        #expect(desk.due == nil)
    }

    @Test
    mutating func `people are told a little at a time, and all of it at the end`() {
        for _ in 0..<100 { desk.take(.tombstone(origin)) }
        let isMore = desk.layOutSome()
        #expect(isMore)
        let told = reports.events.count
        #expect(told > 0)
        #expect(told < 20, "somebody may wait for a decision")
        desk.finish()
        #expect(reports.events.count == 100)
        let isLeft = desk.layOutSome()
        #expect(!isLeft)
    }

    @Test
    mutating func `people who have waited for long are told in every turn`() {
        for _ in 0..<1000 { desk.take(.tombstone(origin)) }
        desk.produceOutcomes(now: .now)
        let told = reports.events.count
        #expect(told > 0)
        for _ in 0..<20 { desk.produceOutcomes(now: .now) }
        #expect(reports.events.count > told)
        #expect(reports.events.count < 1000, "the rest can wait for a pause")
    }

    @Test
    mutating func `outcomes wait for company, and the desk says when it is to be looked at again`() throws {
        desk.isSure(until: .now + .seconds(60))
        #expect(desk.due == nil)
        take(order(1, of: 0))
        produceLedgers()
        let ledger = try #require(ledgers.events.first?.records.first)
        _ = desk.reported([confirmation(of: ledger)])
        // The producer is rung for.
        produceLedgers()
        let isLaidOut = desk.layOutSome()
        #expect(isLaidOut)
        let now = Instant.now
        desk.produceOutcomes(now: now)
        #expect(batches.events.isEmpty)
        #expect(desk.due == now + OutcomePace.moment)
        desk.produceOutcomes(now: now + OutcomePace.moment)
        #expect(batches.events.count == 1)
        #expect(desk.due == nil)
    }

    @Test
    mutating func `what came before the end is written`() {
        desk.isSure(until: .now - .seconds(1))
        take(order(1, of: 0))
        desk.take(.tombstone(origin))
        desk.finish()
        #expect(ledgers.events.map(\.records.count) == [1])
        #expect(reports.events.count == 1)
    }

    private let origin = RecordOrigin(partition: SourcePartition(topic: "news", number: 7), offset: 7)

    private mutating func take(_ write: (order: WriteOrder, source: SourcePartition)) {
        desk.take(write.order, of: write.source)
    }

    /// Hands over what the ledgers get, long after what they got before.
    private mutating func produceLedgers() {
        now += .seconds(1)
        desk.produceLedgers(now: now)
    }

    /// Lets outcomes go that are ready to.
    private mutating func produceOutcomes() {
        while desk.layOutSome() {}
        let now = Instant.now
        desk.produceOutcomes(now: now)
        desk.produceOutcomes(now: now + OutcomePace.moment)
    }

    /// The stories of batches that the ledgers got.
    private func stories(since place: Int) -> [[String]] {
        ledgers.events.dropFirst(place).map { batch in
            batch.records.map { String(decoding: $0.key ?? [], as: UTF8.self) }
        }
    }

    private func confirmation(of record: KafkaRecord) -> KafkaDeliveryReport {
        let place = KafkaDeliveryReport.Place(partition: 7, offset: 3)
        return KafkaDeliveryReport(id: record.id, result: .success(place), mayBePersisted: true)
    }

    /// The end of an event, in the ledger and in the outcomes.
    private func order(_ number: UInt64, of partition: Int32, number source: Int32 = 7)
        -> (order: WriteOrder, source: SourcePartition)
    {
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
        let record = StoryFacts(awaiting: event, digest: ContentDigest(of: event), now: .now())
        let order = WriteOrder(
            id: WriteID(number),
            partition: PartitionID(partition),
            ledger: LedgerWrite(story: story, record: record),
            outcome: outcome
        )
        return (order, SourcePartition(topic: "news", number: source))
    }
}

/// Notes what it hears.
private struct NotedReports: WorkerObserver {
    let reports: EventLog<PublishingReport>

    func heard(_ report: PublishingReport) { reports.append(report) }
}
