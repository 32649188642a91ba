import NewsflashTimestamps
import NewsflashTopicPartitions

/// The state of a source partition in this worker.
package enum PartitionPhase: String, Sendable {
    /// Owned by another worker, or by nobody.
    case away
    /// Owned by this worker. Its ledger is being read, or has not confirmed this yet. None of its records is processed.
    case restoring
    /// Owned by this worker, and its records are processed.
    case working
    /// Being given back: no new request begins.
    case draining
}

/// A source partition: its phase, its owners according to the ledger, and its processed and committed offsets.
struct Partition: Sendable {
    let source: TopicPartition
    private(set) var phase = PartitionPhase.away
    /// Incremented at each assignment.
    private(set) var assignment: UInt32 = 0
    /// Incremented at each assignment and each time the offsets go back.
    private(set) var reading: UInt32 = 0
    /// Whether the offsets in the ledger are those of the current log.
    private(set) var trustsLedger = true
    /// Whether the ledger was read, so that only its confirmation that the partition is ours is missing.
    private var isRead = false
    /// The offsets of processed records without a story, from the watermark on; then those of the previous owner.
    private var bare: [Int64] = []
    private var bareBefore: Set<Int64> = []
    /// The number that identifies this worker in its owner records; another one for each assignment.
    private(set) var writer: UInt64 = 0
    /// The addresses of hubs by their labels, for the ledger.
    private(set) var hubs: [String: String] = [:]
    /// The term of the present owner: the offset of its owner record in the ledger.
    private(set) var term: Int64 = 0
    /// The previous owner; `nil` if nobody had the partition before us.
    private var previousOwner: LedgerOwner?
    /// The offset after the last ledger record that was read.
    private var ledgerEnd: Int64?
    /// Whether records of the partition were processed since it was taken over.
    private var hasWorked = false
    /// Whether others may own the partition already. Outcomes decided for it are not published any more.
    private(set) var isLost = false
    /// The source offset below which earlier owners may have left outcomes unconfirmed.
    private var outcomesOpenBelow: Int64 = 0
    /// Whether the owner record of the give-back was passed to the ledger, or is not needed.
    private var hasWrittenThatLeft = false
    /// The offset below which an earlier owner may have sent events that the ledger does not contain.
    private var exposedBelow: Int64 = 0
    private(set) var tracker = OffsetTracker()
    private var isCommitting = false
    /// Records that came before the ledger was read.
    var early: [IncomingRecord] = []

    init(source: TopicPartition) { self.source = source }

    /// The offset after the last record that was received; 0 if none was received.
    var frontier: Int64 { tracker.frontier ?? 0 }

    /// The offset below which every record is processed; `nil` if none was received.
    var watermark: Int64? { tracker.watermark }
}

// MARK: - Taking over

extension Partition {
    /// Takes the partition over.
    ///
    /// - Parameter writer: The number that identifies this worker in its owner records.
    mutating func assign(writer: UInt64) {
        var next = Partition(source: source)
        next.assignment = assignment &+ 1
        next.reading = reading &+ 1
        next.writer = writer
        next.phase = .restoring
        self = next
    }

    /// Whether its ledger must still be read for an assignment.
    func isRestoring(_ assignment: UInt32) -> Bool {
        phase == .restoring && !isRead && self.assignment == assignment
    }

    /// Records that its ledger was read.
    ///
    /// - Parameters:
    ///   - restored: The content of the ledger.
    ///   - hubs: The addresses of hubs by their labels, for the ledger.
    mutating func wasRead(_ restored: RestoredLedger, hubs: [String: String]) {
        previousOwner = restored.owners.latest(besides: writer) ?? previousOwner
        let sourceEnd = restored.sourceEnd ?? .max
        isRead = true
        self.hubs = hubs
        ledgerEnd = restored.ledgerEnd
        trustsLedger = restored.fitsSource
        bareBefore = Set(previousOwner?.processed ?? [])
        exposedBelow = hasCrashedOwner ? sourceEnd : 0
        outcomesOpenBelow = previousOwner?.isSettled ?? true ? 0 : sourceEnd
    }

    /// Whether the previous owner did not give the partition back in order: the ledger may not contain its last requests.
    var hasCrashedOwner: Bool { previousOwner.map { !$0.hasLeft } ?? false }

    /// Starts another reading of its ledger if others wrote to it between the last record that was read and this worker's owner
    /// record.
    ///
    /// - Returns: The number of the assignment, for the reading; `nil` if nobody else wrote.
    mutating func readAgain(ledgerOffset: Int64) -> UInt32? {
        guard phase == .restoring, isRead, let ledgerEnd, ledgerOffset > ledgerEnd else { return nil }
        term = ledgerOffset
        isRead = false
        return assignment
    }

    /// The term of a partition whose ledger was read again; `nil` if the ledger has not confirmed this worker's owner record.
    var claimedTerm: Int64? { phase == .restoring && term > 0 ? term : nil }

    /// The term with which this worker began; `nil` before.
    var beganTerm: Int64? { hasWorked ? term : claimedTerm }

