import Kafka

/// What a scan is to read of one partition.
struct ScanSpan: Sendable, Equatable {
    var from: Int64
    /// Before which record it ends; `nil` where it goes on for ever.
    var to: Int64?

    var isEmpty: Bool { to.map { $0 <= from } ?? false }
}

/// How far a scan came.
struct ScanExtent: Sendable, Equatable {
    /// What was read of one partition.
    struct Part: Sendable, Equatable {
        /// The offset at which it began.
        var from: Int64
        /// The offset that would have been next.
        var to: Int64
        /// How many records were handed over.
        var count = 0
    }

    var parts: [KafkaTopicPartition: Part]

    /// How many records were handed over.
    var count: Int { parts.values.reduce(0) { $0 + $1.count } }
}
