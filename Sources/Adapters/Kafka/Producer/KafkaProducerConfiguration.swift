/// How a producer writes: idempotent, confirmed by all in-sync replicas, at once.
public struct KafkaProducerConfiguration: Sendable {
    /// The codecs of record batches.
    public enum Compression: String, Sendable, CaseIterable {
        /// As they are.
        case none
        /// Fast.
        case lz4
        /// Small.
        case zstd
        /// For old readers.
        case gzip
        /// For old readers.
        case snappy
    }

    /// Where the cluster is and who we are.
    public var client: KafkaConfiguration
    /// How long a record may wait for others to share its batch.
    public var linger: Duration
    /// How many requests may be under way to a broker at once, at most 5. With one, records wait for each other no longer than
    /// a broker takes to answer: alone a record goes at once, and under load they share requests.
    public var maximumRequestsUnderWay: Int
    /// How long a record may take, retries included, before its report says that it failed.
    public var messageTimeout: Duration
    /// The codec of record batches.
    public var compression: Compression
    /// The most records that may be under way; one more fails with ``KafkaError/Code/queueFull``.
    public var maximumQueued: Int

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - client: Where the cluster is and who we are.
    ///   - linger: How long a record may wait for others to share its batch.
    ///   - maximumRequestsUnderWay: How many requests may be under way to a broker at once.
    ///   - messageTimeout: How long a record may take, retries included.
    ///   - compression: The codec of record batches.
    ///   - maximumQueued: The most records that may be under way.
    public init(
        client: KafkaConfiguration,
        linger: Duration = .zero,
        maximumRequestsUnderWay: Int = 5,
        messageTimeout: Duration = .seconds(30),
        compression: Compression = .lz4,
        maximumQueued: Int = 10_000
    ) {
        self.client = client
        self.linger = linger
        self.maximumRequestsUnderWay = maximumRequestsUnderWay
        self.messageTimeout = messageTimeout
        self.compression = compression
        self.maximumQueued = maximumQueued
    }
}

extension KafkaProducerConfiguration {
    /// The properties for librdkafka, in the order they are set: later ones win.
    func properties() throws(KafkaError) -> [(String, String)] {
        var properties = try client.commonProperties()
        properties += [
            ("enable.idempotence", "true"),
            ("linger.ms", "\(linger / .milliseconds(1))"),
            ("max.in.flight.requests.per.connection", "\(min(max(maximumRequestsUnderWay, 1), 5))"),
            ("message.timeout.ms", "\(messageTimeout.milliseconds)"),
            ("request.timeout.ms", "\(min(5000, messageTimeout.milliseconds))"),
            ("compression.codec", compression.rawValue),
            ("queue.buffering.max.messages", "\(maximumQueued)"),
            ("delivery.report.only.error", "false"),
            // The topic's own limit decides; librdkafka's default of a million bytes lies below that of brokers.
            ("message.max.bytes", "2097152"),
            // Where Java's producers put a key.
            ("partitioner", "murmur2_random"),
        ]
        return properties + client.properties.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
