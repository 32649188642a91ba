import NewsflashBasics
import NewsflashEvents
import NewsflashHTTPTransport
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashPlanning
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

@testable import NewsflashWorker

/// A publishing thread without Kafka and without a hub. A test acts as both.
final class LoopStage: Sendable {
    let inbox = PublishingInbox()
    let thread: PublishingThread
    /// The sent requests.
    let requests = EventLog<HTTPExchange>()
    /// The number of requests that were sent together each time.
    let starts = EventLog<Int>()
    /// The cancelled requests.
    let cancelled = EventLog<UInt64>()
    /// The URLs for whose servers connections were renewed.
    let renewed = EventLog<String>()
    /// The batches to write.
    let batches = EventLog<OutcomeWriter.Batch>()
    /// The batches with facts of stories. A batch with an owner record only is confirmed at once.
    let ledgers = EventLog<KafkaRecordBatch>()
    let observer: PublishingObserver

    /// Prepares the thread, and usually starts it.
    ///
    /// - Parameters:
    ///   - waiting: The events that wait in the ledger of each partition; if empty, no ledger is ever restored.
    ///   - isStarted: Whether the thread runs.
    ///   - confirmed: The time of the last confirmed membership; called on the publishing thread in every turn.
    /// - Throws: An error if the configuration or the secret is invalid.
    init(
        waiting: [NewsEvent] = [],
        isStarted: Bool = true,
        confirmed: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) throws {
        let logger = Logger(label: "", handler: DiscardingLogHandler())
        let connection = "Endpoint=sb://a.b/;SharedAccessKeyName=c;SharedAccessKey=a2V5"
        let configuration = try SoundConfiguration.read(
            environment: ["NEWSFLASH_HUB_CONNECTION_STRING": connection]
        )
        let hub = try HubSender(configuration.hub, logger: logger)
        let metrics = WorkerMetrics(hubs: ["newsroom"])
        let observer = PublishingObserver(logger: logger, metrics: metrics, follower: nil)
        self.observer = observer
        thread = PublishingThread(inbox) { [inbox, requests, starts, cancelled, renewed, batches, ledgers] in
            let environment = PublishingEnvironment(
                hubs: [hub],
                replies: metrics.hubs.map { HubReplies(inbox, $0) },
                transport: NotedTransport(requests: requests, starts: starts, cancelled: cancelled, renewed: renewed),
                ledger: WaitingLedger(inbox: inbox, waiting: waiting),
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
            let ledgerWriter = LedgerWriter(sources: configuration.sources, group: "", instance: "") { batch in
                if batch.isOfOwner { inbox.post(.delivered(batch.confirmations)) } else { ledgers.append(batch) }
            }
            let outcomeWriter = OutcomeWriter(topics: configuration.topics, group: "", worker: "")
            let sinks = RecordSinks(wakeLedgers: {}, produce: { batches.append($0) }, observer: observer)
            let records = RecordPublisher(ledgerWriter, outcomeWriter, sinks)
            return PublishingRunner(core: core, environment: environment, records: records)
        }
        if isStarted { try thread.start() }
    }

    /// Answers requests, all at once, like a hub that accepts them.
    func accept(_ requests: [HTTPExchange]) { answer(requests, 201) }

    /// Answers requests with a status, all at once.
    func answer(_ requests: [HTTPExchange], _ status: Int) {
        inbox.receive(
            requests.map { HTTPExchangeResult(id: $0.id, result: .success(HTTPResponse(status: status))) }
        )
    }

    /// The owned partitions after the thread has processed all that waits for it and has ended.
    func partitionsAtEnd() async throws -> [TopicPartition]? {
        try await onThread { self.thread.stop() }
        return observer.snapshot.status?.partitions.map(\.source)
    }

    /// The pauses in force after the thread has processed all that waits for it and has ended.
    func holdsAtEnd() async throws -> [ControlRecord]? {
        try await onThread { self.thread.stop() }
        return observer.snapshot.status?.pauses
    }
}

extension KafkaRecordBatch {
    /// Whether it contains owner records only.
    fileprivate var isOfOwner: Bool { records.allSatisfy { $0.key == Array(LedgerOwner.key.utf8) } }

    /// Delivery reports of a broker that has stored all records.
    fileprivate var confirmations: [KafkaDeliveryReport] {
        records.map { record in
            let place = KafkaDeliveryReport.Place(partition: record.partition ?? 0, offset: 1000)
            return KafkaDeliveryReport(id: record.id, result: .success(place), mayBePersisted: true)
        }
    }
}

/// Restores waiting events; without any, it never restores a partition.
private struct WaitingLedger: LedgerReading {
    let inbox: PublishingInbox
    let waiting: [NewsEvent]

    func restore(_ source: TopicPartition, as id: PartitionID, assignment: UInt32) {
        guard !waiting.isEmpty else { return }
        inbox.post(
            .restored(
                RestoredLedger(
                    partition: id,
                    assignment: assignment,
                    stories: StoryIndex(byteLimit: 0),
                    waiting: waiting.indices.map { index in
                        RestoredLedger.WaitingStory(
                            key: StoryIndex.Key(waiting[index].story),
                            ledgerOffset: Int64(index),
                            events: facts(of: index).waiting
                        )
                    }
                )
            )
        )
    }

    func recall(_ order: RecallRequest, of source: TopicPartition) {
        guard case .ledger(let offset) = order.place else { return }
        let event = waiting[Int(offset)]
        let record = IncomingRecord(
            partition: order.partition,
            offset: offset,
            timestamp: .now(),
            content: .event(event, warnings: []),
            original: RecordCopy(key: nil, value: [], headers: [])
        )
        inbox.post(
            .recalled(
                RecalledRecord(id: order.id, story: event.story, facts: facts(of: Int(offset)), events: [record])
            )
        )
    }

    /// The facts of the story of a waiting event; its offset is its index in the list.
    private func facts(of index: Int) -> StoryFacts {
        let now = Timestamp.now()
        let offset = Int64(index)
        var facts = StoryFacts(awaiting: waiting[index], digest: ContentDigest(of: waiting[index]), now: now)
        facts.waiting = [
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
        return facts
    }

    func stop(_ sources: [TopicPartition]) {}
    func timePassed(now: Instant) {}
}

/// Records the requests; a test answers them.
private struct NotedTransport: HTTPTransport {
    let requests: EventLog<HTTPExchange>
    let starts: EventLog<Int>
    let cancelled: EventLog<UInt64>
    let renewed: EventLog<String>

    func renewConnections(to url: String) { renewed.append(url) }

    func start(_ exchanges: [HTTPExchange], receiver: any HTTPResultReceiver) {
        starts.append(exchanges.count)
        for exchange in exchanges { requests.append(exchange) }
    }

    func cancel(_ ids: [UInt64], receiver: any HTTPResultReceiver) {
        for id in ids { cancelled.append(id) }
    }
}
