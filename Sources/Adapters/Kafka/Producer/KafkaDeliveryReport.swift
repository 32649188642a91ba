/// What became of one record: exactly one report for each that was given to a producer.
public struct KafkaDeliveryReport: Sendable, Hashable {
    /// Where a record lies.
    public struct Place: Sendable, Hashable {
        /// The partition's number.
        public var partition: Int32
        /// The record's offset.
        public var offset: Int64

        /// Makes a place.
        ///
        /// - Parameters:
        ///   - partition: The partition's number.
        ///   - offset: The record's offset.
        public init(partition: Int32, offset: Int64) {
            self.partition = partition
            self.offset = offset
        }
    }

    /// The caller's own number of the record.
    public var id: UInt64
    /// Where it lies, or why it was not confirmed.
    public var result: Result<Place, KafkaError>
    /// Whether it is in the log, or may be although it failed, so that writing it again may double it.
    public var mayBePersisted: Bool

    /// Makes a report.
    ///
    /// - Parameters:
    ///   - id: The caller's own number of the record.
    ///   - result: Where it lies, or why it was not confirmed.
    ///   - mayBePersisted: Whether it is in the log or may be.
    public init(id: UInt64, result: Result<Place, KafkaError>, mayBePersisted: Bool) {
        self.id = id
        self.result = result
        self.mayBePersisted = mayBePersisted
    }
}

/// Who hears what became of records.
public protocol KafkaProducerDelegate: AnyObject, Sendable {
    /// Takes reports, on the producer's own thread and in no order; hand them over and return.
    ///
    /// - Parameters:
    ///   - producer: Who wrote.
    ///   - reports: At least one.
    func kafkaProducer(_ producer: KafkaProducer, didDeliver reports: [KafkaDeliveryReport])

    /// Hears of trouble that is not about one record: brokers out of reach, refused credentials, a fatal error (the
    /// producer makes itself anew).
    ///
    /// - Parameters:
    ///   - producer: Who has it.
    ///   - error: What is wrong.
    func kafkaProducer(_ producer: KafkaProducer, didFail error: KafkaError)
}

extension KafkaProducerDelegate {
    /// Does nothing.
    ///
    /// - Parameters:
    ///   - producer: Who has it.
    ///   - error: What is wrong.
    public func kafkaProducer(_ producer: KafkaProducer, didFail error: KafkaError) {}
}
