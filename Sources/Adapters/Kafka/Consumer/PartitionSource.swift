import CRDKafka

/// Where the messages of one partition come from.
final class PartitionSource {
    let partition: KafkaTopicPartition
    private let messages: EventQueue
    /// The next message, which was taken off the queue when there was no credit for it.
    private var waiting: UnsafeMutablePointer<rd_kafka_message_t>?
    /// Counts what is taken.
    var pace: FetcherPace

    init(_ partition: KafkaTopicPartition, messages: EventQueue, limits: FetchLimits) {
        self.pace = FetcherPace(limits)
        self.partition = partition
        self.messages = messages
    }

    deinit {
        if let waiting { rd_kafka_message_destroy(waiting) }
    }

    /// The next message, which the caller owns; nil while there is none.
    func next() -> UnsafeMutablePointer<rd_kafka_message_t>? {
        waiting.take() ?? messages.nextMessage()
    }

    /// Takes a message back, to give it out next time. It is the only one, as nobody asks for more before it was taken.
    func putBack(_ message: UnsafeMutablePointer<rd_kafka_message_t>) {
        waiting = message
    }
}
