public import Timestamps

/// One record to be written.
public struct KafkaRecord: Sendable, Hashable {
    /// The topic's name.
    public var topic: String
    /// The partition; nil to place it by key as Java's producers do, or anywhere without one.
    public var partition: Int32?
    /// The key; nil for null.
    public var key: [UInt8]?
    /// The value; nil for null, which deletes the key in a compacted topic.
    public var value: [UInt8]?
    /// The headers, in order.
    public var headers: [KafkaHeader]
    /// When the record counts as made; nil for now.
    public var timestamp: Timestamp?
    /// The caller's own number, given back in the report.
    public var id: UInt64

    /// Makes a record.
    ///
    /// - Parameters:
    ///   - topic: The topic's name.
    ///   - partition: The partition; nil to place it by key.
    ///   - key: The key; nil for null.
    ///   - value: The value; nil for null.
    ///   - headers: The headers, in order.
    ///   - timestamp: When the record counts as made; nil for now.
    ///   - id: The caller's own number, given back in the report.
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

/// A message to be written to another topic as it is: key, value and headers go from librdkafka to librdkafka.
public struct KafkaForwardedMessage: Sendable {
    /// What was read.
    public var message: KafkaMessage
    /// The topic to write to.
    public var topic: String
    /// The partition; nil to place it by key.
    public var partition: Int32?
    /// What follows the message's own headers.
    public var addedHeaders: [KafkaHeader]
    /// When the record counts as made; nil for now.
    public var timestamp: Timestamp?
    /// The caller's own number, given back in the report.
    public var id: UInt64

    /// Makes a message to be forwarded.
    ///
    /// - Parameters:
    ///   - message: What was read.
    ///   - topic: The topic to write to.
    ///   - partition: The partition; nil to place it by key.
    ///   - addedHeaders: What follows the message's own headers.
    ///   - timestamp: When the record counts as made; nil for now.
    ///   - id: The caller's own number, given back in the report.
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
