import Kafka

/// The offsets to read of one partition.
struct ScanSpan: Sendable, Equatable {
    var from: Int64
    /// The offset after the last record; `nil` for no end.
    var to: Int64?

    var isEmpty: Bool { to.map { $0 <= from } ?? false }
}

/// The extent that a scan has read.
struct ScanExtent: Sendable, Equatable {
    /// The part read of one partition.
    struct Part: Sendable, Equatable {
        /// The first offset.
        var from: Int64
        /// The next offset after the part.
        var to: Int64
        /// The number of records handed over.
        var count = 0
    }

    var parts: [KafkaTopicPartition: Part]

    /// The number of records handed over.
    var count: Int { parts.values.reduce(0) { $0 + $1.count } }
}
