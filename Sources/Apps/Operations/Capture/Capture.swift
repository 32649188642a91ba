import NewsflashBasics
import NewsflashKafka
package import NewsflashTimestamps
import NewsflashTopicPartitions
package import NewsflashWorker

/// Records of the topics of events, copied into a file for a rehearsal: `newsflash capture`. They are written while the topics
/// are read.
package struct Capture {
    /// The bytes of records in memory, about, divided by the number of partitions; see ``CaptureMerge``.
    private static let bytesInMemory = 64 << 20
    /// The bytes of a partition that are read at once: at least enough for some records, and at most as many as make another
    /// connection for the next ones cheap.
    private static let bytesOfEach = (64 << 10)...(4 << 20)
    /// The maximum number of records, and the bytes, that are written at once.
    private static let batch = (count: 1000, bytes: 1 << 20)

    private var merge: CaptureMerge
    private let topics: [String]
    /// The maximum number of records; `nil` for all.
    private let most: Int?
    /// The number of records that were merged.
    private(set) var count = 0
    /// The partitions of these records.
    private var used: Set<TopicPartition> = []

    /// Creates a capture of merged records.
    init(_ merge: CaptureMerge, topics: [String], most: Int? = nil) {
        (self.merge, self.topics, self.most) = (merge, topics, most)
    }

    /// Finds the records to read. Later records are not read.
    ///
    /// - Parameters:
    ///   - settings: The sources whose topics are read.
    ///   - namesSources: Whether each record gets the name of its source.
    ///   - since: The time of the first record; `nil` for the oldest.
    ///   - until: The time before which the last record was written; `nil` for now.
    ///   - most: The maximum number of records, the oldest of those of the given time; `nil` for all.
    /// - Returns: The capture, of which nothing has been read.
    /// - Throws: ``OperationError`` if a topic is missing or cannot be read.
    package static func open(
        _ settings: TopicSettings,
        namesSources: Bool,
        since: Timestamp?,
        until: Timestamp?,
        most: Int?
    ) async throws(OperationError) -> Capture {
        let names = Dictionary(settings.sources.map { ($0.topic, $0.name) }, uniquingKeysWith: { first, _ in first })
        let topics = settings.sources.map(\.topic)
        let cluster = settings.kafka
        let spans = try await TopicScan(
            cluster,
            topics: topics,
            from: since.map { .time($0) } ?? .earliest,
            to: until.map { .time($0) } ?? .present
        ).spans()
        let bytes = bytesInMemory / max(1, spans.count)
        let bytesOfEach = min(max(bytes, bytesOfEach.lowerBound), bytesOfEach.upperBound)
        let merge = CaptureMerge(spans) { spans throws(OperationError) in
            let scan = TopicScan(
                cluster,
                topics: Set(spans.keys.map(\.topic)).sorted(),
                from: .offsets(spans.mapValues(\.from)),
                to: .offsets(spans.compactMapValues(\.to)),
                bytesOfEach: bytesOfEach
            )
            let found = Locked<[TopicPartition: [CapturedRecord]]>([:])
            let extent = try await scan.run { messages in
                guard let partition = messages.first?.topicPartition else { return true }
                let name = namesSources ? names[partition.topic] : nil
                let records = messages.map { CapturedRecord($0, source: name) }
                found.withLock { $0[partition, default: []] += records }
                return true
            }
            return found.withLock { found in
                Dictionary(
                    uniqueKeysWithValues: extent.parts.map { ($0, .init(records: found[$0] ?? [], next: $1.to)) }
                )
            }
        }
        return Capture(merge, topics: topics, most: most)
    }

    /// Returns the next records; none only at the end.
    mutating func next() async throws(OperationError) -> [CapturedRecord] {
        let room = min(Self.batch.count, most.map { $0 - count } ?? .max)
        guard room > 0 else { return [] }
        let records = try await merge.next(atMost: room, bytes: Self.batch.bytes)
        if Task.isCancelled { throw OperationError(.unavailable, "stopped before all records were read") }
        count += records.count
        used.formUnion(records.map(\.partition))
        return records
    }

    /// The numbers of records and partitions that were written, for people.
    package var summary: String {
        let partitions = "\(used.count) of \(counted(merge.partitionCount, "partition"))"
        return "\(counted(count, "record")) from \(partitions) of \(topics.joined(separator: ", "))"
            + (count == most ? "; --most leaves out later ones, if any" : "")
    }
}

/// Records that are written at once.
struct CaptureBatch {
    let records: [CapturedRecord]
    /// The number of records before them, which have a line each.
    let before: Int

    /// The lines, each with its line feed.
    var content: [UInt8] { Array(records.lazy.map { $0.line.json + [UInt8(ascii: "\n")] }.joined()) }

    /// Checks that a rehearsal reads exactly these records from their part of a file.
    ///
    /// - Parameter content: This part of the file.
    /// - Throws: ``OperationError`` with the first line that differs.
    func verify(_ content: [UInt8]) throws(OperationError) {
        let lines = EventFiles.lines(of: content, named: "the captured file")
        for (index, (line, record)) in zip(lines, records).enumerated() {
            let place = "\(line.file):\(before + index + 1)"
            let read = try RehearsalFiles.record(line.bytes, at: place)
            let found = RecordLine(
                appendAt: read.appendAt,
                source: read.source,
                key: read.key,
                headers: read.headers,
                value: read.value
            )
            guard found == record.line else {
                throw OperationError(
                    .internalError,
                    "\(place): is not read back as the record \(record.partition)@\(record.offset)"
                )
            }
        }
        guard lines.count == records.count else {
            let (found, all) = (before + lines.count, before + records.count)
            throw OperationError(.internalError, "\(found) of \(counted(all, "record")) are read back")
        }
    }
}
