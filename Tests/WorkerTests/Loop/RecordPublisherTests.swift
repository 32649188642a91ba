import NewsflashEvents
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

@testable import NewsflashPublishing
@testable import NewsflashWorker

/// Writing decisions and reporting them. A test acts as the publishing thread and the broker.
@Suite(.timeLimit(.minutes(1)))
struct RecordPublisherTests {
    private var desk: RecordPublisher
    private let batches = EventLog<OutcomeWriter.Batch>()
    private let ledgers = EventLog<KafkaRecordBatch>()
    private let wakes = EventLog<Void>()
    private let reports = EventLog<PublishingReport>()

    init() throws {
        let logger = Logger(label: "", handler: DiscardingLogHandler())
        let configuration = try SoundConfiguration.read()
        let observer = PublishingObserver(
            logger: logger,
            metrics: WorkerMetrics(),
            follower: NotedReports(reports: reports)
        )
        let ledgerWriter = LedgerWriter(sources: configuration.sources, group: "", instance: "life") { [ledgers] in
            ledgers.append($0)
        }
        let outcomeWriter = OutcomeWriter(topics: configuration.topics, group: "", worker: "")
        let sinks = RecordSinks(
            wakeLedgers: { [wakes] in wakes.append(()) },
            produce: { [batches] in batches.append($0) },
            observer: observer
        )
        desk = RecordPublisher(ledgerWriter, outcomeWriter, sinks)
    }

    @Test
    mutating func `a ledger batch is written at once, and its offsets are returned`() throws {
        desk.isSure(until: .now + .seconds(60))
        write(batch(1, of: 0))
        let written = try #require(ledgers.events.first).records
        #expect(written.map(\.partition) == [7, 7, 7])
        #expect(written.map(\.headers).allSatisfy { $0 == [KafkaHeader(name: "newsflash-writer", text: "life")] })
        #expect(stories == [[LedgerOwner.key, "story-1", "gone-1"]])
        #expect(written.map { $0.value == nil } == [false, false, true])
        for record in written.dropLast() {
            #expect(desk.reported([confirmation(of: record)]).ledger.isEmpty, "not all records are confirmed")
        }
        let results = desk.reported(written.suffix(1).map { confirmation(of: $0, at: 5) }).ledger
        #expect(results.map(\.id) == [WriteID(1)])
        #expect(results.map(\.partition) == [PartitionID(0)])
        #expect(try results.map { try $0.result.get() } == [[3, 3, 5]])
    }

    @Test(
        arguments: [
            .failure(KafkaError(.messageTooLarge, "too large")),
            .success(KafkaDeliveryReport.Place(partition: 7, offset: -1)),
        ] as [Result<KafkaDeliveryReport.Place, KafkaError>]
    )
    mutating func `a batch with a failed record or an unknown offset is reported as failed once`(
        result: Result<KafkaDeliveryReport.Place, KafkaError>
    ) throws {
        desk.isSure(until: .now + .seconds(60))
        write(batch(1, of: 0))
        let written = try #require(ledgers.events.first).records
        let reports = written.enumerated().map { index, record in
            index == 1
                ? KafkaDeliveryReport(id: record.id, result: result, mayBePersisted: false) : confirmation(of: record)
        }
        let results = desk.reported(reports).ledger
        #expect(results.count == 1)
        #expect(throws: WriteFailure.self) { try results.first?.result.get() }
        #expect(desk.reported(reports).ledger.isEmpty)
    }

    @Test
    mutating func `a decision from before a suspension is not written to a ledger`() {
        desk.isSure(until: .now - .seconds(1))
        let failure = desk.write(batch(1, of: 0), of: source)
        #expect(failure != nil, "the core makes another batch")
        #expect(ledgers.events.isEmpty)
        #expect(!desk.isSure)
        desk.isSure(until: .now + .seconds(60))
        #expect(desk.isSure)
        write(batch(2, of: 0))
        #expect(stories == [[LedgerOwner.key, "story-2", "gone-2"]])
    }

