import Timestamps

/// Names a source partition by its place in the machine's list; the same as long as the machine lives.
package struct PartitionID: Hashable, Sendable {
    package var index: Int32

    package init(_ index: Int32) {
        self.index = index
    }
}

/// What is done for a source partition.
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

/// The source partitions: their phases, how far each is done, and what of that is committed.
struct Partitions: Sendable {
    private struct Partition {
        let source: SourcePartition
        var phase = PartitionPhase.away
        /// Grows with each assignment.
        var assignment: UInt32 = 0
        /// Grows with each assignment and each time the offsets go back.
        var reading: UInt32 = 0
        /// Whether the ledger's offsets are those of the present log.
        var trustsLedger = true
        /// Whether the ledger was read, so that only its confirmation that the partition is ours is waited for.
        var isRead = false
        /// The offsets of processed records without a story, from the watermark on; then those of the previous owner.
        var bare: [Int64] = []
        var bareBefore: Set<Int64> = []
        /// Names this worker in its owner records; another number with each assignment.
        var writer: UInt64 = 0
        /// The addresses of hubs by their labels, for the ledger.
        var hubs: [String: String] = [:]
        /// The offset of the ledger's record that says that the partition is ours: it grows with each owner.
        var term: Int64 = 0
        /// The previous owner; `nil` if nobody had the partition before us.
        var previousOwner: LedgerOwner?
        /// The offset after the last record of the ledger that was read.
        var ledgerEnd: Int64?
        /// Whether anything of it was worked on since it was taken over.
        var hasWorked = false
        /// Whether others may own the partition already: what is decided for it is not published any more.
        var isLost = false
        /// Earlier owners may have left outcomes of records below this source offset unconfirmed.
        var outcomesOpenBelow: Int64 = 0
        /// Whether the ledger was given the owner record of the give-back, or does not need it.
        var hasSaidThatLeft = false
        /// The offset below which an earlier owner may have sent events that the ledger does not have.
        var exposedBelow: Int64 = 0
        var tracker = OffsetTracker()
        var isCommitting = false
        /// Records that came before the ledger was read.
        var early: [IncomingRecord] = []
    }

    private var all: [Partition] = []
    private var ids: [SourcePartition: PartitionID] = [:]
    /// Whether a watermark may have moved since the last commit.
    private(set) var hasMoved = false

    /// The name of a partition, which need not be ours.
    mutating func id(of source: SourcePartition) -> PartitionID {
        if let id = ids[source] { return id }
        let id = PartitionID(Int32(all.count))
        ids[source] = id
        all.append(Partition(source: source))
        return id
    }

    func source(of id: PartitionID) -> SourcePartition { all[Int(id.index)].source }

    func phase(of id: PartitionID) -> PartitionPhase { all[Int(id.index)].phase }

    func reading(of id: PartitionID) -> UInt32 { all[Int(id.index)].reading }

    /// Whether what the ledger says of offsets may be believed.
    func trustsLedger(of id: PartitionID) -> Bool { all[Int(id.index)].trustsLedger }

    /// Ours, in order, with their phases and how far each is.
    var ours: [PublishingStatus.Partition] {
        all.filter { $0.phase != .away }
            .map { partition in
                PublishingStatus.Partition(
                    source: partition.source,
                    phase: partition.phase,
                    frontier: partition.tracker.frontier,
                    open: partition.tracker.openCount,
                    oldestOpenTime: partition.tracker.oldestOpenTime
                )
            }
            .sorted { ($0.source.topic, $0.source.number) < ($1.source.topic, $1.source.number) }
    }

    /// Takes a partition over.
    ///
    /// - Parameters:
    ///   - id: The partition.
    ///   - writer: Names this worker in its owner records.
    /// - Returns: The number of the assignment, for ``isRestoring(_:assignment:)``.
    mutating func assign(_ id: PartitionID, writer: UInt64) -> UInt32 {
        var next = Partition(source: all[Int(id.index)].source)
        next.assignment = all[Int(id.index)].assignment &+ 1
        next.reading = all[Int(id.index)].reading &+ 1
        next.writer = writer
        next.phase = .restoring
        all[Int(id.index)] = next
        return next.assignment
    }

