import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions
import NotificationHubs
import Testing

/// Drives the core by hand: the test is the clock, the hub, the broker and the ledger.
struct CoreHarness {
    static let partition = TopicPartition(topic: "news", partition: 0)

    /// A reference to the core, which cannot be copied, because tests pass harnesses on.
    private final class Room {
        var core: PublishingCore

        init(_ core: consuming PublishingCore) { self.core = core }
    }

    private var room: Room
    var core: PublishingCore {
        _read { yield room.core }
        _modify { yield &room.core }
    }

    var now = Moment(instant: .now, wall: Timestamp(rfc3339: "2026-03-02T08:00:00Z") ?? Timestamp(seconds: 0))
    /// Requests handed out and not yet answered, oldest first.
    var sends: [SendRequest] = []
    /// Probes handed out and not yet answered.
    var probes: [SendRequest] = []
    /// A record to write.
    enum Write {
        case ledger(LedgerBatch)
        case outcome(OutcomeWrite)

        var ledger: LedgerBatch? { if case .ledger(let batch) = self { batch } else { nil } }
        var deadLetter: DeadLetter.Stage? { outcome?.deadLetter }
        var outcome: OutcomeWrite? { if case .outcome(let write) = self { write } else { nil } }
        /// The facts to write for each story.
        var facts: [(story: String, facts: StoryFacts)] {
            (ledger?.writes ?? []).compactMap { write in
                if case .facts(let facts, let story) = write { (story, facts) } else { nil }
            }
        }
    }

    /// Records handed out and not yet confirmed, oldest first.
    var writes: [Write] = []
    /// The ledger on the broker, by story.
    var ledger: [String: (record: StoryFacts, offset: Int64)] = [:]
    /// The owners of the partition in the ledger.
    var owners = LedgerOwners()
    /// The events of the source, by offset.
    var source: [Int64: DecodeOutcome] = [:]
    var recalls: [RecallRequest] = []
    /// The late writers' records that the next owner finds in the ledger.
    var late: [LateRecord] = []
    /// Whether requests to read stories with waiting events are answered at once.
    var answersWaitingAtOnce = true
    /// The confirmed dead letters, each with its event and the stage at which it ended.
    var deadLetters: [(event: String, stage: DeadLetter.Stage)] = []
    /// The records of the control topic, by offset.
    var orders: [ControlRecord] = []
    /// Commands of this worker that are not in the control topic yet.
    var ownOrders: [ControlRecord] = []
    /// Whether the control topic accepts a command of this worker at once.
    var writesOrders = true
    /// Whether the ledger confirms a new owner at once.
    var confirmsOwner = true
    var cancelled: [SendID] = []
    var commits: [[TopicPartition: Int64]] = []
    /// Whether commits are answered at once.
    var answersCommits = true
    var reports: [PublishingReport] = []
    /// Confirmed outcomes, oldest first.
    var outcomes: [OutcomeRecord] = []
    var flowing: [PartitionID] = []
    var readAgain: [(PartitionID, assignment: UInt32)] = []
    var reloads = 0
    /// Whether a step was repeated without end. From then on nothing is drained, so that the test ends.
    private(set) var isEndless = false
    let planner: any EventPlanning
    private var nextOffset: Int64 = 0
    var nextLedgerOffset: Int64 = 0

    init(
        _ configuration: PublishingConfiguration = PublishingConfiguration(commitInterval: .zero),
        planner: any EventPlanning = OneSendPlanner()
    ) {
        self.planner = planner
        var configuration = configuration
        configuration.ledgerInterval = .zero
        room = Room(PublishingCore(configuration: configuration, planner: planner, seed: 42))
        own()
    }

    /// The partition's identifier in the core.
    var id: PartitionID {
        mutating get { core.partition(Self.partition) }
    }

    /// Assigns the partition to the core, with its contents of the ledger.
    mutating func own(fitsSource: Bool = true) {
        let assignment = core.assign(id, now: now)
        restore(assignment, fitsSource: fitsSource)
    }

