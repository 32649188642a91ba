/// Records of one topic that are queued together, with their bytes in one buffer.
///
/// For callers that write many: a record needs no allocation here, and librdkafka looks up the topic once per batch.
public struct KafkaRecordBatch: Sendable {
    /// The topic's name.
    public let topic: String
    /// The headers that each record has, in order.
    public let headers: [KafkaHeader]
    private(set) var entries: [Entry] = []
    private(set) var bytes: [UInt8] = Self.noBytes

    /// One record, with the ranges of its key and value in the bytes.
    struct Entry: Sendable {
        var partition: Int32?
        var key: Range<Int>?
        var value: Range<Int>?
        var id: UInt64
    }

    /// The capacity that an emptied batch may keep: one very large record must not occupy memory forever.
    private static let roomKept = 1 << 20
    /// The first byte is unused, so that an empty key or value has an address too.
    private static let noBytes: [UInt8] = [0]

    /// Creates an empty batch.
    ///
    /// - Parameters:
    ///   - topic: The topic's name.
    ///   - headers: The headers that each record has, in order.
    public init(topic: String, headers: [KafkaHeader] = []) {
        self.topic = topic
        self.headers = headers
    }

    /// The number of records.
    public var count: Int { entries.count }

    /// Whether it has no records.
    public var isEmpty: Bool { entries.isEmpty }

    /// Adds a record.
    ///
    /// - Parameters:
    ///   - key: The key, in UTF-8; `nil` for null.
    ///   - partition: The partition; `nil` to choose it by key as Java's producers do, or any partition without a key.
    ///   - id: The caller's own number, which is returned in the report.
    ///   - appendValue: Appends the value to the given bytes, without changing those.
    public mutating func append(
        key: String?,
        partition: Int32? = nil,
        id: UInt64,
        value appendValue: (inout [UInt8]) -> Void
    ) {
        let key = append(key: key)
        let start = bytes.count
        appendValue(&bytes)
        entries.append(Entry(partition: partition, key: key, value: start..<max(start, bytes.count), id: id))
    }

    /// Adds a record without a value, which deletes the key in a compacted topic.
    ///
    /// - Parameters:
    ///   - key: The key, in UTF-8; `nil` for null.
    ///   - partition: The partition; `nil` to choose it by key.
    ///   - id: The caller's own number, which is returned in the report.
    public mutating func appendTombstone(key: String?, partition: Int32? = nil, id: UInt64) {
        entries.append(Entry(partition: partition, key: append(key: key), id: id))
    }

    private mutating func append(key: String?) -> Range<Int>? {
        guard var key else { return nil }
        let start = bytes.count
        key.withUTF8 { bytes.append(contentsOf: $0) }
        return start..<bytes.count
    }

    /// Removes all records, and keeps the capacity for others.
    public mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.roomKept)
        bytes += Self.noBytes
    }

    /// The records one by one, each with its own bytes.
    public var records: [KafkaRecord] {
        entries.map { entry in
            KafkaRecord(
                topic: topic,
                partition: entry.partition,
                key: entry.key.map { Array(bytes[$0]) },
                value: entry.value.map { Array(bytes[$0]) },
                headers: headers,
                id: entry.id
            )
        }
    }
}
