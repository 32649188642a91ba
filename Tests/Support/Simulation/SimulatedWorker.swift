import NewsflashEvents
import NewsflashHTTPTransport
import NewsflashPublishing
import NewsflashRendering
import NewsflashTimestamps
import NewsflashTopicPartitions
import NotificationHubs

/// The surroundings of one worker process: clock, hubs, topics.
protocol WorkerSurroundings: AnyObject {
    var now: Instant { get }
    var wall: Timestamp { get }
    func send(_ request: SimRequest)
    func cancel(_ requests: [UInt64])
    func write(_ writes: [SimWrite])
    func commit(_ offsets: [Int: Int64])
    func recall(_ recall: SimRecall)
    func give(_ order: SimOrder)
    func log(_ text: @autoclosure () -> String)
    /// Reads the ledger of a partition, and once more if others wrote to it meanwhile.
    func readLedger(of partition: Int, assignment: UInt32)
    /// Starts reading the records of a partition.
    func read(_ partition: Int)
    /// Stops the worker, because its configuration must be changed.
    func stopSoon()
}

/// One worker process: the real publishing core, and the part of its surroundings that decides what is written when.
///
/// Only this file, ``SimulatedPlanner`` and ``SimulatedRecords`` use the core's interface.
final class SimulatedWorker {
    private static let topic = "news"

    private var core: PublishingCore
    private var writer: SimulatedWriter
    private unowned let surroundings: any WorkerSurroundings
    private let settings: SimSettings
    private let credit = ReadCredit()
    private var recalls: [UInt64: RecallRequest] = [:]
    private var ownOrders: [ControlRecord] = []
    private let storyLimit: Int

    init(
        _ settings: SimSettings,
        routing: SimRouting,
        seed: UInt64,
        process: Int,
        in surroundings: any WorkerSurroundings
    ) {
        self.settings = settings
        self.surroundings = surroundings
        let configuration = Self.configuration(settings, routing)
        storyLimit = configuration.storyMemoryBytes
        core = PublishingCore(configuration: configuration, planner: Self.planner(settings, routing), seed: seed)
        writer = SimulatedWriter(process: process, sabotage: settings.sabotage)
    }

    private static func planner(_ settings: SimSettings, _ routing: SimRouting) -> SimulatedPlanner {
        SimulatedPlanner(routing: routing, hasTestHub: settings.hasTestHub)
    }

    private static func configuration(_ settings: SimSettings, _ routing: SimRouting) -> PublishingConfiguration {
        var configuration = PublishingConfiguration()
        configuration.hubs = routing.hubs.map { HubRole($0) }
        if settings.hasTestHub { configuration.hubs.append(HubRole(SimulatedPlanner.testHub, mode: .test)) }
        if settings.sabotage != .ignoreAddresses {
            configuration.hubAddresses = routing.addresses(of: configuration.hubs.map(\.name))
        }
        configuration.storyMemoryBytes = settings.storyMemoryBytes
        configuration.readAheadBytes = settings.readAheadBytes
        configuration.exposureLimit = RiskLimit(
            total: settings.exposureTotal * (settings.sabotage == .ignoreRisk ? 10 : 1),
            reserve: settings.exposureReserve
        )
        configuration.limits.concurrency = settings.concurrency
        if settings.hasApprovals { configuration.policy.approvals = [.flash: 2] }
        if settings.hasCaps {
            configuration.policy.caps = [AudibleLimit(category: nil, rate: Rate(2, per: .seconds(600)), scope: .story)]
        }
        if settings.hasVolumeLimit {
            configuration.policy.volumeLimits = VolumeLimitPolicy(perSource: Rate(12, per: .seconds(60)))
        }
        if settings.hasQuietHours, let hours = HoursOfDay("22:00-07:00"),
            let zone = try? TimeZoneRules(name: "UTC", tzif: UniversalTime.file.span)
        {
            configuration.policy.quiet = QuietHours(hours: hours, zone: zone)
        }
        return configuration
    }

    // MARK: - Inputs

    private var moment: Moment { Moment(instant: surroundings.now, wall: surroundings.wall) }

    private func id(_ partition: Int) -> PartitionID {
        core.partition(Self.source(partition))
    }

    /// Adopts a partition.
    ///
    /// - Returns: The number of the assignment, for ``restored(_:assignment:_:sourceEnd:ledgerEnd:)``.
    func assign(_ partition: Int) -> UInt32 { core.assign(id(partition), now: moment) }

