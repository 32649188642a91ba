import NewsflashTimestamps

/// The requests, by partition, that a crash now could send twice: a hub accepted them, and no confirmed record of the ledger
/// contains them. Requests in flight are counted by their hubs.
///
/// A partition is *stalled* if it has requests at risk and its ledger has confirmed nothing for ``patience``, for
/// instance because the broker that leads it has died. The requests at risk of stalled partitions are counted separately, so
/// that the worker's other partitions go on. When they reach the bound for all stalled partitions together, these partitions
/// are paused until the ledger confirms something. If no partition's ledger confirms anything, nothing is counted separately:
/// the cause is not one broker, and the bound pauses.
struct RequestsAtRisk: Sendable {
    /// A partition that must be paused, or may go on.
    struct Change: Equatable, Sendable {
        var partition: PartitionID
        var isPaused: Bool
    }

    private struct Partition: Sendable {
        var count = 0
        /// The last confirmation, or the time at which the first request became at risk.
        var lastConfirmed = Instant(nanoseconds: 0)
        var isStalled = false
        var isPaused = false
    }

    /// How long a ledger may confirm nothing. Brokers take milliseconds, and at worst about a second.
    static let patience = Duration.milliseconds(500)

    /// The partitions by their numbers.
    private var partitions: [Partition] = []
    /// The number of requests at risk in all partitions.
    private(set) var count = 0
    /// The number of requests at risk in stalled partitions.
    private(set) var stalledCount = 0
    /// The last confirmation of any partition.
    private var latestConfirmation: Instant?
    /// The time of the last check for stalled partitions.
    private var lastLook: Instant?

    /// When ``updatePauses(now:limit:)`` can find another stalled partition; `nil` if no other partition has requests at risk.
    var nextChange: Instant? {
        partitions.lazy.filter { $0.count > 0 && !$0.isStalled }.map { $0.lastConfirmed + Self.patience }.min()
    }

    /// The number of requests that may be at risk or in flight.
    ///
    /// Up to ``RiskLimit/total`` requests at risk of stalled partitions do not reduce the room of the others. If no ledger
    /// confirms anything, they do; urgent requests then have room up to twice the limit, because no confirmation will make
    /// room.
    ///
    /// - Parameters:
    ///   - isUrgent: Whether the request cannot wait: a flash, or the end of an embargo.
    ///   - now: The current time.
    ///   - limit: The bound if all ledgers confirm.
    /// - Returns: From the limit without its reserve to twice the limit.
    func room(isUrgent: Bool, now: Instant, limit: RiskLimit) -> Int {
        let room = limit.total - (isUrgent ? 0 : limit.reserve)
        guard stalledCount > 0 else { return room }
        if let latestConfirmation, now < latestConfirmation + Self.patience {
            return room + min(stalledCount, limit.total)
        }
        return isUrgent && stalledCount == count ? 2 * limit.total : room
    }

    /// Counts a request that a hub accepted, before the ledger contains it.
    mutating func began(in partition: PartitionID, now: Instant) {
        let index = Int(partition.index)
        while partitions.count <= index { partitions.append(Partition()) }
        if partitions[index].count == 0 { partitions[index].lastConfirmed = now }
        partitions[index].count += 1
        count += 1
        if partitions[index].isStalled { stalledCount += 1 }
    }

    /// Records that the ledger of a partition has confirmed a batch.
    ///
    /// - Parameters:
    ///   - ended: The number of requests that are not at risk any more.
    ///   - partition: The partition of the batch.
    ///   - now: The current time.
    mutating func confirmed(_ ended: Int, in partition: PartitionID, now: Instant) {
        let index = Int(partition.index)
        guard index < partitions.count else { return }
        resume(index)
        partitions[index].count -= ended
        partitions[index].lastConfirmed = now
        latestConfirmation = now
        count -= ended
    }

    /// Forgets the requests at risk of partitions that were given up.
    mutating func forget(_ gone: Set<PartitionID>) {
        for index in gone.lazy.map({ Int($0.index) }) where index < partitions.count {
            resume(index)
            count -= partitions[index].count
            partitions[index].count = 0
        }
    }

    /// Pauses partitions that have become stalled, and ends pauses.
    ///
    /// A suspended worker could not receive confirmations, so the time of the suspension does not count.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - limit: The number of requests that stalled partitions may have at risk together.
    /// - Returns: The partitions that must be paused, or may go on, in order.
    mutating func updatePauses(now: Instant, limit: Int) -> [Change] {
        // While requests are at risk, this runs at least once every `patience`.
        let stoodStill = lastLook.map { now - $0 > Self.patience * 2 } ?? false
        lastLook = now
        for index in partitions.indices where partitions[index].count > 0 && !partitions[index].isStalled {
            if stoodStill { partitions[index].lastConfirmed = now }
            guard partitions[index].lastConfirmed + Self.patience <= now else { continue }
            partitions[index].isStalled = true
            stalledCount += partitions[index].count
        }
        let isFull = stalledCount >= limit
        var changes: [Change] = []
        for index in partitions.indices where partitions[index].isPaused != (partitions[index].isStalled && isFull) {
            partitions[index].isPaused.toggle()
            let partition = PartitionID(Int32(index))
            changes.append(Change(partition: partition, isPaused: partitions[index].isPaused))
        }
        return changes
    }

    private mutating func resume(_ index: Int) {
        guard partitions[index].isStalled else { return }
        partitions[index].isStalled = false
        stalledCount -= partitions[index].count
    }
}