    /// Whether the ledger of a partition is still to be read for an assignment.
    func isRestoring(_ id: PartitionID, assignment: UInt32) -> Bool {
        let partition = all[Int(id.index)]
        return partition.phase == .restoring && !partition.isRead && partition.assignment == assignment
    }

    /// Records that the ledger of a partition was read.
    ///
    /// - Parameters:
    ///   - id: One that is being restored.
    ///   - restored: The content of the ledger.
    ///   - hubs: The addresses of hubs by their labels, for the ledger.
    mutating func wasRead(_ id: PartitionID, _ restored: RestoredLedger, hubs: [String: String]) {
        var partition = all[Int(id.index)]
        let owner = restored.owners.latest(besides: partition.writer) ?? partition.previousOwner
        partition.previousOwner = owner
        let sourceEnd = restored.sourceEnd ?? .max
        partition.isRead = true
        partition.hubs = hubs
        partition.ledgerEnd = restored.ledgerEnd
        partition.trustsLedger = restored.fitsSource
        partition.bareBefore = Set(owner?.processed ?? [])
        partition.exposedBelow = owner.map { !$0.hasLeft } ?? false ? sourceEnd : 0
        let isSettled = owner.map(\.isSettled) ?? true
        partition.outcomesOpenBelow = isSettled ? 0 : sourceEnd
        all[Int(id.index)] = partition
    }

    /// The number that names this worker in its owner records of a partition.
    func writer(of id: PartitionID) -> UInt64 { all[Int(id.index)].writer }

    /// The addresses of hubs by their labels, for the ledger of a partition.
    func hubs(of id: PartitionID) -> [String: String] { all[Int(id.index)].hubs }

    /// Whether the owner before us did not give the partition back in order: what it sent at last may not be in the ledger.
    func hasCrashedOwner(_ id: PartitionID) -> Bool { all[Int(id.index)].previousOwner.map { !$0.hasLeft } ?? false }

    /// Has a ledger read once more, if others wrote to it between the last record that was read and the one that says whose
    /// the partition is now.
    ///
    /// - Returns: The number of the assignment, for the reading; `nil` if nobody did.
    mutating func readAgain(_ id: PartitionID, ledgerOffset: Int64) -> UInt32? {
        let partition = all[Int(id.index)]
        guard partition.phase == .restoring, partition.isRead, let end = partition.ledgerEnd, ledgerOffset > end else {
            return nil
        }
        all[Int(id.index)].term = ledgerOffset
        all[Int(id.index)].isRead = false
        return partition.assignment
    }

    /// The term of a partition whose ledger was read once more; `nil` if the ledger has yet to say whose it is.
    func claimedTerm(of id: PartitionID) -> Int64? {
        let partition = all[Int(id.index)]
        return partition.phase == .restoring && partition.term > 0 ? partition.term : nil
    }

    /// The term of a partition that this worker has begun with; `nil` before.
    func beganTerm(of id: PartitionID) -> Int64? {
        let partition = all[Int(id.index)]
        return partition.hasWorked ? partition.term : claimedTerm(of: id)
    }

    /// Records that a late writer's facts list outcomes that may not be confirmed.
    mutating func foundOpenOutcomes(_ closing: [StoryFacts.Closing], of id: PartitionID) {
        guard let last = closing.map(\.offset).max() else { return }
        all[Int(id.index)].outcomesOpenBelow = max(all[Int(id.index)].outcomesOpenBelow, last + 1)
    }

    /// Whether all outcomes that earlier owners had left unconfirmed are confirmed.
    func hasSettledEarlierOutcomes(of id: PartitionID) -> Bool {
        let partition = all[Int(id.index)]
        return partition.outcomesOpenBelow <= partition.tracker.watermark ?? 0
    }

