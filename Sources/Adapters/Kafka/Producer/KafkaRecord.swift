public import NewsflashTimestamps

/// A record to write.
public struct KafkaRecord: Sendable, Hashable {
    /// The topic's name.
    public var topic: String
    /// The partition; `nil` to choose it by key as Java's producers do, or any partition without a key.
    public var partition: Int32?
    /// The key; `nil` for null.
    public var key: [UInt8]?
    /// The value; `nil` for null, which deletes the key in a compacted topic.
    public var value: [UInt8]?
    /// The headers, in order.
    public var headers: [KafkaHeader]
    /// The time of the record; `nil` for now.
    public var timestamp: Timestamp?
    /// The caller's own number, which is returned in the report.
    public var id: UInt64

    /// Creates a record.
    ///
    /// - Parameters:
    ///   - topic: The topic's name.
    ///   - partition: The partition; `nil` to choose it by key.
    ///   - key: The key; `nil` for null.
    ///   - value: The value; `nil` for null.
    ///   - headers: The headers, in order.
    ///   - timestamp: The time of the record; `nil` for now.
    ///   - id: The caller's own number, which is returned in the report.
    public init(
        topic: String,
        partition: Int32? = nil,
        key: [UInt8]? = nil,
        value: [UInt8]?,
        headers: [KafkaHeader] = [],
        timestamp: Timestamp? = nil,
        id: UInt64 = 0
    ) {
        self.topic = topic
        self.partition = partition
        self.key = key
        self.value = value
        self.headers = headers
        self.timestamp = timestamp
        self.id = id
    }
}

/// A message to write unchanged to another topic: key, value and headers are passed within librdkafka.
public struct KafkaForwardedMessage: Sendable {
    /// The message that was read.
    public var message: KafkaMessage
    /// The topic to write to.
    public var topic: String
    /// The partition; `nil` to choose it by key.
    public var partition: Int32?
    /// The headers to add after the message's own.
    public var addedHeaders: [KafkaHeader]
    /// The time of the record; `nil` for now.
    public var timestamp: Timestamp?
    /// The caller's own number, which is returned in the report.
    public var id: UInt64

    /// Creates a message to forward.
    ///
    /// - Parameters:
    ///   - message: The message that was read.
    ///   - topic: The topic to write to.
    ///   - partition: The partition; `nil` to choose it by key.
    ///   - addedHeaders: The headers to add after the message's own.
    ///   - timestamp: The time of the record; `nil` for now.
    ///   - id: The caller's own number, which is returned in the report.
    public init(
        _ message: KafkaMessage,
        to topic: String,
        partition: Int32? = nil,
        addedHeaders: [KafkaHeader] = [],
        timestamp: Timestamp? = nil,
        id: UInt64 = 0
    ) {
        self.message = message
        self.topic = topic
        self.partition = partition
        self.addedHeaders = addedHeaders
        self.timestamp = timestamp
        self.id = id
    }
}
