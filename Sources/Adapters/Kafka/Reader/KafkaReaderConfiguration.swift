/// The way to go on with a partition that cannot be read any further and for which waiting does not help: its log does not have
/// the offset, it does not exist, or it may not be read.
public enum KafkaReaderRecovery: Sendable {
    /// Tells the delegate, and starts the partition again at its beginning, once a second until it can be read. For partitions
    /// that are followed as long as the process lives.
    case restart
    /// Tells the delegate, which starts the partition again or does without.
    case tell
}

/// How a reader reads: fast, from one end of a partition to the other.
public struct KafkaReaderConfiguration: Sendable {
    /// Where the cluster is and who we are.
    public var client: KafkaConfiguration
    /// The way to go on with a partition that cannot be read any further.
    public var recovery: KafkaReaderRecovery
    /// The most messages handed to the delegate at once.
    public var maximumBatch: Int
    /// From how many messages of one partition, fetched and not handed over, no more of it are fetched; see
    /// ``KafkaConsumerConfiguration/queuedMessagesPerPartition``.
    public var queuedMessagesPerPartition = 20_000
    /// The same in bytes; see ``KafkaConsumerConfiguration/queuedBytesPerPartition``.
    public var queuedBytesPerPartition = 2 << 20
    /// The most bytes that one fetch brings of one partition; see ``KafkaConsumerConfiguration/fetchBytesPerPartition``.
    public var fetchBytesPerPartition = 256 << 10
    /// How long a broker may keep a fetch for which it has nothing: that much later is the end of a partition heard of. Short
    /// for who reads to the end and stops, long for who stays.
    public var emptyFetchWait = Duration.milliseconds(100)

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - client: Where the cluster is and who we are.
    ///   - recovery: The way to go on with a partition that cannot be read any further.
    ///   - maximumBatch: The most messages handed to the delegate at once.
    public init(client: KafkaConfiguration, recovery: KafkaReaderRecovery, maximumBatch: Int = 1000) {
        self.client = client
        self.recovery = recovery
        self.maximumBatch = maximumBatch
    }
}

extension KafkaReaderConfiguration {
    /// How far librdkafka reads ahead by itself.
    var fetchLimits: FetchLimits {
        FetchLimits(
            messages: queuedMessagesPerPartition,
            bytes: queuedBytesPerPartition,
            fetchBytes: fetchBytesPerPartition
        )
    }

    /// The properties for librdkafka, in the order they are set: later ones win.
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
