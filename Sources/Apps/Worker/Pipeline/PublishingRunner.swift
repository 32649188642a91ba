import Dispatch
import NewsflashBasics
import NewsflashEvents
import NewsflashHTTPTransport
package import NewsflashKafka
package import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions

/// Performs the requests of the publishing core; owned by the publishing thread.
struct PublishingRunner: ~Copyable {
    var core: PublishingCore
    let environment: PublishingEnvironment
    private var records: RecordPublisher
    private var drains: [PublishingInbox.Drain] = []
    private var partings: [Parting] = []
    /// Records that the core has not received, in the batches in which they came.
    private var unread = RingQueue<[DecodedRecord]>()
    /// The number of records of the first batch that the core has received.
    private var taken = 0
    /// Hubs whose circuits opened after their connections were renewed.
    private var hubsToRenew: Set<Int> = []
    /// Whether work on a partition has started since the status was published.
    private var hasBegunPartition = false
    /// The number of records passed to the core at once: a fraction of a millisecond.
    private static let sliceLength = 32
    /// The partition of the latest message; the next one usually has the same.
    private var latest: (partition: TopicPartition, id: PartitionID)?

    init(core: consuming PublishingCore, environment: PublishingEnvironment, records: consuming RecordPublisher) {
        self.core = core
        self.environment = environment
        self.records = records
        // New rules are compared with the decisions made before they were read.
        self.core.keepsSamples = true
    }

    /// When the thread must run again without new input.
    mutating func nextTimer(now: Moment) -> Instant? {
        var due = core.nextTimer(now: now)
        for drain in drains { due = min(due ?? drain.deadline, drain.deadline) }
        for parting in partings { due = min(due ?? parting.deadline, parting.deadline) }
        if let soon = records.due { due = min(due ?? soon, soon) }
        return due
    }

    /// Whether requests of lost partitions are still in flight.
    var isParting: Bool { !partings.isEmpty }

    /// The latest confirmation of the consumer's membership; the current time while it waits for our response.
    var membershipConfirmed: ContinuousClock.Instant { drains.isEmpty ? environment.membershipConfirmed() : .now }

    // MARK: - Inputs

    /// Adopts partitions: their ledgers are read first.
    mutating func assign(_ partitions: [TopicPartition]) {
        for source in partitions where !isToWait(source) {
            let id = core.partition(source)
            let assignment = core.assign(id, now: .now())
            if core.configuration.keepsLedger {
                environment.ledger.restore(source, as: id, assignment: assignment)
            } else {
                let empty = StoryIndex(byteLimit: core.configuration.storyMemoryBytes)
                core.restored(RestoredLedger(partition: id, assignment: assignment, stories: empty), now: .now())
            }
        }
    }

    /// Whether a newly assigned partition is still parting; it is then adopted after that.
    private mutating func isToWait(_ source: TopicPartition) -> Bool {
        guard let index = partings.firstIndex(where: { $0.partitions.contains(source) }) else { return false }
        partings[index].returning.append(source)
        return true
    }

    /// Queues records for the core, which receives a few at a time, so that responses do not wait long.
    mutating func keep(_ records: [DecodedRecord]) {
        unread.append(records)
    }

    /// Whether records wait for the core.
    var hasUnread: Bool { !unread.isEmpty }

    /// Passes the next few records to the core.
    ///
    /// - Returns: Whether there were any.
    @discardableResult
    mutating func receiveSlice(now: Moment) -> Bool {
        guard let batch = unread.first else { return false }
        let end = min(taken + Self.sliceLength, batch.count)
        receive(batch[taken..<end], now: now)
        taken = end
        if end == batch.count {
            taken = 0
            _ = unread.popFirst()
        }
        return true
    }

    /// Passes all records to the core.
    mutating func receiveAll(now: Moment) {
        while hasUnread { receiveSlice(now: now) }
    }

    private mutating func receive(_ batch: some Collection<DecodedRecord>, now: Moment) {
        var records: [IncomingRecord] = []
        records.reserveCapacity(batch.count)
        for record in batch {
            records.append(
                IncomingRecord(
                    partition: id(of: record.message.topicPartition),
                    offset: record.message.offset,
                    timestamp: record.message.timestamp,
                    content: record.content,
                    digest: record.digest,
                    original: record.message
                )
            )
        }
        core.receive(records, now: now)
    }

    /// Passes records found ahead of the consumer to the core.
    mutating func receiveAhead(_ batch: [IncomingAhead], now: Moment) {
        let records = batch.map { record in
            IncomingRecord(
                partition: core.partition(record.partition),
                offset: record.offset,
                timestamp: record.timestamp,
                content: record.content,
                original: record.original
            )
        }
        core.receiveAhead(records, now: now)
    }

    private mutating func id(of partition: TopicPartition) -> PartitionID {
        if let latest, latest.partition == partition { return latest.id }
        let id = core.partition(partition)
        latest = (partition, id)
        return id
    }

