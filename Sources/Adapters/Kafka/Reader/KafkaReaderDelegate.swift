/// What a reader tells. All calls come from the reader's own thread, one at a time, and the reader does nothing else until
/// they return.
public protocol KafkaReaderDelegate: AnyObject, Sendable {
    /// Hears that a start was taken up. Everything told of the partition from here on stems from this start; what was told
    /// before it stems from an earlier one.
    ///
    /// - Parameters:
    ///   - reader: Who reads.
    ///   - partition: Which one.
    ///   - offset: Where it begins.
    func kafkaReader(_ reader: KafkaReader, didStart partition: KafkaTopicPartition, at offset: KafkaOffset)

    /// Takes the next messages of one partition, in order.
    ///
    /// - Parameters:
    ///   - reader: Where they come from.
    ///   - messages: At least one, all of the same partition.
    func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage])

    /// Hears that a partition was read to its present end, after all messages before it; each time anew, and for an empty
    /// partition as well.
    ///
    /// - Parameters:
    ///   - reader: Who read it.
    ///   - partition: Which one.
    ///   - offset: The offset the next record will get.
    func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: KafkaTopicPartition, offset: Int64)

    /// Hears of trouble.
    ///
    /// A partition whose leader is away is read once it is back. An error that is not retriable, for which waiting does not
    /// help, is answered as ``KafkaReaderConfiguration/recovery`` says. With ``KafkaReaderRecovery/tell`` a partition that does not
    /// exist is read once it is there, and one that may not be read once it may; an offset that is not in the log
    /// (``KafkaError/Code/offsetOutOfRange``) ends the reading of the partition until it is started again, and so does an
    /// error that is fatal.
    ///
    /// - Parameters:
    ///   - reader: Who has it.
    ///   - error: What is wrong.
    ///   - partition: Where; nil for trouble with the cluster as a whole.
    func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: KafkaTopicPartition?)
}

extension KafkaReaderDelegate {
    /// Does nothing.
    ///
    /// - Parameters:
    ///   - reader: Who reads.
    ///   - partition: Which one.
    ///   - offset: Where it begins.
    public func kafkaReader(_ reader: KafkaReader, didStart partition: KafkaTopicPartition, at offset: KafkaOffset) {}
}