    mutating func restore(_ assignment: UInt32, fitsSource: Bool = true) {
        let id = id
        var index = StoryIndex(byteLimit: core.configuration.storyMemoryBytes)
        var waiting: [RestoredLedger.WaitingStory] = []
        for (name, entry) in ledger.sorted(by: { $0.value.offset < $1.value.offset }) {
            let value = LedgerRecordCodec.encode(entry.record, of: name)
            let restored = try? index.restore(value.span, of: Array(name.utf8).span, ledgerOffset: entry.offset)
            // Stores the stories as if an event of each had arrived since.
            index.store(entry.record, of: name, ledgerOffset: entry.offset)
            guard case .waiting(let events, let isAnyOver) = restored else { continue }
            waiting.append(
                RestoredLedger.WaitingStory(
                    key: StoryIndex.Key(name),
                    ledgerOffset: entry.offset,
                    events: events,
                    isAnyOver: isAnyOver
                )
            )
        }
        let restored = RestoredLedger(
            partition: id,
            assignment: assignment,
            stories: index,
            waiting: waiting,
            late: late,
            owners: owners,
            sourceEnd: fitsSource ? nextOffset : -1
        )
        core.restored(restored, now: now)
        perform()
        // The ledger must confirm the owner of the partition before work on it begins.
        if core.configuration.keepsLedger, confirmsOwner { rememberAll() }
    }

    /// A crash: another core takes over the partition with the records confirmed by the broker, and reads the source
    /// again from the committed offset.
    mutating func crash(after pause: Duration = .zero, hubs: [HubRole]? = nil) {
        var configuration = core.configuration
        if let hubs { configuration.hubs = hubs }
        room = Room(PublishingCore(configuration: configuration, planner: planner, seed: 43))
        sends = []
        writes = []
        recalls = []
        now = now + pause
        ownOrders = []
        core.controlled(.read(history), now: now)
        own()
        let start = committed ?? 0
        for offset in source.keys.sorted() where offset >= start { read(offset) }
    }

    /// The commands of the whole control topic.
    private var history: SourcePauses {
        var holds = SourcePauses()
        for (offset, order) in orders.enumerated() { holds.apply(order, at: Int64(offset)) }
        return holds
    }

    /// Appends a command to the control topic, and the core reads it.
    mutating func order(_ order: ControlRecord) {
        orders.append(order)
        core.controlled(.order(order, at: Int64(orders.count - 1)), now: now)
        perform()
    }

    /// The control topic accepts the oldest command of this worker, or refuses it.
    mutating func writeOwnOrder(isRefused: Bool = false) {
        let order = ownOrders.removeFirst()
        if !isRefused { orders.append(order) }
        core.controlled(.written(order, at: isRefused ? nil : Int64(orders.count - 1)), now: now)
        perform()
    }

    /// Feeds events as records of consecutive offsets.
    @discardableResult
    mutating func receive(_ events: NewsEvent...) -> [Int64] {
        receive(events)
    }

    @discardableResult
    mutating func receive(_ events: [NewsEvent]) -> [Int64] {
        receiveContents(events.map { .event($0, warnings: []) })
    }

    @discardableResult
    mutating func receiveContents(_ contents: [DecodeOutcome]) -> [Int64] {
        let offsets = write(contents)
        core.receive(records(at: offsets), now: now)
        perform()
        return offsets
    }

    /// Appends records to the source that the core has not read yet.
    mutating func write(_ contents: [DecodeOutcome]) -> [Int64] {
        contents.map { content in
            source[nextOffset] = content
            defer { nextOffset += 1 }
            return nextOffset
        }
    }

    /// Appends events to the source that the core has not read yet.
    mutating func write(_ events: NewsEvent...) -> [Int64] { write(events.map { .event($0, warnings: []) }) }

    /// Passes the records at offsets of the source to the core as found by the priority scan.
    mutating func scout(_ offsets: [Int64]) {
        core.receiveAhead(records(at: offsets), now: now)
        perform()
    }

    /// Feeds the record at an offset of the source.
    mutating func read(_ offset: Int64) {
        core.receive(records(at: [offset]), now: now)
        perform()
    }

    private mutating func records(at offsets: [Int64]) -> [IncomingRecord] {
        let id = id
        return offsets.map { record(at: $0, of: id) }
    }

    private func record(at offset: Int64, of partition: PartitionID) -> IncomingRecord {
        IncomingRecord(
            partition: partition,
            offset: offset,
            timestamp: now.wall,
            content: source[offset] ?? .tombstone,
            original: RecordCopy(key: nil, value: Array("\(offset)".utf8), headers: [])
        )
    }

    /// Answers the oldest request.
    mutating func answer(_ reply: HubReply) {
        guard !sends.isEmpty else {
            Issue.record("no request is in flight")
            return
        }
        answer(sends.removeFirst(), reply)
    }

