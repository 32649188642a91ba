import Timestamps

/// How far this worker owns a source partition.
package enum PartitionPhase: String, Sendable {
    /// Another worker's, or nobody's.
    case away
    /// Ours; its ledger is being read, or has not confirmed that it is ours. None of its records is worked on.
    case restoring
    /// Ours.
    case working
    /// Being given back: no request begins.
    case draining
}

/// A source partition: its phase, its owners by the ledger, how far it is done, and what of that is committed.
struct Partition: Sendable {
    let source: SourcePartition
    private(set) var phase = PartitionPhase.away
    /// Grows with each assignment.
    private(set) var assignment: UInt32 = 0
    /// Grows with each assignment and each time the offsets go back.
    private(set) var reading: UInt32 = 0
    /// Whether the ledger's offsets are those of the present log.
    private(set) var trustsLedger = true
    /// Whether the ledger was read, so that only its confirmation that the partition is ours is waited for.
    private var isRead = false
    /// The offsets of processed records without a story, from the watermark on; then those of the previous owner.
    private var bare: [Int64] = []
    private var bareBefore: Set<Int64> = []
    /// Names this worker in its owner records; another number with each assignment.
    private(set) var writer: UInt64 = 0
    /// The addresses of hubs by their labels, for the ledger.
    private(set) var hubs: [String: String] = [:]
    /// The term of the present owner: the offset of the ledger's record that says whose the partition is.
    private(set) var term: Int64 = 0
    /// The previous owner; `nil` if nobody had the partition before us.
    private var previousOwner: LedgerOwner?
    /// The offset after the last record of the ledger that was read.
    private var ledgerEnd: Int64?
    /// Whether anything of it was worked on since it was taken over.
    private var hasWorked = false
    /// Whether others may own the partition already: what is decided for it is not published any more.
    private(set) var isLost = false
    /// Earlier owners may have left outcomes of records below this source offset unconfirmed.
    private var outcomesOpenBelow: Int64 = 0
    /// Whether the ledger was given the owner record of the give-back, or does not need it.
    private var hasWrittenThatLeft = false
    /// The offset below which an earlier owner may have sent events that the ledger does not have.
    private var exposedBelow: Int64 = 0
    private(set) var tracker = OffsetTracker()
    private var isCommitting = false
    /// Records that came before the ledger was read.
    var early: [IncomingRecord] = []

    init(source: SourcePartition) { self.source = source }

    /// The offset after the last record that was taken up; 0 before the first, when it is not known what was read before.
    var frontier: Int64 { tracker.frontier ?? 0 }

    /// The offset below which every record is done; `nil` before the first.
    var watermark: Int64? { tracker.watermark }
}

// MARK: - Taking over

extension Partition {
    /// Takes the partition over.
    ///
    /// - Parameter writer: Names this worker in its owner records.
    mutating func assign(writer: UInt64) {
        var next = Partition(source: source)
        next.assignment = assignment &+ 1
        next.reading = reading &+ 1
        next.writer = writer
        next.phase = .restoring
        self = next
    }

    /// Whether its ledger is still to be read for an assignment.
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

    /// Whether the owner before us did not give the partition back in order: what it sent at last may not be in the ledger.
    var hasCrashedOwner: Bool { previousOwner.map { !$0.hasLeft } ?? false }

    /// Has its ledger read once more, if others wrote to it between the last record that was read and the one that says whose
    /// the partition is now.
    ///
    /// - Returns: The number of the assignment, for the reading; `nil` if nobody did.
    mutating func readAgain(ledgerOffset: Int64) -> UInt32? {
        guard phase == .restoring, isRead, let ledgerEnd, ledgerOffset > ledgerEnd else { return nil }
        term = ledgerOffset
        isRead = false
        return assignment
    }

    /// The term of a partition whose ledger was read once more; `nil` if the ledger has yet to say whose it is.
    var claimedTerm: Int64? { phase == .restoring && term > 0 ? term : nil }

    /// The term that this worker has begun with; `nil` before.
    var beganTerm: Int64? { hasWorked ? term : claimedTerm }

