import CNewsflashRDKafka

/// The settings of a producer. It writes idempotently, waits for all in-sync replicas, and sends without delay by default.
public struct KafkaProducerConfiguration: Sendable {
    /// The codecs of record batches.
    public enum Compression: String, Sendable, CaseIterable {
        /// Uncompressed.
        case none
        /// Fast.
        case lz4
        /// Small.
        case zstd
        /// For old consumers.
        case gzip
        /// For old consumers.
        case snappy
    }

    /// The cluster and the identity of this client.
    public var client: KafkaConfiguration
    /// How long a record may wait for others to share its batch.
    public var linger: Duration
    /// The number of requests to a broker that may be in flight at once, at most 5. With one, a record waits no longer than a
    /// broker takes to answer: a single record is sent at once, and under load records share requests.
    public var maximumRequestsUnderWay: Int
    /// The maximum time for a record, retries included, before it is reported as failed.
    public var messageTimeout: Duration
    /// The codec of record batches.
    public var compression: Compression
    /// The maximum number of records in the queue or in flight; another one fails with ``KafkaError/Code/queueFull``.
    public var maximumQueued: Int

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - client: The cluster and the identity of this client.
    ///   - linger: How long a record may wait for others to share its batch.
    ///   - maximumRequestsUnderWay: The number of requests to a broker that may be in flight at once.
    ///   - messageTimeout: The maximum time for a record, retries included.
    ///   - compression: The codec of record batches.
    ///   - maximumQueued: The maximum number of records in the queue or in flight.
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
    /// Returns the properties for librdkafka in the order in which they are set: later ones win.
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
            // The topic's own limit decides, after compression; librdkafka's default of a million bytes is lower than that of
            // brokers. Batches keep their own limit, `batch.size`.
            ("message.max.bytes", "1000000000"),
            // The partitioner of Java's producers.
            ("partitioner", "murmur2_random"),
        ]
        return properties + client.properties.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

/// Chooses the partitions of records by their keys.
package enum KafkaPartitioner {
    /// Returns the partition of a key, as Java's producers and ``KafkaProducer`` choose it.
    ///
    /// - Parameters:
    ///   - key: The key of a record; an empty one counts as a key, too.
    ///   - count: The number of partitions; at least one.
    /// - Returns: A number from 0 to `count - 1`.
    package static func partition(ofKey key: [UInt8], among count: Int) -> Int32 {
        guard let count = Int32(exactly: count), count > 0 else { return 0 }
        return key.withUnsafeBytes { bytes in
            rd_kafka_msg_partitioner_murmur2(nil, bytes.baseAddress, bytes.count, count, nil, nil)
        }
    }
}
