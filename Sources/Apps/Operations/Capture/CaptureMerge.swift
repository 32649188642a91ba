import NewsflashTimestamps
import NewsflashTopicPartitions

/// The records of partitions in the order of time, merged while they are read. The number of records in memory does not
/// depend on the number of all records.
///
/// A record is never before an earlier one of its partition, even if clocks of producers differ. Records of the same time are
/// sorted by topic, partition and offset.
struct CaptureMerge {
    /// The next records of a partition.
    struct Part: Sendable {
        /// The records in the order of their offsets.
        var records: [CapturedRecord]
        /// The offset from which to read on.
        var next: Int64

        init(records: [CapturedRecord], next: Int64) {
            (self.records, self.next) = (records, next)
        }
    }

    /// Reads the next records of some partitions.
    ///
    /// - Parameter spans: The offsets that have not been read. None is empty.
    /// - Returns: The next part of each, at most as large as the reader's own limit.
    typealias Read =
        @Sendable (_ spans: [TopicPartition: ScanSpan]) async throws(OperationError) -> [TopicPartition: Part]

    private struct Partition {
        let id: TopicPartition
        var unread: ScanSpan
        /// The latest part, after the rest of the part before.
        var records: ArraySlice<CapturedRecord> = []
        /// The number of records in the latest part.
        var partCount = 0
        /// The latest time of the records that were merged.
        var latest = Timestamp(nanoseconds: .min)

        /// Whether its next record has to be read before anything is merged.
        var isAwaited: Bool { records.isEmpty && !unread.isEmpty }
        /// Whether it is read together with awaited partitions, so that it is not awaited soon after.
        var isLow: Bool { records.count <= partCount / 2 && !unread.isEmpty }
    }

    private var partitions: [Partition]
    private let read: Read

    /// Creates a merge.
    ///
    /// - Parameters:
    ///   - spans: The offsets of each partition.
    ///   - read: Reads them in parts.
    init(_ spans: [TopicPartition: ScanSpan], read: @escaping Read) {
        partitions = spans.map { Partition(id: $0, unread: $1) }
            .sorted { ($0.id.topic, $0.id.partition) < ($1.id.topic, $1.id.partition) }
        self.read = read
    }

    /// The number of partitions.
    var partitionCount: Int { partitions.count }

    /// The number of records in memory: of each partition at most one and a half parts.
    var bufferedCount: Int { partitions.reduce(0) { $0 + $1.records.count } }

    /// Returns the next records.
    ///
    /// - Parameters:
    ///   - most: The maximum number of records.
    ///   - bytes: No record follows the one with which this many bytes are reached.
    /// - Returns: The records in order; none only at the end.
    /// - Throws: ``OperationError`` if reading fails, or records that existed at the start are gone.
    mutating func next(atMost most: Int, bytes: Int = .max) async throws(OperationError) -> [CapturedRecord] {
        try await readAwaited()
        var batch: [CapturedRecord] = []
        var size = 0
        while batch.count < most, size < bytes, let record = dequeue() {
            size += record.line.byteCount
            batch.append(record)
        }
        return batch
    }

    private mutating func readAwaited() async throws(OperationError) {
        guard partitions.contains(where: \.isAwaited) else { return }
        let low = partitions.filter(\.isLow)
        let parts = try await read(Dictionary(uniqueKeysWithValues: low.map { ($0.id, $0.unread) }))
        for index in partitions.indices {
            guard let part = parts[partitions[index].id] else { continue }
            // A copy, so that merged records leave the memory.
            partitions[index].records = ArraySlice(Array(partitions[index].records) + part.records)
            partitions[index].partCount = part.records.count
            partitions[index].unread.from = part.next
        }
        if let partition = partitions.first(where: \.isAwaited) {
            throw OperationError(
                .unavailable,
                "\(partition.id): its log ends before the offset \(partition.unread.from), so its topic was made again "
                    + "or cut off while it was read: start again"
            )
        }
    }

    /// Removes the next record; `nil` if its partition is not known yet, or at the end.
    private mutating func dequeue() -> CapturedRecord? {
        var first: (index: Int, time: Timestamp)?
        for (index, partition) in partitions.enumerated() {
            guard let record = partition.records.first else {
                if partition.isAwaited { return nil }
                continue
            }
            let time = max(partition.latest, record.time)
            if first.map({ time < $0.time }) ?? true { first = (index, time) }
        }
        guard let first else { return nil }
        partitions[first.index].latest = first.time
        return partitions[first.index].records.popFirst()
    }
}