    /// Receives delivery reports.
    mutating func delivered(_ deliveries: [KafkaDeliveryReport], now: Moment) {
        let results = records.reported(deliveries)
        core.ledgerWritten(results.ledger, now: now)
        core.outcomesWritten(results.outcomes, now: now)
    }

    mutating func begin(_ drain: PublishingInbox.Drain, now: Moment) {
        // Requests in flight at this limit are recorded as possibly accepted, which takes a moment.
        let limit = drain.deadline - min(.seconds(2), (drain.deadline - now.instant) / 4)
        core.beginDraining(drain.partitions.map { core.partition($0) }, waitingUntil: limit, now: now)
        drains.append(drain)
    }

    mutating func overwritten(_ overwrite: LedgerOverwrite, now: Moment) {
        let partition = core.partition(overwrite.source)
        guard let record = overwrite.record else { return core.ownerOverwritten(in: partition) }
        core.overwritten(by: record, in: partition, now: now)
    }

    /// Responds to the consumer's thread when its partitions are drained or the deadline has passed; also ends partings.
    mutating func answerDrains(now: Moment) {
        endPartings(now: now)
        guard !drains.isEmpty else { return }
        let over = drains.filter { drain in
            core.isDrained(drain.partitions.map { core.partition($0) }) || drain.deadline <= now.instant
        }
        guard !over.isEmpty else { return }
        drains.removeAll { drain in over.contains { $0 === drain } }
        for drain in over {
            let ids = drain.partitions.map { core.partition($0) }
            var offsets = core.leave(ids, now: now)
            writeLedgers()
            records.forget(ids)
            // A partition that was lost before may have progressed at another worker.
            for parting in partings { for lost in parting.partitions { offsets[lost] = nil } }
            drain.offsets.withLock { $0 = offsets }
            drain.answered.signal()
            environment.ledger.stop(drain.partitions)
        }
    }

    /// Abandons lost partitions, which others may own already. Pending drain requests for them are discarded, because the
    /// partitions may be reassigned to us later.
    ///
    /// - Parameters:
    ///   - partitions: The lost partitions.
    ///   - isFresh: Whether they were lost just now. Then responses to requests in flight are awaited: they are in the ledger
    ///     before the next owner has read it, which avoids repeated pushes.
    ///   - now: The current time.
    mutating func lose(_ partitions: [TopicPartition], isFresh: Bool, now: Moment) {
        let lost = Set(partitions)
        drains.removeAll { !lost.isDisjoint(with: $0.partitions) }
        for index in partings.indices { partings[index].returning.removeAll { lost.contains($0) } }
        let parting = partitions.filter { source in !partings.contains { $0.partitions.contains(source) } }
        environment.ledger.stop(partitions)
        // Without a ledger the responses could not be passed on.
        guard isFresh, core.configuration.keepsLedger else { return leave(parting) }
        let limit = now.instant + Parting.longest * 3 / 4
        core.beginDraining(parting.map { core.partition($0) }, waitingUntil: limit, isLost: true, now: now)
        partings.append(Parting(partitions: parting, deadline: now.instant + Parting.longest))
        endPartings(now: now)
    }

    private mutating func endPartings(now: Moment) {
        let over = partings.filter { parting in
            parting.deadline <= now.instant || core.isDrained(parting.partitions.map { core.partition($0) })
        }
        guard !over.isEmpty else { return }
        partings.removeAll { parting in over.contains { $0.partitions == parting.partitions } }
        for parting in over {
            leave(parting.partitions)
            assign(parting.returning)
        }
    }

    private mutating func leave(_ partitions: [TopicPartition]) {
        let ids = partitions.map { core.partition($0) }
        _ = core.leave(ids, now: .now())
        writeLedgers()
        records.forget(ids)
    }

    // MARK: - Actions