    /// Starts processing a partition whose ledger was read.
    ///
    /// - Parameter ledgerOffset: The offset below which the ledger's records are from earlier owners.
    /// - Returns: The records that came early; `nil` if the partition was not waiting to start.
    mutating func work(ledgerOffset: Int64) -> [IncomingRecord]? {
        guard phase == .restoring, isRead else { return nil }
        phase = .working
        hasWorked = true
        term = ledgerOffset
        defer { early = [] }
        return early
    }

    /// Begins a new term in a working partition: the ledger has confirmed its owner again.
    mutating func renew(ledgerOffset: Int64) {
        if phase == .working { term = max(term, ledgerOffset) }
    }
}

// MARK: - State left by earlier owners

extension Partition {
    /// Records that a late writer's facts list outcomes that may not be confirmed.
    mutating func foundOpenOutcomes(_ closing: [StoryFacts.Closing]) {
        guard let last = closing.map(\.offset).max() else { return }
        outcomesOpenBelow = max(outcomesOpenBelow, last + 1)
    }

    /// Whether all outcomes that earlier owners left unconfirmed are confirmed now.
    var hasSettledEarlierOutcomes: Bool { outcomesOpenBelow <= watermark ?? 0 }

    /// Whether an earlier owner may have sent an event that the ledger does not contain.
    func isExposed(_ offset: Int64) -> Bool { offset < exposedBelow }

    /// Whether the previous owner has processed a record without a story.
    func wasProcessedBefore(_ offset: Int64) -> Bool { trustsLedger && bareBefore.contains(offset) }
}

// MARK: - Leaving

extension Partition {
    /// Records that others may own the partition already.
    mutating func lose() { isLost = true }

    /// Marks that the owner record of a give-back in order was passed to the ledger, or is not needed.
    ///
    /// - Returns: Whether that was not marked before; false if our owner record was never passed to the ledger.
    mutating func writeThatLeft() -> Bool {
        defer { hasWrittenThatLeft = true }
        return !hasWrittenThatLeft
    }

    /// Whether the owner record of the give-back was passed to the ledger, or is not needed.
    var needsNoOwnerRecord: Bool { phase == .away || hasWrittenThatLeft }

    /// The owner record of a partition that is given back before this worker has processed any of it: the record that the
    /// earlier owner wrote when it left still applies.
    ///
    /// - Parameter own: The record of this worker.
    /// - Returns: `nil` if this worker has processed records of the partition.
    func ownerBefore(as own: LedgerOwner) -> LedgerOwner? {
        guard !hasWorked else { return nil }
        var owner = own
        owner.hasLeft = previousOwner?.hasLeft ?? true
        owner.isSettled = previousOwner?.isSettled ?? true
        owner.processed = previousOwner?.processed ?? []
        return owner
    }

    mutating func drain() {
        guard phase != .away else { return }
        // If our owner record was not passed to the ledger, the ledger has that of the previous owner.
        if phase == .restoring, !isRead, term == 0 { hasWrittenThatLeft = true }
        phase = .draining
        early = []
    }

    /// Gives the partition up.
    ///
    /// - Returns: The offset to commit for it; `nil` if none of its records was processed.
    mutating func leave() -> Int64? {
        defer { tracker = OffsetTracker() }
        phase = .away
        early = []
        isCommitting = false
        return watermark
    }
}

// MARK: - Offsets

extension Partition {
    /// Begins a record's offset.
    mutating func begin(_ offset: Int64, writtenAt time: Timestamp?) -> OffsetTracker.Beginning {
        tracker.begin(offset, writtenAt: time)
    }

    /// Begins again at an offset below a received one: the topic was created again, or was cut.
    mutating func rewind(to offset: Int64, writtenAt time: Timestamp?) {
        tracker = OffsetTracker()
        reading &+= 1
        trustsLedger = false
        exposedBelow = 0
        _ = tracker.begin(offset, writtenAt: time)
    }

    /// Marks a record as processed.
    mutating func complete(_ offset: Int64) { tracker.complete(offset) }

    /// Records that a record without a story is processed, because no story in the ledger has its offset.
    mutating func recordBare(_ place: RecordPosition) {
        guard reading == place.reading else { return }
        let watermark = watermark ?? 0
        bare.removeAll { $0 < watermark }
        if place.offset >= watermark { bare.append(place.offset) }
    }

    /// The offsets of processed records without a story that are not committed.
    var uncommittedBare: [Int64] {
        let watermark = watermark ?? 0
        return (trustsLedger ? bareBefore : []).union(bare).filter { $0 >= watermark }.sorted()
    }

    /// Begins a commit.
    ///
    /// - Returns: The offset to commit; `nil` if it has not moved, or if the last commit has no answer yet.
    mutating func beginCommit() -> Int64? {
        guard phase == .working, !isCommitting, let offset = tracker.beginCommit() else { return nil }
        isCommitting = true
        return offset
    }

    /// Receives the answer to a commit. A failed commit is repeated with the next one.
    mutating func commitEnded(succeeded: Bool) {
        isCommitting = false
        if !succeeded { tracker.forgetCommit() }
    }
}