    @Test
    mutating func `the results of a revoked partition's batch are ignored, later ones are not`() throws {
        desk.isSure(until: .now + .seconds(60))
        write(batch(1, of: 0))
        write(batch(2, of: 1))
        desk.forget([PartitionID(0)])
        let written = ledgers.events.flatMap(\.records)
        #expect(desk.reported(written.map { confirmation(of: $0) }).ledger.map(\.id) == [WriteID(2)])
        write(batch(3, of: 0))
        let later = try #require(ledgers.events.last).records
        #expect(desk.reported(later.map { confirmation(of: $0) }).ledger.map(\.id) == [WriteID(3)])
    }

    @Test
    mutating func `outcomes of a revoked partition are discarded, later ones are not`() throws {
        desk.add(end(1, of: 0))
        desk.add(end(2, of: 1))
        desk.forget([PartitionID(0)])
        desk.add(end(3, of: 0))
        desk.finish()
        let written = try #require(batches.events.first).outcomes.records
        #expect(written.map { String(decoding: $0.key ?? [], as: UTF8.self) } == ["story-2", "story-3"])
        #expect(batches.events.count == 1)
    }

    @Test
    mutating func `a confirmed outcome is finished, and a failed one is written again`() throws {
        desk.add(end(1, of: 0))
        produceOutcomes()
        let outcome = try #require(batches.events.first?.outcomes.records.first)
        #expect(outcome.key == Array("story-1".utf8))
        let failure = KafkaDeliveryReport(
            id: outcome.id,
            result: .failure(KafkaError(.messageTimedOut, "too late")),
            mayBePersisted: true
        )
        let failed = desk.reported([failure])
        #expect(failed.outcomes.map(\.id) == [WriteID(1)])
        #expect(failed.outcomes.first?.failure != nil)
        desk.add(end(1, of: 0))
        produceOutcomes()
        let again = try #require(batches.events.last?.outcomes.records.first)
        #expect(batches.events.count == 2)
        let ended = desk.reported([confirmation(of: again)])
        #expect(ended.outcomes.map(\.id) == [WriteID(1)])
        #expect(ended.outcomes.first?.failure == nil)
        #expect(ended.ledger.isEmpty)
        desk.finish()
        #expect(batches.events.count == 2)
    }

    @Test
    mutating func `the ledger's producer is woken once its linger is over`() throws {
        desk.isSure(until: .now + .seconds(60))
        write(batch(1, of: 0))
        let due = try #require(desk.due)
        desk.wakeLedgers(now: due - .microseconds(1))
        #expect(wakes.events.isEmpty)
        desk.wakeLedgers(now: due)
        desk.wakeLedgers(now: due + .seconds(1))
        #expect(wakes.events.count == 1)
        #expect(desk.due == nil)
    }

    @Test
    mutating func `reports are logged a few at a time, and all of them at the end`() {
        for _ in 0..<100 { desk.add(.tombstone(origin)) }
        let isMore = desk.layOutSome()
        #expect(isMore)
        let told = reports.events.count
        #expect(told > 0)
        #expect(told < 20, "a decision may be waiting")
        desk.finish()
        #expect(reports.events.count == 100)
        let isLeft = desk.layOutSome()
        #expect(!isLeft)
    }

    @Test
    mutating func `overdue reports are logged in every turn`() {
        for _ in 0..<1000 { desk.add(.tombstone(origin)) }
        desk.produceOutcomes(now: .now)
        let told = reports.events.count
        #expect(told > 0)
        for _ in 0..<20 { desk.produceOutcomes(now: .now) }
        #expect(reports.events.count > told)
        #expect(reports.events.count < 1000, "the rest can wait for a pause")
    }