    /// Performs the core's requests in batches; sends first, because they are urgent.
    ///
    /// - Parameters:
    ///   - receiver: Receives requests that cannot be made.
    ///   - end: The time after which nothing may begin, because our partitions may then belong to another worker.
    mutating func perform(receiver: PublishingInbox, notAfter end: ContinuousClock.Instant) {
        // By hub index; most turns send nothing.
        var exchanges: [[HTTPExchange]] = []
        records.isSure(until: end)
        let actions = core.dequeueActions()
        // Before any effect of the decisions is visible.
        let samples = core.dequeueSamples()
        if !samples.isEmpty { environment.samples(samples) }
        for action in actions {
            switch action {
            case .send(let order) where !core.isInFlight(order.id):
                // Its partition was revoked after the decision.
                core.abandon(order.id)
            case .send(let order):
                switch environment.hubs[order.hub].request(for: order) {
                case .success(let request):
                    if exchanges.isEmpty { exchanges = Array(repeating: [], count: environment.hubs.count) }
                    // A probe has no record.
                    let isProbe = order.place == nil
                    if isProbe, hubsToRenew.remove(order.hub) != nil {
                        environment.transport.renewConnections(to: request.url)
                    }
                    exchanges[order.hub].append(
                        HTTPExchange(id: order.id.number, request: request, notAfter: end, isProbe: isProbe)
                    )
                case .failure(let error): receiver.refuse(order.id, error)
                }
            case .reloadCredentials:
                for hub in environment.hubs { hub.reload() }
            case .cancel(let ids):
                environment.cancel(ids.map(\.number))
            case .writeLedger, .writeOutcome, .recall, .readLedgerAgain, .flow, .commit, .control, .report:
                break
            }
        }
        for hub in exchanges.indices where !exchanges[hub].isEmpty {
            environment.transport.start(exchanges[hub], receiver: environment.replies[hub])
        }
        for action in actions {
            switch action {
            case .writeLedger(let batch):
                write(batch)
            case .writeOutcome(let write) where core.isAwaited(write.id):
                records.add(write)
            case .recall(let order):
                environment.ledger.recall(order, of: core.source(of: order.partition))
            case .readLedgerAgain(let partition, let assignment):
                environment.ledger.restore(core.source(of: partition), as: partition, assignment: assignment)
            case .flow(let partition):
                hasBegunPartition = true
                environment.flow(core.source(of: partition))
            case .commit(let offsets):
                environment.commit(offsets)
            case .control(let order):
                environment.control(order)
            case .report(let report):
                if case .circuitOpened(_, let name) = report,
                    let hub = environment.hubs.firstIndex(where: { $0.label == name })
                {
                    hubsToRenew.insert(hub)
                }
                environment.observer.record(report)
                records.add(report)
            case .send, .reloadCredentials, .cancel, .writeOutcome:
                break
            }
        }
    }

    /// Writes changed facts to the ledgers. Facts that changed together are written together.
    ///
    /// - Parameter end: The time until which we surely own our partitions.
    mutating func recordFacts(notAfter end: ContinuousClock.Instant) {
        records.isSure(until: end)
        records.wakeLedgers(now: .now)
        guard records.isSure else { return }
        core.recordFacts(now: .now())
        writeLedgers()
    }

    /// Writes the batches that the core has made.
    private mutating func writeLedgers() {
        var others: [PublishingAction] = []
        for action in core.dequeueActions() {
            if case .writeLedger(let batch) = action { write(batch) } else { others.append(action) }
        }
        core.putBack(others)
    }

    private mutating func write(_ batch: LedgerBatch) {
        guard let failure = records.write(batch, of: core.source(of: batch.partition)) else { return }
        let result = LedgerResult(id: batch.id, partition: batch.partition, result: .failure(failure))
        core.ledgerWritten([result], now: .now())
    }

    /// Produces outcomes that are due.
    mutating func produceOutcomes(now: Moment) {
        records.produceOutcomes(now: now.instant)
    }

    /// Does a little deferrable work: encodes outcomes and reports.
    ///
    /// - Returns: Whether there was work, so that there may be more.
    mutating func doWhatCanWait(now: Moment) -> Bool {
        if let due = records.due, due <= now.instant { return false }
        return records.layOutSome()
    }

    /// Writes and reports everything that was decided.
    mutating func finish() {
        records.finish()
    }

    mutating func publishStatus(now: Moment, atOnce: Bool) {
        environment.observer.turned(
            core,
            at: now,
            hasTakenAll: !hasUnread,
            publishingAtOnce: atOnce || hasBegunPartition
        )
        hasBegunPartition = false
    }
}

/// Partitions that were lost while their requests were in flight.
private struct Parting {
    /// Long enough for a responsive hub. The next owner also finds later records.
    static let longest = Duration.seconds(2)

    var partitions: [TopicPartition]
    /// When their requests are abandoned.
    var deadline: Instant
    /// Partitions that were assigned again meanwhile.
    var returning: [TopicPartition] = []
}

extension KafkaMessage: OriginalRecord {
    package func copy() -> RecordCopy {
        RecordCopy(
            key: key,
            value: value ?? [],
            headers: headers.map { StoryFacts.Waiting.Header(name: $0.name, value: $0.value) }
        )
    }

    package var traceparent: TraceParent? {
        headers.last { $0.name == TraceParent.header }?.value.flatMap { TraceParent($0) }
    }
}

/// A record of the source with its decoded content, as the consumer's thread posts it.
struct DecodedRecord: Sendable {
    let message: KafkaMessage
    let content: DecodeOutcome
    /// The digest of an event; `nil` for other content.
    let digest: ContentDigest?

    init(_ message: KafkaMessage, _ decoders: SourceDecoders) {
        self.message = message
        content = decoders.decode(message)
        if case .event(let event, warnings: _) = content { digest = ContentDigest(of: event) } else { digest = nil }
    }
}
