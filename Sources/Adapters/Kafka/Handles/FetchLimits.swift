/// How far librdkafka reads ahead by itself, within what its properties take.
struct FetchLimits {
    /// Fetched and not taken, for each partition.
    var messages: Int
    /// The same in bytes. The answer to one fetch is no larger either, unless a single record is: librdkafka derives
    /// `fetch.max.bytes` from it.
    var bytes: Int
    /// Of one fetch and one partition.
    var fetchBytes: Int

    /// The wait of a fetcher that finds all queues full, in versions of librdkafka with that property (since 2.2.0).
    static let queueBackoff: [(String, String)] =
        KafkaLibrary.problem(withProperty: "fetch.queue.backoff.ms", value: "5") == nil
        ? [("fetch.queue.backoff.ms", "5")] : []

    /// The properties for librdkafka with which every reader of ours reads: what is committed and whole, up to these limits,
    /// at offsets that nobody but us keeps.
    ///
    /// - Parameter wait: How long a broker may keep a fetch for which it has nothing.
    /// - Returns: Names and values, in the order they are set.
    func properties(wait: Duration) -> [(String, String)] {
        [
            ("enable.auto.commit", "false"),
            ("enable.auto.offset.store", "false"),
            ("isolation.level", "read_committed"),
            ("check.crcs", "true"),
            // A broker answers as soon as there is a byte; the wait only bounds empty answers.
            ("fetch.min.bytes", "1"),
            ("fetch.wait.max.ms", "\(wait.milliseconds)"),
            // 500 ms by default, added at each change of leader in librdkafka 2.0.2.
            ("fetch.error.backoff.ms", "50"),
            ("queued.min.messages", "\(min(max(1, messages), 10_000_000))"),
            ("queued.max.messages.kbytes", "\(min(max(1, bytes >> 10), 2_097_151))"),
            ("fetch.message.max.bytes", "\(min(max(1, fetchBytes), 1_000_000_000))"),
        ] + Self.queueBackoff
    }
}
