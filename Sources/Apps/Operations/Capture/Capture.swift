import Basics
import Kafka
package import Timestamps
package import Worker

/// Records of the topics of events for a rehearsal: `newsflash capture`.
package struct Capture: Sendable {
    /// The records in the order of time; those of a partition keep their order.
    package let records: [CapturedRecord]
    private let topics: [String]
    /// The number of partitions that were searched.
    private let partitionCount: Int
    /// Whether records of the given time may have been left out.
    private let isCut: Bool

    package init(records: [CapturedRecord], topics: [String], partitionCount: Int, isCut: Bool = false) {
        (self.records, self.topics, self.partitionCount, self.isCut) = (records, topics, partitionCount, isCut)
    }

    /// Reads records. All of them are in memory until they are written.
    ///
    /// - Parameters:
    ///   - settings: The sources whose topics are read.
    ///   - namesSources: Whether each record gets the name of its source.
    ///   - since: The time of the first record; `nil` for the oldest.
    ///   - until: The time before which the last record was written; `nil` for now.
    ///   - most: The maximum number of records, the oldest of those of the given time; `nil` for all.
    /// - Returns: The records in order.
    /// - Throws: ``OperationError`` if a topic is missing or cannot be read.
    package static func read(
        _ settings: TopicSettings,
        namesSources: Bool,
        since: Timestamp?,
        until: Timestamp?,
        most: Int?
    ) async throws(OperationError) -> Capture {
        let names = Dictionary(settings.sources.map { ($0.topic, $0.name) }, uniquingKeysWith: { first, _ in first })
        let topics = settings.sources.map(\.topic)
        let scan = TopicScan(
            settings.kafka,
            topics: topics,
            from: since.map { .time($0) } ?? .earliest,
            to: until.map { .time($0) } ?? .present,
            mostOfEach: most
        )
        let found = Locked<[CapturedRecord]>([])
        let extent = try await scan.run { messages in
            let records = messages.map { CapturedRecord($0, source: namesSources ? names[$0.topic] : nil) }
            found.withLock { $0 += records }
            return true
        }
        let records = CapturedRecord.inOrder(found.withLock { $0 })
        return Capture(
            records: Array(records.prefix(most ?? .max)),
            topics: topics,
            partitionCount: extent.parts.count,
            isCut: most.map { records.count >= $0 } ?? false
        )
    }

    /// The lines of the file, each with its line feed.
    package var lines: some Sequence<[UInt8]> { records.lazy.map { $0.line.json + [UInt8(ascii: "\n")] } }

    /// The numbers of records and partitions, for people.
    package var summary: String {
        let used = Set(records.map(\.partition)).count
        let place = "\(used) of \(counted(partitionCount, "partition")) of \(topics.joined(separator: ", "))"
        return "\(counted(records.count, "record")) from \(place)"
            + (isCut ? "; --most leaves out later ones, if any" : "")
    }

    /// Checks that a rehearsal reads exactly these records from a file.
    ///
    /// - Parameter content: The content of the file.
    /// - Throws: ``OperationError`` with the first line that differs.
    package func verify(_ content: [UInt8]) throws(OperationError) {
        let lines = EventFiles.lines(of: content, named: "the captured file")
        for (line, record) in zip(lines, records) {
            let read = try RehearsalFiles.record(line.bytes, at: line.place)
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
                    "\(line.place): is not read back as the record \(record.partition)@\(record.offset)"
                )
            }
        }
        guard lines.count == records.count else {
            throw OperationError(.internalError, "\(lines.count) of \(counted(records.count, "record")) are read back")
        }
    }
}
