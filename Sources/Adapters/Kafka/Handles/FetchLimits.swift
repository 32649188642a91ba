/// How far librdkafka reads ahead by itself, within what its properties take.
struct FetchLimits {
    /// Fetched and not taken, for each partition.
    var messages: Int
    /// The same in bytes. The answer to one fetch is no larger either, unless a single record is: librdkafka derives
    /// `fetch.max.bytes` from it.
    var bytes: Int
    /// Of one fetch and one partition.
    var fetchBytes: Int

    /// The properties for librdkafka.
    var properties: [(String, String)] {
        [
            ("queued.min.messages", "\(min(max(1, messages), 10_000_000))"),
            ("queued.max.messages.kbytes", "\(min(max(1, bytes >> 10), 2_097_151))"),
            ("fetch.message.max.bytes", "\(min(max(1, fetchBytes), 1_000_000_000))"),
        ]
    }
}