    /// Receives the content of a partition's ledger, by offset.
    func restored(
        _ partition: Int,
        assignment: UInt32,
        _ lines: [(Int64, SimLedgerLine)],
        sourceEnd: Int64,
        ledgerEnd: Int64
    ) {
        let id = id(partition)
        var table = LedgerTable(byteLimit: storyLimit)
        for (offset, line) in lines {
            do {
                try table.apply(key: Array(line.key.utf8).span, value: line.value?.span, at: offset)
            } catch {
                preconditionFailure("the worker wrote a ledger record that cannot be read: \(error)")
            }
        }
        core.restored(
            table.restored(id, assignment: assignment, sourceEnd: sourceEnd, ledgerEnd: ledgerEnd),
            now: moment
        )
    }

    private func events(_ facts: StoryFacts, _ id: PartitionID) -> [IncomingRecord] {
        facts.waiting.map { waiting in
            IncomingRecord(
                partition: id,
                offset: waiting.offset,
                timestamp: waiting.timestamp,
                content: SimulatedRecords.decode(waiting.value),
                original: RecordCopy(key: waiting.key, value: waiting.value, headers: waiting.headers)
            )
        }
    }

    func receive(_ records: [SimSourceRecord]) { core.receive(records.map(incoming), now: moment) }

    func receiveAhead(_ records: [SimSourceRecord]) { core.receiveAhead(records.map(incoming), now: moment) }

    private func incoming(_ record: SimSourceRecord) -> IncomingRecord {
        IncomingRecord(
            partition: id(record.partition),
            offset: record.offset,
            timestamp: record.writtenAt,
            content: SimulatedRecords.decode(record.value),
            original: FetchedRecord(record, credit)
        )
    }

    func answered(_ request: UInt64, _ reply: SimReply, after took: Duration) {
        let result = SendResult(id: SendID(request), reply: Self.reply(reply, now: surroundings.wall), took: took)
        core.requestsEnded([result], now: moment)
    }

    private static func reply(_ reply: SimReply, now: Timestamp) -> HubReply {
        func answer(_ status: Int, _ pause: Duration? = nil) -> HubReply {
            let headers: HTTPHeaders =
                pause.map { [HTTPHeaders.Field("Retry-After", "\($0.components.seconds)")] } ?? []
            return HubClient.reply(to: .success(HTTPResponse(status: status, headers: headers)), now: now)
        }
        switch reply {
        case .accepted: return answer(201)
        case .throttled(let pause): return answer(429, pause)
        case .serverError: return answer(500)
        case .unavailable(let pause): return answer(503, pause)
        case .refused: return answer(400)
        case .unknown:
            let error = HTTPTransportError(.connectionLost, "cut", mayHaveBeenReceived: true)
            return HubClient.reply(to: .failure(error), now: now)
        }
    }

    func delivered(_ deliveries: [SimDelivery]) {
        let written = writer.delivered(deliveries)
        core.ledgerWritten(written.ledger, now: moment)
        core.outcomesWritten(written.outcomes, now: moment)
    }

    func commitEnded(_ partitions: [Int], succeeded: Bool) {
        let sources = partitions.map(Self.source)
        core.commitEnded(sources, succeeded: succeeded, now: moment)
    }

    /// Receives the value of a recalled record; `nil` if it is gone.
    func recalled(_ number: UInt64, _ value: [UInt8]?) {
        guard let order = recalls.removeValue(forKey: number) else { return }
        var found = RecalledRecord(id: order.id)
        switch order.place {
        case .ledger:
            if let value, let (name, facts) = try? LedgerRecordCodec.decode(value.span) {
                found.story = name
                found.facts = facts
                found.events = events(facts, order.partition)
            }
        case .source(let offset):
            if let value {
                let record = IncomingRecord(
                    partition: order.partition,
                    offset: offset,
                    timestamp: nil,
                    content: SimulatedRecords.decode(value),
                    original: RecordCopy(key: nil, value: value, headers: [])
                )
                found = RecalledRecord(id: order.id, event: record)
            }
        }
        core.recalled(found, now: moment)
    }

    /// Receives a ledger record that another process wrote.
    func overwritten(_ partition: Int, _ line: SimLedgerLine) {
        guard let value = line.value else { return }
        guard line.key != LedgerOwner.key else { return core.ownerOverwritten(in: id(partition)) }
        guard let (name, facts) = try? LedgerRecordCodec.decode(value.span) else { return }
        core.overwritten(by: LateRecord(story: name, facts), in: id(partition), now: moment)
    }

