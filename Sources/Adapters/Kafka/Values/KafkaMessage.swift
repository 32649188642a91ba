import CNewsflashRDKafka
import NewsflashBasics
public import NewsflashTimestamps
public import NewsflashTopicPartitions

/// One read record, without a copy: key, value and headers stay in librdkafka's memory until the last reference is released.
///
/// A message may outlive the consumer that read it. It keeps the memory of the whole fetch that it came with, so do not keep
/// single messages of many fetches for long.
public final class KafkaMessage: Sendable {
    /// The partition that it was read from.
    public let topicPartition: TopicPartition
    /// Its offset in the partition.
    public let offset: Int64
    /// When it was produced or appended, in milliseconds; `nil` if the record has no time.
    public let timestamp: Timestamp?

    // Only read. librdkafka parses the headers on first use, which is before others have the message.
    private nonisolated(unsafe) let pointer: UnsafePointer<rd_kafka_message_t>
    private let memory: Memory
    private let parsedHeaders = Locked<[KafkaHeader]?>(nil)
    // The instance must live as long as its messages, and is not destroyed before them.
    private let client: ClientHandle
    /// The account that gets the credit back; `nil` without a limit.
    private let account: ReadAheadAccount?

    /// The memory of the bytes, and how it is freed.
    private enum Memory: @unchecked Sendable {
        /// A message from a partition's queue.
        case message(UnsafeMutablePointer<rd_kafka_message_t>)
        /// The event of one message.
        case event(OpaquePointer)
    }

    /// Takes ownership of a message.
    ///
    /// - Parameters:
    ///   - pointer: The message from a partition's queue; destroyed with this object.
    ///   - topicPartition: The partition that it was read from; passed, so that it is not created again for each message.
    ///   - client: The instance that read it.
    ///   - account: The account that gave credit for the message and gets it back at its end; `nil` without a limit.
    convenience init(
        taking pointer: UnsafeMutablePointer<rd_kafka_message_t>,
        topicPartition: TopicPartition,
        client: ClientHandle,
        account: ReadAheadAccount? = nil
    ) {
        self.init(pointer, in: .message(pointer), topicPartition, client, account)
    }

    /// Takes ownership of the message of an event; `nil` if it contains none.
    ///
    /// - Parameters:
    ///   - event: The event from a queue.
    ///   - topicPartition: The partition that it was read from.
    ///   - client: The instance that read it.
    convenience init?(taking event: consuming ClientEvent, topicPartition: TopicPartition, client: ClientHandle) {
        guard let pointer = rd_kafka_event_message_next(event.pointer) else { return nil }
        self.init(pointer, in: .event(event.release()), topicPartition, client, nil)
    }

    private init(
        _ pointer: UnsafePointer<rd_kafka_message_t>,
        in memory: Memory,
        _ topicPartition: TopicPartition,
        _ client: ClientHandle,
        _ account: ReadAheadAccount?
    ) {
        self.pointer = pointer
        self.memory = memory
        self.account = account
        self.topicPartition = topicPartition
        self.offset = pointer.pointee.offset
        self.byteCount = Self.byteCount(of: pointer)
        self.client = client
        var kind = RD_KAFKA_TIMESTAMP_NOT_AVAILABLE
        let time = rd_kafka_message_timestamp(pointer, &kind)
        self.timestamp = kind == RD_KAFKA_TIMESTAMP_NOT_AVAILABLE ? nil : Timestamp(milliseconds: time)
    }

    deinit {
        switch memory {
        case .message(let message): rd_kafka_message_destroy(message)
        case .event(let event): rd_kafka_event_destroy(event)
        }
        if let account { account.release(account.cost(ofBytes: byteCount)) }
    }

    /// The topic it was read from.
    public var topic: String { topicPartition.topic }

    /// The partition it was read from.
    public var partition: Int32 { topicPartition.partition }

    /// The bytes of key, value and headers together.
    public let byteCount: Int

    /// Returns the same for a message that is not owned yet; parses its headers.
    static func byteCount(of pointer: UnsafePointer<rd_kafka_message_t>) -> Int {
        pointer.pointee.len + pointer.pointee.key_len + (headerList(of: pointer).map(HeaderList.byteCount) ?? 0)
    }

    /// Lends the value without a copy.
    ///
    /// - Parameter body: Gets `nil` for a null value (a tombstone), which differs from an empty one.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure.
    public func withValue<Result, Failure: Error>(
        _ body: (Span<UInt8>?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let bytes = valueBytes
        guard bytes.baseAddress != nil else { return try body(nil) }
        return try body(bytes.bindMemory(to: UInt8.self).span)
    }

    /// Lends the key without a copy.
    ///
    /// - Parameter body: Gets `nil` for a null key, which differs from an empty one.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure.
    public func withKey<Result, Failure: Error>(
        _ body: (Span<UInt8>?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let bytes = keyBytes
        guard bytes.baseAddress != nil else { return try body(nil) }
        return try body(bytes.bindMemory(to: UInt8.self).span)
    }

    /// A copy of the value; `nil` if it is null.
    public var value: [UInt8]? { valueBytes.baseAddress == nil ? nil : Array(valueBytes) }

    /// A copy of the key; `nil` if it is null.
    public var key: [UInt8]? { keyBytes.baseAddress == nil ? nil : Array(keyBytes) }

    /// The headers in their order; parsed on first use.
    public var headers: [KafkaHeader] {
        parsedHeaders.withLock { known in
            if let known { return known }
            let headers = Self.headerList(of: pointer).map { HeaderList.read($0) } ?? []
            known = headers
            return headers
        }
    }

    /// Lends key, value and headers to C.
    ///
    /// - Parameter body: Gets the bytes, whose base address is `nil` for null ones, and librdkafka's own list of headers.
    /// - Returns: The result of the closure.
    func withContents<Result: Sendable>(
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ headers: OpaquePointer?) -> Result
    ) -> Result {
        body(keyBytes, valueBytes, Self.headerList(of: pointer))
    }

    private var valueBytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: pointer.pointee.payload, count: pointer.pointee.len)
    }

    private var keyBytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: pointer.pointee.key, count: pointer.pointee.key_len)
    }

    private static func headerList(of pointer: UnsafePointer<rd_kafka_message_t>) -> OpaquePointer? {
        var list: OpaquePointer?
        return rd_kafka_message_headers(pointer, &list) == RD_KAFKA_RESP_ERR_NO_ERROR ? list : nil
    }
}

/// One header of a record. Names may repeat; order is kept.
public struct KafkaHeader: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The bytes; `nil` if the header has a null value, which differs from an empty one.
    public var value: [UInt8]?

    /// Creates a header.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The bytes; `nil` for a null value.
    public init(name: String, value: [UInt8]?) {
        self.name = name
        self.value = value
    }

    /// Creates a header with text in UTF-8.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - text: The text.
    public init(name: String, text: String) {
        self.init(name: name, value: Array(text.utf8))
    }
}