    /// Answers the oldest request to a hub.
    mutating func answer(_ reply: HubReply, at hub: Int) {
        guard let index = sends.firstIndex(where: { $0.hub == hub }) else {
            Issue.record("no request to the hub is in flight")
            return
        }
        answer(sends.remove(at: index), reply)
    }

    /// Answers the probe that is in flight.
    mutating func answerProbe(_ reply: HubReply) {
        guard !probes.isEmpty else {
            Issue.record("no probe is in flight")
            return
        }
        answer(probes.removeFirst(), reply)
    }

    private mutating func answer(_ order: SendRequest, _ reply: HubReply) {
        core.requestsEnded([SendResult(id: order.id, reply: reply)], now: now)
        perform()
    }

    /// Repeats a step while it finds something to do, up to a limit.
    ///
    /// - Parameters:
    ///   - sourceLocation: The place of the issue if the step never ends.
    ///   - step: Returns whether it found something.
    mutating func drain(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ step: (inout CoreHarness) -> Bool
    ) {
        guard !isEndless else { return }
        isEndless = !ends(sourceLocation: sourceLocation) { step(&self) }
    }

    mutating func answerAll(_ reply: HubReply, sourceLocation: SourceLocation = #_sourceLocation) {
        drain(sourceLocation: sourceLocation) { harness in
            guard !harness.sends.isEmpty else { return false }
            harness.answer(reply)
            return true
        }
    }

    mutating func answerAllProbes(_ reply: HubReply, sourceLocation: SourceLocation = #_sourceLocation) {
        drain(sourceLocation: sourceLocation) { harness in
            guard !harness.probes.isEmpty else { return false }
            harness.answerProbe(reply)
            return true
        }
    }

    /// The hub accepts all requests, and every write is confirmed, until nothing is in flight.
    mutating func finishAll(sourceLocation: SourceLocation = #_sourceLocation) {
        drain(sourceLocation: sourceLocation) { harness in
            harness.answerAll(.accepted, sourceLocation: sourceLocation)
            harness.confirmAll(sourceLocation: sourceLocation)
            return !harness.isEndless && !(harness.sends.isEmpty && harness.writes.isEmpty)
        }
    }

    /// Confirms every pending write.
    mutating func confirmAll(sourceLocation: SourceLocation = #_sourceLocation) {
        drain(sourceLocation: sourceLocation) { harness in
            guard !harness.writes.isEmpty else { return false }
            harness.confirm()
            return true
        }
    }

    /// Confirms the oldest pending write; after a batch of the ledger also the outcomes that waited for it.
    mutating func confirm() {
        guard let first = writes.first else {
            Issue.record("no write is pending")
            return
        }
        guard case .ledger = first else { return confirmOutcome() }
        let before = writes.count
        confirmLedger()
        let count = writes.dropFirst(before - 1).count { $0.outcome != nil }
        for _ in 0..<count { confirmOutcome() }
    }

    /// Writes the oldest batch to the ledger; the outcomes that waited for it stay pending.
    mutating func confirmLedger() {
        guard let index = writes.firstIndex(where: { $0.ledger != nil }), let batch = writes.remove(at: index).ledger
        else {
            Issue.record("no batch of the ledger is pending")
            return
        }
        let offsets = keep(batch)
        core.ledgerWritten(
            [LedgerResult(id: batch.id, partition: batch.partition, result: .success(offsets))],
            now: now
        )
        perform()
    }

    /// Writes a batch to the ledger.
    private mutating func keep(_ batch: LedgerBatch) -> [Int64] {
        batch.writes.map { write in
            defer { nextLedgerOffset += 1 }
            switch write {
            case .facts(let facts, let story): ledger[story] = (facts, nextLedgerOffset)
            case .forgotten(let story): ledger[story] = nil
            case .owner(let owner): owners.add(owner, at: nextLedgerOffset)
            }
            return nextLedgerOffset
        }
    }

    /// Confirms the oldest outcome.
    mutating func confirmOutcome() {
        guard let index = writes.firstIndex(where: { $0.outcome != nil }), let write = writes.remove(at: index).outcome
        else {
            Issue.record("no outcome is pending")
            return
        }
        outcomes.append(write.outcome)
        if let stage = write.deadLetter { deadLetters.append((write.outcome.event, stage)) }
        core.outcomesWritten([WriteResult(id: write.id, failure: nil)], now: now)
        perform()
    }