    /// Begins to work on a partition whose ledger was read.
    ///
    /// - Parameter ledgerOffset: The offset below which the ledger's records are of earlier owners.
    /// - Returns: The records that came early; `nil` if the partition is not waiting for that.
    mutating func work(ledgerOffset: Int64) -> [IncomingRecord]? {
        guard phase == .restoring, isRead else { return nil }
        phase = .working
        hasWorked = true
        term = ledgerOffset
        defer { early = [] }
        return early
    }

    /// Begins a new term in a partition that is worked on: the ledger has confirmed its owner once more.
    mutating func renew(ledgerOffset: Int64) {
        if phase == .working { term = max(term, ledgerOffset) }
    }
}

// MARK: - What earlier owners left

extension Partition {
    /// Records that a late writer's facts list outcomes that may not be confirmed.
    mutating func foundOpenOutcomes(_ closing: [StoryFacts.Closing]) {
        guard let last = closing.map(\.offset).max() else { return }
        outcomesOpenBelow = max(outcomesOpenBelow, last + 1)
    }

    /// Whether all outcomes that earlier owners had left unconfirmed are confirmed.
    var hasSettledEarlierOutcomes: Bool { outcomesOpenBelow <= watermark ?? 0 }

    /// Whether an earlier owner may have sent an event that the ledger does not have.
    func isExposed(_ offset: Int64) -> Bool { offset < exposedBelow }

    /// Whether the owner before has processed a record without a story.
    func wasProcessedBefore(_ offset: Int64) -> Bool { trustsLedger && bareBefore.contains(offset) }
}

// MARK: - Leaving

extension Partition {
    /// Records that others may own it already.
    mutating func lose() { isLost = true }

    /// Marks that the ledger was given the owner record of a give-back in order, or does not need it.
    ///
    /// - Returns: Whether that was not marked before; false if the ledger was never given our owner record.
    mutating func writeThatLeft() -> Bool {
        defer { hasWrittenThatLeft = true }
        return !hasWrittenThatLeft
    }

    /// Whether the ledger was given the owner record of the give-back, or does not need it.
    var needsNoOwnerRecord: Bool { phase == .away || hasWrittenThatLeft }

    /// The owner record of a partition that is given back before this worker has worked on it: what the earlier owner wrote
    /// as it left still applies.
    ///
    /// - Parameter own: The record of this worker.
    /// - Returns: `nil` if this worker has worked on the partition.
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
        // If the ledger was not given our owner record, it has that of the previous owner.
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
    /// Takes up a record's offset.
    mutating func begin(_ offset: Int64, writtenAt time: Timestamp?) -> OffsetTracker.Beginning {
        tracker.begin(offset, writtenAt: time)
    }

    /// Begins again at an offset below one that was taken up: the topic was made again, or was cut.
    mutating func rewind(to offset: Int64, writtenAt time: Timestamp?) {
        tracker = OffsetTracker()
        reading &+= 1
        trustsLedger = false
        exposedBelow = 0
        _ = tracker.begin(offset, writtenAt: time)
    }

    /// Marks a record as done.
    mutating func complete(_ offset: Int64) { tracker.complete(offset) }

    /// Records that a record without a story is processed, because no story in the ledger has its offset.
    mutating func recordBare(_ place: RecordPlace) {
        guard reading == place.reading else { return }
        let watermark = watermark ?? 0
        bare.removeAll { $0 < watermark }
        if place.offset >= watermark { bare.append(place.offset) }
    }

    /// The processed records without a story that are not committed.
    var uncommittedBare: [Int64] {
        let watermark = watermark ?? 0
        return (trustsLedger ? bareBefore : []).union(bare).filter { $0 >= watermark }.sorted()
    }

    /// The offset to commit now, which is taken once; `nil` if nothing is to commit, or the last commit has no answer yet.
    mutating func takeCommit() -> Int64? {
        guard phase == .working, !isCommitting, let offset = tracker.takeCommit() else { return nil }
        isCommitting = true
        return offset
    }

    /// Takes the answer to a commit; one that failed is tried again with the next.
    mutating func commitEnded(succeeded: Bool) {
        isCommitting = false
        if !succeeded { tracker.forgetCommit() }
    }
}