    /// Records that others may own a partition already.
    mutating func lose(_ id: PartitionID) { all[Int(id.index)].isLost = true }

    /// Whether others may own a partition already.
    func isLost(_ id: PartitionID) -> Bool { all[Int(id.index)].isLost }

    /// The term of the present owner: the offset of the record of the ledger that says whose the partition is.
    func term(of id: PartitionID) -> Int64 { all[Int(id.index)].term }

    /// Whether an earlier owner may have sent an event that the ledger does not have.
    func isExposed(_ offset: Int64, of id: PartitionID) -> Bool { offset < all[Int(id.index)].exposedBelow }

    /// Begins to work on a partition whose ledger was read.
    ///
    /// - Returns: The records that came early; `nil` if the partition is not waiting for that.
    ///
    /// - Parameters:
    ///   - id: The partition.
    ///   - ledgerOffset: The offset below which the ledger's records are of earlier owners.
    mutating func work(on id: PartitionID, ledgerOffset: Int64) -> [IncomingRecord]? {
        guard all[Int(id.index)].phase == .restoring, all[Int(id.index)].isRead else { return nil }
        all[Int(id.index)].phase = .working
        all[Int(id.index)].hasWorked = true
        all[Int(id.index)].term = ledgerOffset
        defer { all[Int(id.index)].early = [] }
        return all[Int(id.index)].early
    }

    /// Begins a new term in a partition that is worked on: the ledger has confirmed its owner once more.
    mutating func renew(_ id: PartitionID, ledgerOffset: Int64) {
        guard all[Int(id.index)].phase == .working else { return }
        all[Int(id.index)].term = max(all[Int(id.index)].term, ledgerOffset)
    }

    mutating func keepForLater(_ record: IncomingRecord) {
        all[Int(record.partition.index)].early.append(record)
    }

    var isAnyDraining: Bool { all.contains { $0.phase == .draining } }

    /// The partitions that are being given back.
    var draining: [PartitionID] {
        all.indices.lazy.filter { all[$0].phase == .draining }.map { PartitionID(Int32($0)) }
    }

    /// Marks that the ledger was given the owner record of a give-back in order, or does not need it.
    ///
    /// - Returns: Whether that was not marked before; false if the ledger was never given our owner record of the partition.
    mutating func sayThatLeft(_ id: PartitionID) -> Bool {
        defer { all[Int(id.index)].hasSaidThatLeft = true }
        return !all[Int(id.index)].hasSaidThatLeft
    }

    /// The owner record of a partition that is given back before this worker has worked on it: what the earlier owner wrote
    /// as it left still applies.
    ///
    /// - Parameters:
    ///   - id: The partition.
    ///   - own: The record of this worker.
    /// - Returns: `nil` if this worker has worked on the partition.
    func ownerBefore(of id: PartitionID, as own: LedgerOwner) -> LedgerOwner? {
        let partition = all[Int(id.index)]
        guard !partition.hasWorked else { return nil }
        var owner = own
        owner.hasLeft = partition.previousOwner?.hasLeft ?? true
        owner.isSettled = partition.previousOwner?.isSettled ?? true
        owner.processed = partition.previousOwner?.processed ?? []
        return owner
    }

    /// Whether the ledger was given the owner record of the give-back of a partition, or does not need it.
    func hasSaidThatLeft(_ id: PartitionID) -> Bool {
        all[Int(id.index)].phase == .away || all[Int(id.index)].hasSaidThatLeft
    }

    mutating func drain(_ id: PartitionID) {
        guard all[Int(id.index)].phase != .away else { return }
        // If the ledger was not given our owner record, it has that of the previous owner.
        let partition = all[Int(id.index)]
        let isClaimed = partition.isRead || partition.term > 0
        if partition.phase == .restoring, !isClaimed { all[Int(id.index)].hasSaidThatLeft = true }
        all[Int(id.index)].phase = .draining
        all[Int(id.index)].early = []
    }

