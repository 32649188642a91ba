/// Records of one topic that are queued together; the bytes of all lie in one buffer.
///
/// For those who write many: a record costs no allocation here, and librdkafka looks for the topic once a batch.
public struct KafkaRecordBatch: Sendable {
    /// The topic's name.
    public let topic: String
    /// The headers that each record has, in order.
    public let headers: [KafkaHeader]
    private(set) var entries: [Entry] = []
    private(set) var bytes: [UInt8] = Self.noBytes

    /// One record, by the places of its key and value in the bytes.
    struct Entry: Sendable {
        var partition: Int32?
        var key: Range<Int>?
        var value: Range<Int>?
        var id: UInt64
    }

    /// What a batch may keep of its buffer when it is emptied: one giant must not hold its room for ever.
    private static let roomKept = 1 << 20
    /// Begins with a byte that belongs to nobody, so that an empty key or value has an address too.
    private static let noBytes: [UInt8] = [0]

    /// Makes an empty batch.
    ///
    /// - Parameters:
    ///   - topic: The topic's name.
    ///   - headers: The headers that each record has, in order.
    public init(topic: String, headers: [KafkaHeader] = []) {
        self.topic = topic
        self.headers = headers
    }

    /// How many records it has.
    public var count: Int { entries.count }

    /// Whether it has no record.
    public var isEmpty: Bool { entries.isEmpty }

    /// Adds a record.
    ///
    /// - Parameters:
    ///   - key: The key, in UTF-8; nil for null.
    ///   - partition: The partition; nil to place it by key as Java's producers do, or anywhere without one.
    ///   - id: The caller's own number, given back in the report.
    ///   - appendValue: Appends the value to the bytes it is given, and leaves those as they are.
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
    ///   - key: The key, in UTF-8; nil for null.
    ///   - partition: The partition; nil to place it by key.
    ///   - id: The caller's own number, given back in the report.
    public mutating func appendTombstone(key: String?, partition: Int32? = nil, id: UInt64) {
        entries.append(Entry(partition: partition, key: append(key: key), id: id))
    }

    private mutating func append(key: String?) -> Range<Int>? {
        guard var key else { return nil }
        let start = bytes.count
        key.withUTF8 { bytes.append(contentsOf: $0) }
        return start..<bytes.count
    }

    /// Takes all records out, and keeps the room for others.
    public mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.roomKept)
        bytes += Self.noBytes
    }

    /// The records one by one, with bytes of their own.
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
