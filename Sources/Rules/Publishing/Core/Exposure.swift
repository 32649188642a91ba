import Timestamps

/// The requests, by partition, that a crash now could send twice: a hub accepted them, and no confirmed record of the ledger
/// has them. Requests in flight are counted by their hubs.
///
/// A partition is *stalled* (`isUnheard`) if it has requests at risk and its ledger has confirmed nothing for ``patience``, for
/// instance because the broker that leads it has died. The requests at risk of stalled partitions are counted separately, so
/// that the worker's other partitions go on. When they reach the bound for all stalled partitions together, these partitions
/// are paused until the ledger confirms something. If no partition's ledger confirms anything, nothing is counted separately:
/// the cause is not one broker, and the bound holds.
struct Exposure: Sendable {
    /// A partition that must be paused, or may go on.
    struct Change: Equatable, Sendable {
        var partition: PartitionID
        var isPaused: Bool
    }

    private struct Partition: Sendable {
        var count = 0
        /// The last confirmation, or the time at which the first request came to be at risk.
        var heard = Instant(nanoseconds: 0)
        var isUnheard = false
        var isPaused = false
    }

    /// How long a ledger may confirm nothing. Brokers take milliseconds, and a second on a bad day.
    static let patience = Duration.milliseconds(500)

    /// By the partition's number.
    private var partitions: [Partition] = []
    /// The number of requests at risk in all partitions.
    private(set) var count = 0
    /// Of these, the requests of stalled partitions.
    private(set) var unheardCount = 0
    /// The last confirmation of any partition.
    private var lastHeard: Instant?

    /// When ``takeChanges(now:limit:)`` will find another stalled partition; `nil` if no other partition has requests at risk.
    var nextChange: Instant? {
        partitions.lazy.filter { $0.count > 0 && !$0.isUnheard }.map { $0.heard + Self.patience }.min()
    }

    /// The number of requests that may be at risk or in flight.
    ///
    /// Up to ``ExposureLimit/total`` requests at risk of stalled partitions take no room from the others. If no ledger
    /// confirms anything, they do; urgent requests then have room up to twice the limit, because no confirmation will make
    /// room.
    ///
    /// - Parameters:
    ///   - isUrgent: Whether it cannot wait, as a flash and the end of an embargo.
    ///   - now: The current time.
    ///   - limit: The bound if all ledgers confirm.
    /// - Returns: From the limit without its reserve to twice the limit.
    func room(isUrgent: Bool, now: Instant, limit: ExposureLimit) -> Int {
        let room = limit.total - (isUrgent ? 0 : limit.reserve)
        guard unheardCount > 0 else { return room }
        if let lastHeard, now < lastHeard + Self.patience { return room + min(unheardCount, limit.total) }
        return isUrgent && unheardCount == count ? 2 * limit.total : room
    }

    /// Counts a request that a hub accepted, before the ledger has it.
    mutating func began(in partition: PartitionID, now: Instant) {
        let index = Int(partition.index)
        while partitions.count <= index { partitions.append(Partition()) }
        if partitions[index].count == 0 { partitions[index].heard = now }
        partitions[index].count += 1
        count += 1
        if partitions[index].isUnheard { unheardCount += 1 }
    }

    /// Records that the ledger of a partition has confirmed a batch.
    ///
    /// - Parameters:
    ///   - ended: How many requests it took out of risk.
    ///   - partition: The batch's.
    ///   - now: The current time.
    mutating func confirmed(_ ended: Int, in partition: PartitionID, now: Instant) {
        let index = Int(partition.index)
        guard index < partitions.count else { return }
        hear(index)
        partitions[index].count -= ended
        partitions[index].heard = now
        lastHeard = now
        count -= ended
    }

    /// Forgets the requests at risk of partitions that have left.
    mutating func forget(_ gone: Set<PartitionID>) {
        for index in gone.lazy.map({ Int($0.index) }) where index < partitions.count {
            hear(index)
            count -= partitions[index].count
            partitions[index].count = 0
        }
    }

    /// Finds the partitions that have become stalled.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - limit: The number of requests that stalled partitions may have at risk together.
    /// - Returns: The partitions that must be paused, or may go on, in order.
    mutating func takeChanges(now: Instant, limit: Int) -> [Change] {
        for index in partitions.indices where partitions[index].count > 0 && !partitions[index].isUnheard {
            guard partitions[index].heard + Self.patience <= now else { continue }
            partitions[index].isUnheard = true
            unheardCount += partitions[index].count
        }
        let isFull = unheardCount >= limit
        var changes: [Change] = []
        for index in partitions.indices where partitions[index].isPaused != (partitions[index].isUnheard && isFull) {
            partitions[index].isPaused.toggle()
            let partition = PartitionID(Int32(index))
            changes.append(Change(partition: partition, isPaused: partitions[index].isPaused))
        }
        return changes
    }

    private mutating func hear(_ index: Int) {
        guard partitions[index].isUnheard else { return }
        partitions[index].isUnheard = false
        unheardCount -= partitions[index].count
    }
}
