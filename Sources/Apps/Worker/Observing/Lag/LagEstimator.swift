import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions

/// The lag of a partition.
struct PartitionLag: Sendable, Equatable {
    var source: TopicPartition
    /// The number of unprocessed records, including unread ones.
    var records: Int64
    /// The time since the oldest of them was written; zero if all are processed.
    var age: Duration
}

/// Computes the lag of partitions from the responses of their leaders and the status of the publishing core.
///
/// A value without I/O. The core has the number and age of records that were read and are not processed. Unread records are
/// between the consumer's position and the partition's end. Only the leader knows the end while reading is paused, so leaders
/// are asked in rounds, and the current lag is computed from the latest response.
struct LagEstimator: Sendable {
    /// The result of one round for a partition.
    private struct Observation {
        var end: Int64
        /// The position of the consumer. Offsets before it that the core has not received by the next round are not records; an
        /// example is the marker at the end of a transaction.
        var position: Int64?
        var seenAt: Instant
    }

    /// The first unread record, and when it was written; if that is not known, when it was first seen.
    private struct First {
        var offset: Int64
        var time: Timestamp
        var isAsked = false
    }

    private var latest: [TopicPartition: Observation] = [:]
    private var earlier: [TopicPartition: Observation] = [:]
    private var firsts: [TopicPartition: First] = [:]

    /// Records the responses of a round.
    ///
    /// - Parameters:
    ///   - ends: The offset after the last record of each partition whose leader responded. Others keep the earlier response.
    ///   - positions: The positions of the consumer.
    ///   - partitions: Our partitions; all others are forgotten.
    ///   - snapshot: The status of the core.
    ///   - now: The current time.
    /// - Returns: The first unread records whose age is not known.
    mutating func recordRound(
        ends: [TopicPartition: Int64],
        positions: [TopicPartition: Int64],
        of partitions: [PublishingStatus.Partition],
        in snapshot: PublishingSnapshot,
        now: Moment
    ) -> [TopicPartition: Int64] {
        let ours = Set(partitions.map(\.source))
        for (source, end) in ends where ours.contains(source) {
            earlier[source] = latest[source]
            latest[source] = Observation(end: end, position: positions[source], seenAt: now.instant)
        }
        latest = latest.filter { ours.contains($0.key) }
        earlier = earlier.filter { ours.contains($0.key) }
        firsts = firsts.filter { ours.contains($0.key) }
        var unknown: [TopicPartition: Int64] = [:]
        for partition in partitions where partition.open == 0 {
            guard let first = firstUnread(of: partition, in: snapshot) else {
                firsts[partition.source] = nil
                continue
            }
            if let known = firsts[partition.source], known.offset == first {
                // Nothing has read it since the previous round, so its age is worth a query.
                if !known.isAsked { unknown[partition.source] = first }
            } else {
                firsts[partition.source] = First(offset: first, time: now.wall)
                if partition.frontier == nil { unknown[partition.source] = first }
            }
        }
        return unknown
    }

    /// Records when the records returned by ``recordRound(ends:positions:of:in:now:)`` were written.
    ///
    /// - Parameters:
    ///   - times: The times by partition; unknown ones are missing.
    ///   - offsets: The requested offsets.
    mutating func recordFirstTimes(_ times: [TopicPartition: Timestamp], of offsets: [TopicPartition: Int64]) {
        for (source, offset) in offsets where firsts[source]?.offset == offset {
            firsts[source]?.isAsked = true
            if let time = times[source] { firsts[source]?.time = time }
        }
    }

    /// The lags of the partitions of a snapshot.
    ///
    /// - Returns: The lags in the snapshot's order. Without a response of the leader, only read records count.
    func lags(in snapshot: PublishingSnapshot, now: Timestamp) -> [PartitionLag] {
        (snapshot.status?.partitions ?? []).map { partition in
            let first = firstUnread(of: partition, in: snapshot)
            let end = latest[partition.source]?.end ?? 0
            let unread = first.map { max(0, end - $0) } ?? 0
            var oldest = partition.oldestOpenTime
            if oldest == nil, let first {
                let known = firsts[partition.source].flatMap { $0.offset == first ? $0.time : nil }
                oldest = known ?? now
            }
            return PartitionLag(
                source: partition.source,
                records: unread + Int64(partition.open),
                age: oldest.map { max(.zero, now - $0) } ?? .zero
            )
        }
    }

    /// The offset of the first record that the core has not received; `nil` if it has received all known ones.
    private func firstUnread(of partition: PublishingStatus.Partition, in snapshot: PublishingSnapshot) -> Int64? {
        guard let observation = latest[partition.source] else { return nil }
        var start = partition.frontier
        if let earlier = earlier[partition.source], let position = earlier.position, snapshot.hasTakenAll,
            let takenAt = snapshot.takenAt, takenAt > earlier.seenAt
        {
            start = max(start ?? position, position)
        }
        // The consumer may have a start position before it has read anything. Without one it starts at the end.
        let first = start ?? observation.position ?? observation.end
        return first < observation.end ? first : nil
    }
}
