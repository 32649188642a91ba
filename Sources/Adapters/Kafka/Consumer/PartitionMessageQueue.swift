import CRDKafka

/// The message queue of one partition.
final class PartitionMessageQueue {
    let partition: KafkaTopicPartition
    private let messages: EventQueue
    /// The next message, which was dequeued when there was no credit for it.
    private var waiting: UnsafeMutablePointer<rd_kafka_message_t>?
    /// Counts the dequeued messages.
    var pace: FetcherPace

    init(_ partition: KafkaTopicPartition, messages: EventQueue, limits: FetchLimits) {
        self.pace = FetcherPace(limits)
        self.partition = partition
        self.messages = messages
    }

    deinit {
        if let waiting { rd_kafka_message_destroy(waiting) }
    }

    /// Returns the next message, which the caller owns; `nil` if there is none.
    func next() -> UnsafeMutablePointer<rd_kafka_message_t>? {
        waiting.take() ?? messages.nextMessage()
    }

    /// Puts a message back, to return it next time. There is only one, because it is returned before any other is dequeued.
    func putBack(_ message: UnsafeMutablePointer<rd_kafka_message_t>) {
        waiting = message
    }
}
