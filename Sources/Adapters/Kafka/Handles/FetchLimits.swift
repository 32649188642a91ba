/// The limits of librdkafka's own read-ahead, within the bounds of its properties.
struct FetchLimits {
    /// The maximum number of messages of a partition that are fetched and not dequeued.
    var messages: Int
    /// The maximum number of their bytes. The answer to one fetch is not larger either, unless a single record is: librdkafka
    /// derives
    /// `fetch.max.bytes` from it.
    var bytes: Int
    /// The maximum number of bytes of one partition in one fetch.
    var fetchBytes: Int

    /// The wait of a fetcher that finds all queues full, in versions of librdkafka with that property (2.2.0 and later).
    static let queueBackoff: [(String, String)] =
        KafkaLibrary.problem(withProperty: "fetch.queue.backoff.ms", value: "5") == nil
        ? [("fetch.queue.backoff.ms", "5")] : []

    /// Returns the properties with which all our consumers and readers read: committed and complete records, up to these
    /// limits, with offsets that only we keep.
    ///
    /// - Parameter wait: How long a broker may delay the answer to a fetch without data.
    /// - Returns: Names and values, in the order in which they are set.
    func properties(wait: Duration) -> [(String, String)] {
        [
            ("enable.auto.commit", "false"),
            ("enable.auto.offset.store", "false"),
            ("isolation.level", "read_committed"),
            ("check.crcs", "true"),
            // A broker answers as soon as one byte is available; the wait only limits empty answers.
            ("fetch.min.bytes", "1"),
            ("fetch.wait.max.ms", "\(wait.milliseconds)"),
            // 500 ms by default, which librdkafka 2.0.2 adds at each change of leader.
            ("fetch.error.backoff.ms", "50"),
            ("queued.min.messages", "\(min(max(1, messages), 10_000_000))"),
            ("queued.max.messages.kbytes", "\(min(max(1, bytes >> 10), 2_097_151))"),
            ("fetch.message.max.bytes", "\(min(max(1, fetchBytes), 1_000_000_000))"),
        ] + Self.queueBackoff
    }
}
