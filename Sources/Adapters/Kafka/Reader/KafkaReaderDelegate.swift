/// Receives the messages and events of a reader. All calls come from the reader's own thread, one at a time, and the reader
/// does nothing else until they return.
public protocol KafkaReaderDelegate: AnyObject, Sendable {
    /// Called when a start takes effect. All later calls for the partition belong to this start, and all earlier ones to
    /// previous starts.
    ///
    /// - Parameters:
    ///   - reader: The reader of the partition.
    ///   - partition: The partition.
    ///   - offset: The start.
    func kafkaReader(_ reader: KafkaReader, didStart partition: KafkaTopicPartition, at offset: KafkaOffset)

    /// Receives the next messages of one partition, in order.
    ///
    /// - Parameters:
    ///   - reader: The reader of the partition.
    ///   - messages: At least one message, all of the same partition.
    func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage])

    /// Called when a partition has been read to its current end, after all messages before it; each time again, and for an
    /// empty partition, too.
    ///
    /// - Parameters:
    ///   - reader: The reader of the partition.
    ///   - partition: The partition.
    ///   - offset: The offset that the next record will get.
    func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: KafkaTopicPartition, offset: Int64)

    /// Receives an error.
    ///
    /// A partition whose leader is unavailable is read when it is available again. An error that is not retriable, for which
    /// waiting does not help, is handled according to ``KafkaReaderConfiguration/recovery``. With ``KafkaReaderRecovery/tell``
    /// a partition that does not exist is read when it exists, and a forbidden one when it is allowed; an offset that is not in
    /// the log (``KafkaError/Code/offsetOutOfRange``) or a fatal error ends the reading of the partition until it is started
    /// again.
    ///
    /// - Parameters:
    ///   - reader: The reader that has the error.
    ///   - error: The error.
    ///   - partition: The partition; `nil` for an error of the cluster as a whole.
    func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: KafkaTopicPartition?)
}

extension KafkaReaderDelegate {
    /// Does nothing.
    ///
    /// - Parameters:
    ///   - reader: The reader of the partition.
    ///   - partition: The partition.
    ///   - offset: The start.
    public func kafkaReader(_ reader: KafkaReader, didStart partition: KafkaTopicPartition, at offset: KafkaOffset) {}
}
