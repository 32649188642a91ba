import CNewsflashRDKafka
import NewsflashBasics
import NewsflashTopicPartitions

/// The owner of one `rd_kafka_queue_t`.
final class EventQueue: Sendable {
    // rd_kafka_queue_t is thread safe and the pointer never changes.
    nonisolated(unsafe) let pointer: OpaquePointer
    private let client: ClientHandle
    // The queue writes to it until it is destroyed; until then the descriptor must not be reused for another file.
    private let wakeUp = Locked<WakeUp?>(nil)

    private init(_ pointer: OpaquePointer, of client: ClientHandle) {
        self.pointer = pointer
        self.client = client
    }

    deinit {
        rd_kafka_queue_io_event_enable(pointer, -1, nil, 0)
        rd_kafka_queue_destroy(pointer)
    }

    /// Creates an empty queue, for example for the answers to one request.
    convenience init(of client: ClientHandle) {
        self.init(rd_kafka_queue_new(client.pointer), of: client)
    }

    /// Returns the queue of a producer's delivery reports and errors.
    static func main(of client: ClientHandle) -> EventQueue {
        EventQueue(rd_kafka_queue_get_main(client.pointer), of: client)
    }

    /// Returns the queue of a consumer's rebalances, commit results and errors; `nil` without a group.
    static func consumer(of client: ClientHandle) -> EventQueue? {
        rd_kafka_queue_get_consumer(client.pointer).map { EventQueue($0, of: client) }
    }

    /// Returns the queue with the messages of one partition, separated from the consumer's common queue.
    ///
    /// Must be called before the partition is assigned; otherwise its first messages still arrive in the common queue.
    static func messages(of partition: TopicPartition, client: ClientHandle) -> EventQueue? {
        guard let pointer = rd_kafka_queue_get_partition(client.pointer, partition.topic, partition.partition) else {
            return nil
        }
        rd_kafka_queue_forward(pointer, nil)
        return EventQueue(pointer, of: client)
    }

    /// Signals whenever the queue gets its first entry after it was polled. So it must be polled until it is empty.
    func signal(_ wakeUp: WakeUp) {
        self.wakeUp.withLock { $0 = wakeUp }
        rd_kafka_queue_io_event_enable(pointer, wakeUp.writeEnd, [UInt8(1)], 1)
    }

    /// Returns the next event.
    ///
    /// - Parameter limit: How long to wait for one.
    /// - Returns: `nil` if none came.
    func next(waiting limit: Duration = .zero) -> ClientEvent? {
        rd_kafka_queue_poll(pointer, limit.milliseconds).map(ClientEvent.init)
    }

    /// Returns the next message of a partition's queue, without waiting.
    func nextMessage() -> UnsafeMutablePointer<rd_kafka_message_t>? {
        rd_kafka_consume_queue(pointer, 0)
    }
}

/// The owner of one `rd_kafka_event_t`.
struct ClientEvent: ~Copyable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        rd_kafka_event_destroy(pointer)
    }

    /// Passes ownership of the event to the caller, who destroys it.
    consuming func release() -> OpaquePointer {
        let pointer = pointer
        discard self
        return pointer
    }

    /// One of the `RD_KAFKA_EVENT` numbers.
    var kind: Int32 { rd_kafka_event_type(pointer) }

    /// The error code.
    var response: rd_kafka_resp_err_t { rd_kafka_event_error(pointer) }

    /// The partitions in the event, with their offsets and errors.
    var partitions: [ListedPartition] { TopicPartitionList.read(rd_kafka_event_topic_partition_list(pointer)) }

    /// Returns the failure that it reports, or `nil`.
    func error(doing work: String) -> KafkaError? {
        let response = response
        guard response != RD_KAFKA_RESP_ERR_NO_ERROR else { return nil }
        // A fatal error has the code of its cause, and a flag that only events of this kind have.
        let isFatal = kind == RD_KAFKA_EVENT_ERROR && rd_kafka_event_error_is_fatal(pointer) != 0
        return KafkaError(
            response,
            doing: work,
            saying: rd_kafka_event_error_string(pointer).map { String(cString: $0) },
            isFatal: isFatal
        )
    }
}
