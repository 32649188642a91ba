import NewsflashPublishing
import NewsflashTopicPartitions

/// The records to read again, and the offsets where reading starts.
///
/// Reading starts at the oldest request. Other requested records that are read on the way are answered too: stories evicted
/// from memory together are close together in the ledger. A value without I/O: it receives facts and returns steps.
struct RecallQueue: Sendable {
    /// A request for one record.
    struct Order: Sendable {
        var recall: RecallRequest
        /// The topic of events.
        var source: String
        var partition: TopicPartition
        var offset: Int64
    }

    /// A step for the reader.
    enum Step: Sendable, Equatable {
        /// Read a partition from an offset; restart if it is being read already.
        case read(TopicPartition, from: Int64)
        case stop(TopicPartition)
    }

    private enum Phase: Sendable, Equatable {
        case resting
        /// Reading was requested. Records received before it has started belong to an earlier one.
        case starting(TopicPartition, at: Int64)
        /// The start offset, and the next offset that was not received.
        case reading(TopicPartition, from: Int64, next: Int64)
    }

    /// The maximum number of records skipped on the way to the oldest request. If there are more, reading restarts there.
    static let reach: Int64 = 1000

    private var orders: [Order] = []
    private var phase = Phase.resting

    /// Adds a request.
    ///
    /// - Parameter order: The request. It is answered after earlier ones, or while records for them are read.
    /// - Returns: The steps, in order.
    mutating func add(_ order: Order) -> [Step] {
        orders.append(order)
        return phase == .resting ? goOn() : []
    }

    /// Records that reading has started.
    mutating func started(_ partition: TopicPartition) {
        guard case .starting(partition, let offset) = phase else { return }
        phase = .reading(partition, from: offset, next: offset)
    }

    /// Receives records.
    ///
    /// - Parameters:
    ///   - partition: Their partition.
    ///   - last: The offset of the last one.
    /// - Returns: The requests answered by this, whose record was received or no longer exists; and the steps.
    mutating func came(of partition: TopicPartition, upTo last: Int64) -> (ended: [Order], steps: [Step]) {
        guard case .reading(partition, let start, let next) = phase, last >= next else { return ([], []) }
        var ended: [Order] = []
        orders.removeAll { order in
            guard order.partition == partition, (next...last).contains(order.offset) else { return false }
            ended.append(order)
            return true
        }
        phase = .reading(partition, from: start, next: last + 1)
        return (ended, goOn())
    }

    /// The request that reading started for, if the partition ends before its record. After a change of leaders the new leader
    /// shows the latest records a moment late.
    ///
    /// - Parameters:
    ///   - end: The offset that the next record will get.
    ///   - partition: The partition that was read to its end.
    /// - Returns: `nil` if the end concerns no request, or means that the record no longer exists.
    func orderBeyond(_ end: Int64, of partition: TopicPartition) -> RecallID? {
        guard case .reading(partition, let start, _) = phase, let oldest = orders.first, oldest.offset == start,
            end <= start
        else { return nil }
        return oldest.recall.id
    }

    /// The oldest unanswered request.
    var oldest: RecallID? { orders.first?.recall.id }

    /// The request that a partition is read for.
    func order(readFor partition: TopicPartition) -> RecallID? {
        switch phase {
        case .starting(partition, _), .reading(partition, _, _): oldest
        case .resting, .starting, .reading: nil
        }
    }

    /// Restarts reading for a request, if it is still the oldest.
    mutating func readAnew(for id: RecallID) -> [Step] {
        oldest == id ? goOn(anew: true) : []
    }

    /// Gives up a request that reading started for, if it is still the oldest.
    ///
    /// - Returns: The request if it was given up; and the steps.
    mutating func giveUp(_ id: RecallID) -> (ended: Order?, steps: [Step]) {
        guard case .reading(let partition, let start, _) = phase, let oldest = orders.first, oldest.recall.id == id,
            oldest.offset == start
        else { return (nil, []) }
        return nothingMore(of: partition)
    }

    /// Ends the request that reading started for: the end of the partition was reached, or the log does not have the offset.
    ///
    /// - Returns: The request if reading started for it and found nothing; and the steps.
    mutating func nothingMore(of partition: TopicPartition) -> (ended: Order?, steps: [Step]) {
        guard case .reading(partition, let start, _) = phase, let oldest = orders.first else { return (nil, []) }
        // A record expected on the way may have been written after reading started, so reading restarts for it.
        let hasBegunForIt = oldest.offset == start
        if hasBegunForIt { orders.removeFirst() }
        return (hasBegunForIt ? oldest : nil, goOn(anew: true))
    }

    /// Continues to the oldest request if it is ahead in the same partition, otherwise restarts for it.
    private mutating func goOn(anew isAnew: Bool = false) -> [Step] {
        guard let oldest = orders.first else {
            guard case .reading(let partition, _, _) = phase else { return [] }
            phase = .resting
            return [.stop(partition)]
        }
        if !isAnew, case .reading(oldest.partition, _, let next) = phase, oldest.offset >= next,
            oldest.offset - next <= Self.reach
        {
            return []
        }
        var steps: [Step] = []
        if case .reading(let partition, _, _) = phase, partition != oldest.partition { steps = [.stop(partition)] }
        phase = .starting(oldest.partition, at: oldest.offset)
        return steps + [.read(oldest.partition, from: oldest.offset)]
    }
}
