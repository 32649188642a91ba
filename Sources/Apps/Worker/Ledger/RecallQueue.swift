import Kafka
import Publishing

/// Which records are to be read again, and where reading begins for them.
///
/// The oldest order says where. What else is asked for and comes on the way is answered as well: stories that memory gave up
/// together lie together in the ledger. A value without I/O: facts go in, steps come out.
struct RecallQueue: Sendable {
    /// One record that is asked for.
    struct Order: Sendable {
        var recall: RecallOrder
        /// The topic of the events.
        var source: String
        var partition: KafkaTopicPartition
        var offset: Int64
    }

    /// What to do.
    enum Step: Sendable, Equatable {
        /// Read a partition from an offset on, anew where it is read already.
        case read(KafkaTopicPartition, from: Int64)
        case stop(KafkaTopicPartition)
    }

    private enum Phase: Sendable, Equatable {
        case resting
        /// A reading was asked for; what comes until it has begun is of an earlier one.
        case starting(KafkaTopicPartition, at: Int64)
        /// Where it began, and the offset from which on nothing has come yet.
        case reading(KafkaTopicPartition, from: Int64, next: Int64)
    }

    /// How many records are passed over on the way to the oldest order, rather than begin anew there.
    static let reach: Int64 = 1000

    private var orders: [Order] = []
    private var phase = Phase.resting

    /// Takes an order.
    ///
    /// - Parameter order: Answered later than those before it, or on their way.
    /// - Returns: What to do, in order.
    mutating func add(_ order: Order) -> [Step] {
        orders.append(order)
        return phase == .resting ? goOn() : []
    }

    /// Takes note that a reading has begun.
    mutating func started(_ partition: KafkaTopicPartition) {
        guard case .starting(partition, let offset) = phase else { return }
        phase = .reading(partition, from: offset, next: offset)
    }

    /// Takes note of records that came.
    ///
    /// - Parameters:
    ///   - partition: Whose they are.
    ///   - last: The offset of the last of them.
    /// - Returns: The orders that end by that: each has its record among them, or the log has it no more. And what to do.
    mutating func came(of partition: KafkaTopicPartition, upTo last: Int64) -> (ended: [Order], steps: [Step]) {
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

    /// The order for which reading began, if the partition ends before its record: after a change of leaders the new one shows
    /// the latest records a moment late.
    ///
    /// - Parameters:
    ///   - end: The offset that the next record will get.
    ///   - partition: The partition that was read to its end.
    /// - Returns: `nil` if the end tells about no order, or that its record is gone.
    func orderBeyond(_ end: Int64, of partition: KafkaTopicPartition) -> RecallID? {
        guard case .reading(partition, let start, _) = phase, let oldest = orders.first, oldest.offset == start,
            end <= start
        else { return nil }
        return oldest.recall.id
    }

    /// The order that was made first and is not answered.
    var oldest: RecallID? { orders.first?.recall.id }

    /// The order for which a partition is read.
    func order(readFor partition: KafkaTopicPartition) -> RecallID? {
        switch phase {
        case .starting(partition, _), .reading(partition, _, _): oldest
        case .resting, .starting, .reading: nil
        }
    }

    /// Starts to read once more for an order, if it is still the oldest.
    mutating func readAnew(for id: RecallID) -> [Step] {
        oldest == id ? goOn(anew: true) : []
    }

    /// Gives up an order for which reading began, if it is still the oldest.
    ///
    /// - Returns: The order, if it was given up; and what to do.
    mutating func giveUp(_ id: RecallID) -> (ended: Order?, steps: [Step]) {
        guard case .reading(let partition, let start, _) = phase, let oldest = orders.first, oldest.recall.id == id,
            oldest.offset == start
        else { return (nil, []) }
        return nothingMore(of: partition)
    }

    /// Ends the order for which reading began: the end of the partition was reached, or the log has no such offset.
    ///
    /// - Parameter partition: Which one.
    /// - Returns: The order that ends by that, where reading began for it and found nothing; and what to do.
    mutating func nothingMore(of partition: KafkaTopicPartition) -> (ended: Order?, steps: [Step]) {
        guard case .reading(partition, let start, _) = phase, let oldest = orders.first else { return (nil, []) }
        // One that was to come on the way may have been written since: reading begins anew for it.
        let hasBegunForIt = oldest.offset == start
        if hasBegunForIt { orders.removeFirst() }
        return (hasBegunForIt ? oldest : nil, goOn(anew: true))
    }

    /// Reads on to the oldest order, which is of the partition that is read, or begins anew for it.
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
