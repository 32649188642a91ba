/// How reading continues in a partition that cannot be read any further if waiting does not help: its log does not have the
/// offset, it does not exist, or it may not be read.
public enum KafkaReaderRecovery: Sendable {
    /// Calls the delegate, and starts the partition again at its beginning, once a second until it can be read. For partitions
    /// that are followed for the life of the process.
    case restart
    /// Calls the delegate, which starts the partition again or gives it up.
    case tell
}

/// The settings of a reader, for fast reading of whole partitions.
public struct KafkaReaderConfiguration: Sendable {
    /// The cluster and the identity of this client.
    public var client: KafkaConfiguration
    /// How reading continues in a partition that cannot be read any further.
    public var recovery: KafkaReaderRecovery
    /// The maximum number of messages that the delegate gets at once.
    public var maximumBatch: Int
    /// The number of fetched messages of one partition, not yet handed over, at which fetching pauses; see
    /// ``KafkaConsumerConfiguration/queuedMessagesPerPartition``.
    public var queuedMessagesPerPartition = 20_000
    /// The same in bytes; see ``KafkaConsumerConfiguration/queuedBytesPerPartition``.
    public var queuedBytesPerPartition = 2 << 20
    /// The maximum number of bytes of one partition in one fetch; see ``KafkaConsumerConfiguration/fetchBytesPerPartition``.
    public var fetchBytesPerPartition = 256 << 10
    /// How long a broker may delay the answer to a fetch without data; the end of a partition is reported that much later. Use
    /// a short time to read to the end and stop, a long one to continue reading.
    public var emptyFetchWait = Duration.milliseconds(100)

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - client: The cluster and the identity of this client.
    ///   - recovery: How reading continues in a partition that cannot be read any further.
    ///   - maximumBatch: The maximum number of messages that the delegate gets at once.
    public init(client: KafkaConfiguration, recovery: KafkaReaderRecovery, maximumBatch: Int = 1000) {
        self.client = client
        self.recovery = recovery
        self.maximumBatch = maximumBatch
    }
}

extension KafkaReaderConfiguration {
    /// The limits of librdkafka's own read-ahead.
    var fetchLimits: FetchLimits {
        FetchLimits(
            messages: queuedMessagesPerPartition,
            bytes: queuedBytesPerPartition,
            fetchBytes: fetchBytesPerPartition
        )
    }

    /// Returns the properties for librdkafka in the order in which they are set: later ones win.
    func properties() throws(KafkaError) -> [(String, String)] {
        var properties = try client.commonProperties()
        properties += fetchLimits.properties(wait: emptyFetchWait)
        properties += [
            // An offset that is not in the log is an error: the owner decides.
            ("auto.offset.reset", "error"),
            ("enable.partition.eof", "true"),
        ]
        return properties + client.properties.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
