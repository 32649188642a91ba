public import NewsflashTopicPartitions

/// The result of one record: each record that is given to a producer gets exactly one report.
public struct KafkaDeliveryReport: Sendable, Hashable {
    /// The position of a record in its topic.
    public struct Place: Sendable, Hashable {
        /// The partition's number.
        public var partition: Int32
        /// The record's offset.
        public var offset: Int64

        /// Creates a position.
        ///
        /// - Parameters:
        ///   - partition: The partition's number.
        ///   - offset: The record's offset.
        public init(partition: Int32, offset: Int64) {
            self.partition = partition
            self.offset = offset
        }
    }

    /// The number that the caller gave to the record.
    public var id: UInt64
    /// The record's position, or why it was not confirmed.
    public var result: Result<Place, KafkaError>
    /// Whether the record is in the log, or may be although it failed, so that writing it again may duplicate it.
    public var mayBePersisted: Bool

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - id: The number that the caller gave to the record.
    ///   - result: The record's position, or why it was not confirmed.
    ///   - mayBePersisted: Whether the record is in the log or may be.
    public init(id: UInt64, result: Result<Place, KafkaError>, mayBePersisted: Bool) {
        self.id = id
        self.result = result
        self.mayBePersisted = mayBePersisted
    }
}

/// Receives the results of a producer.
public protocol KafkaProducerDelegate: AnyObject, Sendable {
    /// Receives reports, on the producer's own thread and in no order. Pass them on and return.
    ///
    /// - Parameters:
    ///   - producer: The producer of the records.
    ///   - reports: At least one report.
    func kafkaProducer(_ producer: KafkaProducer, didDeliver reports: [KafkaDeliveryReport])

    /// Receives an error that does not concern a single record: unreachable brokers, refused credentials, a fatal error (the
    /// producer replaces its instance).
    ///
    /// - Parameters:
    ///   - producer: The producer that has the error.
    ///   - error: The error.
    func kafkaProducer(_ producer: KafkaProducer, didFail error: KafkaError)
}

extension KafkaProducerDelegate {
    /// Does nothing.
    ///
    /// - Parameters:
    ///   - producer: The producer that has the error.
    ///   - error: The error.
    public func kafkaProducer(_ producer: KafkaProducer, didFail error: KafkaError) {}
}

/// The position of a record that the brokers have confirmed.
public struct KafkaDelivery: Sendable, Hashable {
    /// The topic and partition that it was written to.
    public var topicPartition: TopicPartition
    /// Its offset in the partition.
    public var offset: Int64

    /// Creates a delivery.
    ///
    /// - Parameters:
    ///   - topicPartition: The topic and partition that it was written to.
    ///   - offset: Its offset in the partition.
    public init(topicPartition: TopicPartition, offset: Int64) {
        self.topicPartition = topicPartition
        self.offset = offset
    }
}