    @Test
    mutating func `outcomes are batched, and the desk returns the time when the batch is due`() {
        #expect(desk.due == nil)
        desk.add(end(1, of: 0))
        let isLaidOut = desk.layOutSome()
        #expect(isLaidOut)
        let now = Instant.now
        desk.produceOutcomes(now: now)
        #expect(batches.events.isEmpty)
        #expect(desk.due == now + OutcomeBatcher.moment)
        desk.produceOutcomes(now: now + OutcomeBatcher.moment)
        #expect(batches.events.count == 1)
        #expect(desk.due == nil)
    }

    @Test
    mutating func `reports on ledger and control records do not release further outcomes`() throws {
        desk.isSure(until: .now + .seconds(60))
        write(batch(1, of: 0))
        desk.add(end(2, of: 0))
        produceOutcomes()
        let first = try #require(batches.events.first?.outcomes.records.first)
        let others = try #require(ledgers.events.first).records.map { confirmation(of: $0) }
        desk.add(end(3, of: 0))
        let place = KafkaDeliveryReport.Place(partition: 0, offset: 1)
        _ = desk.reported(others + [KafkaDeliveryReport(id: 0, result: .success(place), mayBePersisted: true)])
        produceOutcomes()
        #expect(batches.events.count == 1)
        _ = desk.reported([confirmation(of: first)])
        produceOutcomes()
        #expect(batches.events.count == 2)
    }

    @Test
    mutating func `outcomes and reports from before the end are written`() {
        desk.add(end(1, of: 0))
        desk.add(.tombstone(origin))
        desk.finish()
        #expect(batches.events.map(\.outcomes.count) == [1])
        #expect(reports.events.count == 1)
    }

    private let origin = RecordOrigin(partition: TopicPartition(topic: "news", partition: 7), offset: 7)
    private let source = TopicPartition(topic: "news", partition: 7)

    /// Writes a batch while ownership of the partition is sure.
    private mutating func write(_ batch: LedgerBatch) {
        let failure = desk.write(batch, of: source)
        #expect(failure == nil)
    }

    /// Writes the outcomes that are ready.
    private mutating func produceOutcomes() {
        while desk.layOutSome() {}
        let now = Instant.now
        desk.produceOutcomes(now: now)
        desk.produceOutcomes(now: now + OutcomeBatcher.moment)
    }

    /// The keys of the batches that were written to the ledgers.
    private var stories: [[String]] {
        ledgers.events.map { batch in batch.records.map { String(decoding: $0.key ?? [], as: UTF8.self) } }
    }

    private func confirmation(of record: KafkaRecord, at offset: Int64 = 3) -> KafkaDeliveryReport {
        let place = KafkaDeliveryReport.Place(partition: 7, offset: offset)
        return KafkaDeliveryReport(id: record.id, result: .success(place), mayBePersisted: true)
    }

    /// A batch that names the owner, has the facts of one story, and forgets another.
    private func batch(_ number: UInt64, of partition: Int32) -> LedgerBatch {
        let event = Desk.event("event-\(number)")
        let facts = StoryFacts(awaiting: event, digest: ContentDigest(of: event), now: .now())
        return LedgerBatch(
            id: WriteID(number),
            partition: PartitionID(partition),
            writes: [
                .owner(LedgerOwner(hasLeft: false, isSettled: false, hubs: [:])), .facts(facts, of: "story-\(number)"),
                .forgotten("gone-\(number)"),
            ]
        )
    }

    /// The outcome of an event.
    private func end(_ number: UInt64, of partition: Int32) -> OutcomeWrite {
        var outcome = OutcomeRecord(
            of: Desk.event("event-\(number)"),
            verdict: EventVerdict(.sent),
            origin: origin,
            config: "",
            at: .now()
        )
        outcome.story = "story-\(number)"
        return OutcomeWrite(id: WriteID(number), partition: PartitionID(partition), outcome: outcome)
    }
}

/// Records the reports.
private struct NotedReports: WorkerObserver {
    let reports: EventLog<PublishingReport>

    func received(_ report: PublishingReport) { reports.append(report) }
}