    /// A partition of the source topic.
    static func source(_ partition: Int) -> TopicPartition {
        TopicPartition(topic: Self.topic, partition: Int32(partition))
    }

    /// Receives a command of the control topic.
    func ordered(_ order: SimOrder, at offset: Int64) {
        let own = ownOrders.first {
            order.isAutomatic && $0.at == order.at && $0.scope.source == order.source
        }
        core.controlled(.order(own ?? Self.record(order), at: offset), now: moment)
    }

    private static func record(_ order: SimOrder) -> ControlRecord {
        ControlRecord(
            order.isPause ? .pause : .resume,
            order.event.map { .event($0) } ?? order.source.map { .source($0) } ?? .all,
            by: order.isAutomatic ? .volumeLimit : .person("novak"),
            reason: "",
            at: order.at
        )
    }

    func adopt(_ routing: SimRouting) {
        core.adopt(RuleSet(Self.configuration(settings, routing), planner: Self.planner(settings, routing)))
    }

    /// Begins to give partitions up.
    ///
    /// - Parameters:
    ///   - partitions: The revoked partitions.
    ///   - deadline: The time when they must be given up.
    ///   - isLost: Whether others may own them already.
    func beginDraining(_ partitions: [Int], until deadline: Instant, isLost: Bool) {
        let limit = deadline - min(.seconds(2), (deadline - surroundings.now) / 4)
        core.beginDraining(partitions.map(id), waitingUntil: limit, isLost: isLost, now: moment)
    }

    func isDrained(_ partitions: [Int]) -> Bool { core.isDrained(partitions.map(id)) }

    /// Gives partitions up.
    ///
    /// - Parameters:
    ///   - partitions: The revoked partitions.
    ///   - isWritten: Whether pending ledger records are written for the next owner.
    /// - Returns: The offsets that may be committed.
    func leave(_ partitions: [Int], isWritten: Bool) -> [Int: Int64] {
        let offsets = core.leave(partitions.map(id), now: moment)
        if !isWritten { _ = core.dequeueActions() }
        perform()
        produce()
        writer.forget(partitions)
        var result: [Int: Int64] = [:]
        for (source, offset) in offsets { result[Int(source.partition)] = offset }
        return result
    }

    /// Whether there is room for more records.
    var wantsRecords: Bool { credit.bytes < settings.readAheadBytes }

    // MARK: - Actions

    /// Executes the results of the inputs, and the actions that are due.
    func turn() {
        perform()
        produce()
        core.timePassed(now: moment)
        perform()
        core.recordFacts(now: moment)
        perform()
        produce()
    }

    var nextTimer: Instant? { core.nextTimer(now: moment) }

    private func produce() {
        let writes = writer.dequeueWrites()
        if !writes.isEmpty { surroundings.write(writes) }
    }

    private func perform() {
        let actions = core.dequeueActions()
        for action in actions {
            switch action {
            case .send(let order) where !core.isInFlight(order.id): core.abandon(order.id)
            case .send(let order): surroundings.send(request(order))
            case .cancel(let ids): surroundings.cancel(ids.map(\.number))
            case .writeLedger(let batch): writer.add(batch, partition: Int(core.source(of: batch.partition).partition))
            case .writeOutcome(let write) where core.isAwaited(write.id):
                writer.add(write, partition: Int(core.source(of: write.partition).partition))
            case .recall(let order): recall(order)
            case .readLedgerAgain(let partition, let assignment):
                surroundings.log("reads the ledger of \(core.source(of: partition).partition) again")
                surroundings.readLedger(of: Int(core.source(of: partition).partition), assignment: assignment)
            case .flow(let partition):
                surroundings.read(Int(core.source(of: partition).partition))
            case .commit(let offsets):
                var commits: [Int: Int64] = [:]
                for (source, offset) in offsets { commits[Int(source.partition)] = offset }
                surroundings.commit(commits)
            case .control(let record):
                ownOrders.append(record)
                surroundings.give(
                    SimOrder(
                        isPause: record.act == .pause,
                        source: record.scope.source,
                        isAutomatic: record.author == .volumeLimit,
                        at: record.at
                    )
                )
            case .report(let report): log(report)
            case .writeOutcome, .reloadCredentials: break
            }
        }
    }