    /// Writes all batches to the ledger; the outcomes that waited for them stay pending.
    mutating func rememberAll() {
        while writes.contains(where: { $0.ledger != nil }) { confirmLedger() }
    }

    /// Writes the oldest batch to the ledger, and the worker dies before it receives the confirmation.
    mutating func rememberAndCrash() {
        if let batch = writes.lazy.compactMap(\.ledger).first { _ = keep(batch) }
        crash()
    }

    /// The broker refuses the oldest write.
    mutating func failWrite() {
        guard let first = writes.first else {
            Issue.record("no write is pending")
            return
        }
        writes.removeFirst()
        switch first {
        case .ledger(let batch):
            let failure = WriteFailure("broker away")
            core.ledgerWritten(
                [LedgerResult(id: batch.id, partition: batch.partition, result: .failure(failure))],
                now: now
            )
        case .outcome(let write):
            core.outcomesWritten([WriteResult(id: write.id, failure: "broker away")], now: now)
        }
        perform()
    }

    /// Answers requests to read records again, with those of the ledger and the source.
    mutating func answerRecalls(sourceLocation: SourceLocation = #_sourceLocation) {
        drain(sourceLocation: sourceLocation) { harness in
            guard !harness.recalls.isEmpty else { return false }
            harness.answerRecall()
            return true
        }
    }

    mutating func answerRecall() {
        core.recalled(found(by: recalls.removeFirst()), now: now)
        perform()
    }

    /// The requested record, as it is in the ledger or the source now.
    func found(by order: RecallRequest) -> RecalledRecord {
        var found = RecalledRecord(id: order.id)
        switch order.place {
        case .ledger(let offset):
            if let (story, entry) = ledger.first(where: { $0.value.offset == offset }) {
                found.story = story
                found.facts = entry.record
                found.events = entry.record.waiting.map { waiting in
                    IncomingRecord(
                        partition: order.partition,
                        offset: waiting.offset,
                        timestamp: waiting.timestamp,
                        content: source[waiting.offset] ?? .tombstone,
                        original: RecordCopy(key: waiting.key, value: waiting.value, headers: waiting.headers)
                    )
                }
            }
        case .source(let offset):
            found = RecalledRecord(id: order.id, event: record(at: offset, of: order.partition))
        }
        return found
    }

    mutating func pass(_ duration: Duration) {
        now = now + duration
        perform()
    }

    mutating func perform() {
        core.timePassed(now: now)
        core.recordFacts(now: now)
        for action in core.dequeueActions() {
            switch action {
            case .send(let order):
                if order.expression == core.configuration.probe.expression {
                    probes.append(order)
                } else {
                    sends.append(order)
                }
            case .cancel(let ids): cancelled += ids
            case .writeLedger(let batch): writes.append(.ledger(batch))
            case .writeOutcome(let write): writes.append(.outcome(write))
            case .recall(let order): recalls.append(order)
            case .readLedgerAgain(let partition, let assignment): readAgain.append((partition, assignment))
            case .flow(let partition): flowing.append(partition)
            case .commit(let offsets):
                commits.append(offsets)
                if answersCommits { core.commitEnded(Array(offsets.keys), succeeded: true, now: now) }
            case .reloadCredentials: reloads += 1
            case .control(let order):
                ownOrders.append(order)
                if writesOrders { writeOwnOrder() }
            case .report(let report): reports.append(report)
            }
        }
        guard answersWaitingAtOnce, let index = recalls.firstIndex(where: isOfWaiting) else { return }
        recalls.swapAt(0, index)
        answerRecall()
    }

    private func isOfWaiting(_ order: RecallRequest) -> Bool {
        guard case .ledger(let offset) = order.place else { return false }
        return ledger.values.contains { $0.offset == offset && !$0.record.waiting.isEmpty }
    }
}

/// Repeats a step while it finds something to do. An endless repetition is a failure instead of a test that hangs.
///
/// - Parameters:
///   - most: The number of repetitions after which an issue is recorded; far more than any test needs.
///   - sourceLocation: The place of the issue.
///   - step: Returns whether it found something.
/// - Returns: Whether the step came to an end.
func ends(
    atMost most: Int = 10_000,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ step: () -> Bool
) -> Bool {
    for _ in 0..<most where !step() { return true }
    Issue.record("there was something to do \(most) times, and there still is", sourceLocation: sourceLocation)
    return false
}