    /// Gives a partition up.
    ///
    /// - Returns: The offset to commit for it; `nil` where nothing of it was done.
    mutating func leave(_ id: PartitionID) -> Int64? {
        let watermark = all[Int(id.index)].tracker.watermark
        all[Int(id.index)].phase = .away
        all[Int(id.index)].early = []
        all[Int(id.index)].isCommitting = false
        all[Int(id.index)].tracker = OffsetTracker()
        return watermark
    }

    /// The offset after the last record that was taken up; 0 before the first, when it is not known what was read before.
    func frontier(of id: PartitionID) -> Int64 { all[Int(id.index)].tracker.frontier ?? 0 }

    /// The offset below which every record is done; `nil` before the first.
    func watermark(of id: PartitionID) -> Int64? { all[Int(id.index)].tracker.watermark }

    /// Takes up a record's offset.
    mutating func begin(_ offset: Int64, of id: PartitionID, writtenAt time: Timestamp?) -> OffsetTracker.Beginning {
        all[Int(id.index)].tracker.begin(offset, writtenAt: time)
    }

    /// Starts anew from an offset below one that was taken up: the log is another, or was cut.
    mutating func rewind(_ id: PartitionID, to offset: Int64, writtenAt time: Timestamp?) {
        all[Int(id.index)].tracker = OffsetTracker()
        all[Int(id.index)].reading &+= 1
        all[Int(id.index)].trustsLedger = false
        all[Int(id.index)].exposedBelow = 0
        _ = all[Int(id.index)].tracker.begin(offset, writtenAt: time)
    }

    /// Records that a record without a story is processed, because no story in the ledger has its offset.
    mutating func recordBare(_ place: RecordPlace) {
        guard all[Int(place.partition.index)].reading == place.reading else { return }
        let watermark = watermark(of: place.partition) ?? 0
        all[Int(place.partition.index)].bare = all[Int(place.partition.index)].bare.filter { $0 >= watermark }
        if place.offset >= watermark { all[Int(place.partition.index)].bare.append(place.offset) }
    }

    /// The processed records without a story that are not committed.
    func bare(of id: PartitionID) -> [Int64] {
        let watermark = watermark(of: id) ?? 0
        let before = all[Int(id.index)].trustsLedger ? all[Int(id.index)].bareBefore : []
        return before.union(all[Int(id.index)].bare).filter { $0 >= watermark }.sorted()
    }

    /// Whether the owner before has processed a record without a story.
    func wasProcessedBefore(_ place: RecordPlace) -> Bool {
        all[Int(place.partition.index)].trustsLedger
            && all[Int(place.partition.index)].bareBefore.contains(place.offset)
    }

    /// Marks a record as done.
    mutating func complete(_ place: RecordPlace) {
        guard all[Int(place.partition.index)].reading == place.reading else { return }
        all[Int(place.partition.index)].tracker.complete(place.offset)
        hasMoved = true
    }

    /// The offsets to commit now; each is taken once.
    mutating func takeCommits() -> [SourcePartition: Int64] {
        hasMoved = false
        var offsets: [SourcePartition: Int64] = [:]
        for index in all.indices where all[index].phase == .working {
            // Its answer makes it move again.
            guard !all[index].isCommitting, let offset = all[index].tracker.takeCommit() else { continue }
            all[index].isCommitting = true
            offsets[all[index].source] = offset
        }
        return offsets
    }

    /// Takes the answer to a commit; one that failed is tried again with the next.
    mutating func commitEnded(_ source: SourcePartition, succeeded: Bool) {
        guard let id = ids[source] else { return }
        all[Int(id.index)].isCommitting = false
        if !succeeded { all[Int(id.index)].tracker.forgetCommit() }
        // What was done meanwhile is still to be committed.
        hasMoved = true
    }
}
