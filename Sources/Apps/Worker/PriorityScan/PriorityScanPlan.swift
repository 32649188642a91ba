import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions

/// Decides what the priority scan reads.
///
/// While the consumer lags, the end of each partition is followed, so that new records are seen at once, and the records
/// between the consumer and the start of following are searched. A value without I/O: it receives facts and returns steps.
struct PriorityScanPlan: Sendable {
    /// A step for the scan.
    enum Order: Sendable, Equatable {
        /// Create the readers.
        case open
        /// Read new records.
        case follow(TopicPartition)
        /// Read from an offset until stopped.
        case search(TopicPartition, from: Int64)
        case stopSearching(TopicPartition)
        case stop(TopicPartition)
        /// Close the readers.
        case close
    }

    /// The progress of the consumer in one partition.
    struct Progress: Sendable, Equatable {
        /// The next offset it reads; `nil` if not known yet.
        var position: Int64?
        /// The last known offset after the last record.
        var end: Int64?
    }

    /// The reading of one partition.
    private enum Reading: Sendable, Equatable {
        /// Its end was requested; nothing was received yet.
        case joining
        /// Its end and the records before an offset.
        case searching(until: Int64)
        /// Only its end.
        case following
    }

    private enum Phase: Sendable {
        case resting
        /// The consumer was at its limit once, which may pass.
        case suspecting
        /// Reading; with the last time that the consumer lagged.
        case reading([TopicPartition: Reading], needed: Instant)
    }

    /// Above this number of unread records the consumer lags even if it is not at its limit.
    static let longestLag: Int64 = 5000
    /// How long the scan continues after the consumer has caught up.
    static let patience = Duration.seconds(10)

    private var phase = Phase.resting
    private var progress: [TopicPartition: Progress] = [:]

    var isReading: Bool {
        if case .reading = phase { true } else { false }
    }

    /// Records the progress of the consumer; called about ten times a second.
    ///
    /// - Parameters:
    ///   - progress: The progress in each partition that is processed.
    ///   - isFull: Whether the consumer has reached its read-ahead limit.
    ///   - now: The current time.
    /// - Returns: The steps, in order.
    mutating func update(
        with progress: [TopicPartition: Progress],
        isFull: Bool,
        now: Instant
    ) -> [Order] {
        self.progress = progress
        let isFarBehind = progress.values.contains { ($0.end ?? 0) - ($0.position ?? $0.end ?? 0) > Self.longestLag }
        switch phase {
        case .resting where isFarBehind, .suspecting where isFull || isFarBehind:
            phase = .reading([:], needed: now)
            return [.open] + keepUp([:], needed: now)
        case .resting:
            if isFull { phase = .suspecting }
            return []
        case .suspecting:
            phase = .resting
            return []
        case .reading(let readings, let needed):
            let needed = isFull || isFarBehind ? now : needed
            guard now - needed < Self.patience else {
                phase = .resting
                return [.close]
            }
            return keepUp(readings, needed: needed)
        }
    }

    /// Joins new partitions, stops revoked ones, and stops searching where the consumer has been.
    private mutating func keepUp(
        _ present: [TopicPartition: Reading],
        needed: Instant
    ) -> [Order] {
        var readings = present
        var orders: [Order] = []
        for partition in present.keys where progress[partition] == nil {
            readings[partition] = nil
            orders.append(.stop(partition))
        }
        for (partition, progress) in progress {
            switch readings[partition] {
            case nil:
                readings[partition] = .joining
                orders.append(.follow(partition))
            case .searching(let end) where progress.position.map({ $0 >= end }) ?? false:
                readings[partition] = .following
                orders.append(.stopSearching(partition))
            case .joining, .following, .searching:
                break
            }
        }
        phase = .reading(readings, needed: needed)
        return orders
    }

    /// Records the first sign of a partition's end: the records between the consumer and this offset must be searched.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - offset: The offset where following started.
    /// - Returns: The steps.
    mutating func joined(_ partition: TopicPartition, at offset: Int64) -> [Order] {
        guard case .reading(var readings, let needed) = phase, readings[partition] == .joining else { return [] }
        let position = progress[partition]?.position
        let start = position.flatMap { $0 < offset ? $0 : nil }
        readings[partition] = start == nil ? .following : .searching(until: offset)
        phase = .reading(readings, needed: needed)
        return start.map { [.search(partition, from: $0)] } ?? []
    }

    /// Records the progress of searching.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - offset: The next offset to search; `nil` if searching cannot continue.
    /// - Returns: The steps.
    mutating func searched(_ partition: TopicPartition, upTo offset: Int64?) -> [Order] {
        guard case .reading(var readings, let needed) = phase, case .searching(let end) = readings[partition],
            (offset ?? end) >= end
        else { return [] }
        readings[partition] = .following
        phase = .reading(readings, needed: needed)
        return [.stopSearching(partition)]
    }

    /// Records that a partition's end can no longer be followed; it is joined again.
    mutating func lost(_ partition: TopicPartition) -> [Order] {
        guard case .reading(var readings, let needed) = phase, readings[partition] != nil else { return [] }
        readings[partition] = nil
        phase = .reading(readings, needed: needed)
        return [.stop(partition)]
    }
}