    private func log(_ report: PublishingReport) {
        switch report {
        case .recognized(let origin):
            surroundings.log("passes over \(origin.partition.partition)/\(origin.offset), which is done")
        case .rewound(let source, let last, let offset):
            surroundings.log("is rewound on partition \(source.partition) from \(last) to \(offset)")
        case .withdrawalMissing(let story, _): surroundings.log("misses the withdrawal of story \(story)")
        case .repaired(let story, _): surroundings.log("repairs the ledger's record of story \(story)")
        case .restored(let source, let stories, let waiting):
            surroundings.log(
                "has restored partition \(source.partition): \(stories) stories, \(waiting) with waiting events"
            )
        case .gaveUp(let source, let requests):
            surroundings.log("gives \(requests) requests of partition \(source.partition) up")
        case .leftUnconfirmed(let source, let events):
            surroundings.log("leaves partition \(source.partition) with \(events) events unconfirmed")
        case .refused(let source, _):
            surroundings.log("refuses partition \(source.partition): a label means another hub")
            surroundings.stopSoon()
        case .circuitOpened(let hold, let hub):
            surroundings.log("opens the circuit of \(hub): \(hold.reason.rawValue)")
        case .circuitClosed(let reason, let hub, _):
            surroundings.log("closes the circuit of \(hub): \(reason.rawValue)")
        case .deferred(let outcome):
            surroundings.log(
                "lets \(outcome.kind) \(outcome.event) wait: \(outcome.verdict.reason ?? outcome.verdict.outcome.rawValue)"
            )
        case .ended, .tombstone, .controlled, .throttled, .retrying, .writeFailed: break
        }
    }

    private func request(_ order: SendRequest) -> SimRequest {
        let isProbe = order.expression == core.configuration.probe.expression
        var request = SimRequest(
            id: order.id.number,
            hub: core.configuration.hubs[order.hub].name,
            tags: order.expression.tags.map(\.description),
            content: isProbe ? nil : SimulatedPlanner.content(of: order.message)
        )
        request.sourceOffset = order.place?.offset
        return request
    }

    private func recall(_ order: RecallRequest) {
        recalls[order.id.number] = order
        let place: SimRecall.Place =
            switch order.place {
            case .ledger(let offset): .ledger(offset)
            case .source(let offset): .source(offset)
            }
        let partition = Int(core.source(of: order.partition).partition)
        surroundings.recall(SimRecall(number: order.id.number, partition: partition, place: place))
    }

    // MARK: - For the oracle

    /// The audiences and waiting events in a ledger record.
    static func facts(of write: LedgerWrite) -> SimLedgerFacts {
        guard case .facts(let record, _) = write else { return SimLedgerFacts() }
        var facts = SimLedgerFacts()
        for fact in record.audiences where fact.isNotified {
            for tag in fact.expression.tags {
                facts.audiences.append(
                    SimLedgerFacts.Audience(
                        unit: "\(fact.hub)/\(tag.description)",
                        actNumber: fact.act.id,
                        revision: fact.act.revision,
                        isCertain: fact.certainty == .accepted,
                        isWithdrawal: fact.act.kind == .kill
                    )
                )
            }
        }
        for waiting in record.waiting { facts.waiting[waiting.offset] = waiting.reason.rawValue }
        facts.term = record.term
        return facts
    }

    /// The core's state, for the trace.
    var summary: String {
        let status = core.status(now: moment)
        let events = status.events.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return
            "events: \(events.joined(separator: ", ")); in flight \(status.inFlight), unconfirmed \(status.unconfirmed)"
    }
}

/// Counts the bytes of records that the core has not released.
private final class ReadCredit: @unchecked Sendable {
    var bytes = 0
}

/// A fetched record. Releasing it returns its room.
private final class FetchedRecord: OriginalRecord {
    private let record: SimSourceRecord
    private let credit: ReadCredit

    init(_ record: SimSourceRecord, _ credit: ReadCredit) {
        self.record = record
        self.credit = credit
        credit.bytes += record.value.count
    }

    deinit { credit.bytes -= record.value.count }

    func copy() -> RecordCopy { RecordCopy(key: Array(record.event.story.utf8), value: record.value, headers: []) }

    var traceparent: TraceParent? { nil }

    var byteCount: Int { record.value.count }
}

/// A TZif file of Universal Time.
private enum UniversalTime {
    static var file: [UInt8] {
        func header(counts: [UInt8]) -> [UInt8] {
            Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15) + counts.flatMap { [0, 0, 0, $0] }
        }
        let kind: [UInt8] = [0, 0, 0, 0, 0, 0]
        let counts: [UInt8] = [0, 0, 0, 0, 1, 1]
        return header(counts: counts) + kind + [0] + header(counts: counts) + kind + [0] + Array("\nUTC0\n".utf8)
    }
}
