import HTTPTransport
import Kafka
import KafkaTestCluster
import NewsEvents
import Publishing
import StructuredLog
import TestSupport
import Testing
import Threads
import Timestamps

@testable import Worker

/// A publishing loop without Kafka and without a hub: a test answers for both.
final class LoopStage: Sendable {
    let loop = PublishingLoop { _ in .tombstone }
    /// The requests that went out.
    let requests = EventLog<HTTPExchange>()
    /// How many went together each time.
    let starts = EventLog<Int>()
    /// The requests that were ended.
    let cancelled = EventLog<UInt64>()
    /// What was to be written.
    let batches = EventLog<RecordBatch>()
    let ledgers = EventLog<KafkaRecordBatch>()
    let observer: PublishingObserver

    /// Starts the loop's thread.
    ///
    /// - Parameters:
    ///   - waiting: The events that wait in the ledger of each partition; without any, no ledger is ever restored.
    ///   - confirmed: When the group was heard last to count us in; asked on the loop's thread in every turn.
    /// - Throws: Where configuration or secret are not sound.
    init(
        waiting: [NewsEvent] = [],
        confirmed: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) throws {
        let logger = Logger(label: "", handler: DiscardingLogHandler())
        let connection = "Endpoint=sb://a.b/;SharedAccessKeyName=c;SharedAccessKey=a2V5"
        let configuration = try SoundConfiguration.read(
            environment: ["NEWSFLASH_HUB_CONNECTION_STRING": connection]
        )
        let hub = try HubGateway(configuration.hub, logger: logger)
        let metrics = WorkerMetrics(hubs: ["newsroom"])
        let observer = PublishingObserver(logger: logger, metrics: metrics, follower: nil)
        self.observer = observer
        startThread(named: "publishing") { [loop, requests, starts, cancelled, batches, ledgers] in
            let outlets = Outlets(
                hubs: [hub],
                replies: metrics.hubs.map { HubReplies(loop, $0) },
                transport: NotedTransport(requests: requests, starts: starts, cancelled: cancelled),
                ledger: WaitingLedger(loop: loop, waiting: waiting),
                commit: { _ in },
                control: { _ in },
                flow: { _ in },
                membershipConfirmed: confirmed,
                sessionTimeout: .seconds(10),
                observer: observer
            )
            let core = PublishingCore(
                configuration: configuration.core,
                planner: EventPlanner(configuration),
                seed: 1
            )
            let writer = RecordWriter(
                sources: configuration.sources,
                topics: configuration.topics,
                group: "",
                worker: "",
                instance: ""
            )
            let recordOutlets = RecordOutlets(
                produceLedger: { ledgers.append($0) },
                ringForLedgers: {},
                produce: { batches.append($0) },
                observer: observer
            )
            let desk = RecordDesk(writer, recordOutlets)
            loop.run(PublishingEdge(core: core, outlets: outlets, records: desk))
        }
    }

    /// Answers requests, all at once, as a hub that takes them.
    func accept(_ requests: [HTTPExchange]) {
        loop.receive(
            requests.map { HTTPExchangeResult(id: $0.id, result: .success(HTTPResponse(status: 201))) }
        )
    }

    /// The partitions that are ours once the loop has taken up all that waits for it and has ended.
    func partitionsAtEnd() async throws -> [SourcePartition]? {
        try await onThread { self.loop.stop() }
        return observer.snapshot.status?.partitions.map(\.source)
    }

    /// The holds in force once the loop has taken up all that waits for it and has ended.
    func holdsAtEnd() async throws -> [ControlRecord]? {
        try await onThread { self.loop.stop() }
        return observer.snapshot.status?.sourceHolds
    }
}

/// Restores events that wait, or nothing ever.
private struct WaitingLedger: LedgerReading {
    let loop: PublishingLoop
    let waiting: [NewsEvent]

    var emptyTable: StoryLedgerTable { StoryLedgerTable(byteLimit: 0) }

    func restore(_ source: SourcePartition, as id: PartitionID, assignment: UInt32) {
        guard !waiting.isEmpty else { return }
        loop.restored(
            RestoredLedger(
                partition: id,
                assignment: assignment,
                stories: emptyTable,
                waiting: waiting.enumerated().map { story(of: $1, at: Int64($0), in: id) }
            )
        )
    }

    private func story(
        of waiting: NewsEvent,
        at offset: Int64,
        in partition: PartitionID
    ) -> (name: String, record: StoryFacts, ledgerOffset: Int64, events: [IncomingRecord]) {
        let now = Timestamp.now()
        var record = StoryFacts(awaiting: waiting, digest: ContentDigest(of: waiting), now: now)
        record.waiting = [
            StoryFacts.Waiting(
                offset: offset,
                timestamp: now,
                consumedAt: now,
                until: nil,
                reason: .retry,
                attempts: 1,
                key: nil,
                value: [],
                headers: []
            )
        ]
        let event = IncomingRecord(
            partition: partition,
            offset: offset,
            timestamp: now,
            content: .event(waiting, warnings: []),
            original: RecordCopy(key: nil, value: [], headers: [])
        )
        return (waiting.story, record, offset, [event])
    }

    func stop(_ sources: [SourcePartition]) {}
    func recall(_ order: RecallOrder, of source: SourcePartition) {}
    func timePassed(now: Instant) {}
}

/// Notes what it is asked for; a test answers.
private struct NotedTransport: HTTPTransport {
    let requests: EventLog<HTTPExchange>
    let starts: EventLog<Int>
    let cancelled: EventLog<UInt64>

    func start(_ exchanges: [HTTPExchange], receiver: any HTTPResultReceiver) {
        starts.append(exchanges.count)
        for exchange in exchanges { requests.append(exchange) }
    }

    func cancel(_ ids: [UInt64], receiver: any HTTPResultReceiver) {
        for id in ids { cancelled.append(id) }
    }
}
