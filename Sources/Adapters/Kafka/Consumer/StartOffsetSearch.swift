import NewsflashTopicPartitions

/// The assigned partitions that are not being read yet because the committed offset of the group is unknown.
///
/// The question is repeated until the coordinator answers or the partition is revoked. librdkafka itself would ask once: an
/// answer such as `NOT_COORDINATOR` leaves the partition unread permanently, without a log line (librdkafka#5586).
struct StartOffsetSearch: Sendable {
    /// An answer of the coordinator.
    struct Answer: Sendable {
        /// The offset of each partition that it knows; negative if the group has none there.
        var offsets: [TopicPartition: Int64] = [:]
        /// The reason why offsets are missing.
        var error: KafkaError?
    }

    /// How long one question may take.
    static let limit = Duration.seconds(5)
    private static let firstPause = Duration.milliseconds(100)
    private static let longestPause = Duration.seconds(5)
    /// How long a moving coordinator is not reported.
    private static let patience = Duration.seconds(2)
    private static let reportInterval = Duration.seconds(30)

    /// The partitions whose offsets are requested from the coordinator.
    private(set) var partitions: Set<TopicPartition> = []
    /// The partitions without an offset for which no rule determines the start.
    private var withoutRule: Set<TopicPartition> = []
    /// The partitions in the question in flight that were not revoked since; `nil` if none is in flight.
    private var asked: Set<TopicPartition>?
    private var failures = 0
    private var next = ContinuousClock.now
    private var nextReport = ContinuousClock.now

    /// The assigned partitions that librdkafka does not read yet.
    var unread: Set<TopicPartition> { partitions.union(withoutRule) }

    /// Begins to ask for more partitions.
    mutating func begin(_ more: some Sequence<TopicPartition>, at now: ContinuousClock.Instant) {
        let more = Set(more)
        guard !more.isEmpty else { return }
        if partitions.isEmpty {
            failures = 0
            nextReport = now + Self.patience
        }
        partitions.formUnion(more)
        next = now + Self.firstPause
    }

    /// Records that a partition waits until a person decides where to begin.
    mutating func waitsForRule(_ partition: TopicPartition) { withoutRule.insert(partition) }

    /// Forgets revoked partitions. An answer to an earlier question no longer counts, even if they come back: others may have
    /// committed since.
    mutating func leave(_ gone: Set<TopicPartition>) {
        partitions.subtract(gone)
        withoutRule.subtract(gone)
        asked?.subtract(gone)
    }

    /// Begins a question if one is due.
    ///
    /// - Returns: The partitions to ask for; `nil` if none is due.
    mutating func question(at now: ContinuousClock.Instant) -> [TopicPartition]? {
        guard asked == nil, !partitions.isEmpty, now >= next else { return nil }
        asked = partitions
        return partitions.sorted()
    }

    /// Receives the answer to the question in flight.
    ///
    /// - Returns: The offsets of partitions that are still ours, and the error to report, if it is time to.
    mutating func answered(
        _ answer: Answer,
        at now: ContinuousClock.Instant
    ) -> (found: [TopicPartition: Int64], report: KafkaError?) {
        let valid = asked.take() ?? []
        let found = answer.offsets.filter { valid.contains($0.key) }
        partitions.subtract(found.keys)
        guard !partitions.isEmpty else { return (found, nil) }
        failures += 1
        next = now + min(Self.longestPause, Self.firstPause * (1 << min(failures - 1, 16)))
        guard let error = answer.error, now >= nextReport || (failures == 1 && !error.isRetriable) else {
            return (found, nil)
        }
        nextReport = now + Self.reportInterval
        return (found, explained(error))
    }

    /// Returns the time until a question is due; `nil` if none will be without another event.
    func delay(from now: ContinuousClock.Instant) -> Duration? {
        asked == nil && !partitions.isEmpty ? max(.zero, next - now) : nil
    }

    private func explained(_ error: KafkaError) -> KafkaError {
        var error = error
        let names = partitions.sorted().map(\.description).joined(separator: ", ")
        error.message +=
            "; \(names) will not be read until the coordinator of the group answers; the request is repeated"
        if partitions.count == 1 { error.partition = partitions.first }
        return error
    }
}
