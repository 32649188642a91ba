import Publishing
import Timestamps

/// How far a partition is behind.
struct PartitionLag: Sendable, Equatable {
    var source: SourcePartition
    /// Records that are not done, those not read included.
    var records: Int64
    /// Since the oldest of them was written; zero where all are done.
    var age: Duration
}

/// Works out how far partitions are behind, from what their leaders and the publishing machine say.
///
/// A value without I/O. What was read and is not done the machine knows, and how old it is; what was not read lies between
/// the reader's place and the partition's end. Only the leader knows that end while reading is stopped, so it is asked in
/// rounds, and what is said of the present uses the latest answer.
struct LagReckoning: Sendable {
    /// What one round found out of a partition.
    private struct Sight {
        var end: Int64
        /// Where the reader was. What it has passed by the next round and the machine has not taken up is no record, such as
        /// the mark at the end of a transaction.
        var position: Int64?
        var seenAt: Instant
    }

    /// The first record that was not read, and when it was written, or seen first where that is not known.
    private struct First {
        var offset: Int64
        var time: Timestamp
        var isAsked = false
    }

    private var latest: [SourcePartition: Sight] = [:]
    private var earlier: [SourcePartition: Sight] = [:]
    private var firsts: [SourcePartition: First] = [:]

    /// Takes the answers of a round.
    ///
    /// - Parameters:
    ///   - ends: The offset after the last record of each partition whose leader answered; of others the older answer stays.
    ///   - positions: Where the reader is.
    ///   - partitions: Ours; of others everything is forgotten.
    ///   - snapshot: What the machine says.
    ///   - now: The present.
    /// - Returns: The first records that were not read, of which nothing tells how old they are.
    mutating func looked(
        ends: [SourcePartition: Int64],
        positions: [SourcePartition: Int64],
        of partitions: [PublishingStatus.Partition],
        in snapshot: PublishingSnapshot,
        now: Moment
    ) -> [SourcePartition: Int64] {
        let ours = Set(partitions.map(\.source))
        for (source, end) in ends where ours.contains(source) {
            earlier[source] = latest[source]
            latest[source] = Sight(end: end, position: positions[source], seenAt: now.instant)
        }
        latest = latest.filter { ours.contains($0.key) }
        earlier = earlier.filter { ours.contains($0.key) }
        firsts = firsts.filter { ours.contains($0.key) }
        var unknown: [SourcePartition: Int64] = [:]
        for partition in partitions where partition.open == 0 {
            guard let first = firstUnread(of: partition, in: snapshot) else {
                firsts[partition.source] = nil
                continue
            }
            if let known = firsts[partition.source], known.offset == first {
                // Nothing reads it, or it would have gone by: then it is worth a look how old it is.
                if !known.isAsked { unknown[partition.source] = first }
            } else {
                firsts[partition.source] = First(offset: first, time: now.wall)
                if partition.frontier == nil { unknown[partition.source] = first }
            }
        }
        return unknown
    }

    /// Takes note of when records were written that ``looked(ends:positions:of:in:now:)`` named.
    ///
    /// - Parameters:
    ///   - times: By partitions; what is not known any more is left out.
    ///   - offsets: What was asked for.
    mutating func firstsAreKnown(_ times: [SourcePartition: Timestamp], of offsets: [SourcePartition: Int64]) {
        for (source, offset) in offsets where firsts[source]?.offset == offset {
            firsts[source]?.isAsked = true
            if let time = times[source] { firsts[source]?.time = time }
        }
    }

    /// How far the partitions of a snapshot are behind.
    ///
    /// - Parameters:
    ///   - snapshot: What the machine says.
    ///   - now: The present.
    /// - Returns: In their order; those whose leader has not been heard yet with what was read of them.
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

    /// The offset of the first record that was not taken up; `nil` where all were, as far as is known.
    private func firstUnread(of partition: PublishingStatus.Partition, in snapshot: PublishingSnapshot) -> Int64? {
        guard let sight = latest[partition.source] else { return nil }
        var start = partition.frontier
        if let earlier = earlier[partition.source], let position = earlier.position, snapshot.hasTakenAll,
            let takenAt = snapshot.takenAt, takenAt > earlier.seenAt
        {
            start = max(start ?? position, position)
        }
        // Where the reader begins it has a place before it has read anything; where it has none it begins at the end.
        let first = start ?? sight.position ?? sight.end
        return first < sight.end ? first : nil
    }
}
