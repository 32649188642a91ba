import NewsflashBasics
import NewsflashKafka
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions

/// Asks the leaders of our partitions for their end offsets in rounds, one at a time, so that lag is right even if nothing is
/// read.
///
/// A round makes one request to each broker that leads some of our partitions. If the age of a partition's first unread record
/// is not known otherwise, it also fetches that record. It blocks no thread of the worker.
final class LagMonitor: Sendable {
    /// The interval between rounds.
    static let interval = Duration.seconds(5)
    /// The time limit for a leader's response.
    private static let patience = Duration.seconds(5)

    private let consumer: KafkaConsumer
    private let cluster: KafkaConfiguration
    private let observer: PublishingObserver
    private let losses: LostRecords
    private let reckoning = Locked(LagEstimator())
    private let removed = Locked(RemovedPartitions())

    /// Makes a monitor; ``watch()`` starts it.
    ///
    /// - Parameters:
    ///   - consumer: Its partitions are watched, and end offsets are requested on its connections.
    ///   - context: The cluster, for the rare fetch of a record, the status of the publishing core, and the receiver of losses.
    init(_ consumer: KafkaConsumer, _ context: WorkerContext) {
        self.consumer = consumer
        cluster = context.cluster
        observer = context.observation.observer
        losses = context.observation.losses
    }

    /// The lags of our partitions.
    func lags(now: Timestamp) -> [PartitionLag] {
        let snapshot = observer.snapshot
        return reckoning.withLock { $0.lags(in: snapshot, now: now) }
    }

    /// Asks until the task is cancelled, and at once when partitions were assigned or revoked.
    func watch() async {
        var asked: Set<TopicPartition> = []
        var last: Instant?
        while !Task.isCancelled {
            let ours = Set((observer.snapshot.status?.partitions ?? []).map(\.source))
            if ours != asked || last.map({ .now - $0 >= Self.interval }) ?? true {
                (asked, last) = (ours, .now)
                await poll()
            }
            do { try await Task.sleep(for: .seconds(1)) } catch { return }
        }
    }

    /// Asks once.
    func poll() async {
        let asked = (observer.snapshot.status?.partitions ?? []).map(\.source)
        var positions: [TopicPartition: Int64] = [:]
        for place in asked { positions[place] = consumer.position(of: place) }
        // Health shows why leaders do not respond; earlier end offsets are kept.
        let ends = asked.isEmpty ? [:] : (try? await consumer.ends(of: asked, timeout: Self.patience)) ?? [:]
        await checkRemoved(ends: ends, positions: positions)
        guard !asked.isEmpty else { return }
        // Partitions revoked in the meantime are not included.
        let snapshot = observer.snapshot
        let unknown = reckoning.withLock { [positions] reckoning in
            reckoning.recordRound(
                ends: ends,
                positions: positions,
                of: snapshot.status?.partitions ?? [],
                in: snapshot,
                now: .now()
            )
        }
        guard !unknown.isEmpty else { return }
        let times = (try? await RecordTimes.first(from: unknown, at: cluster, within: Self.patience)) ?? [:]
        reckoning.withLock { $0.recordFirstTimes(times.compactMapValues(\.time), of: unknown) }
    }

    /// Checks whether partitions without an end offset still exist.
    private func checkRemoved(ends: [TopicPartition: Int64], positions: [TopicPartition: Int64]) async {
        for partition in removed.withLock({ $0.recordRound(ends: ends, positions: positions) }) {
            do throws(KafkaError) {
                _ = try await consumer.watermarks(of: partition, timeout: Self.patience)
                removed.withLock { $0.exists(partition, isOurs: positions[partition] != nil) }
            } catch {
                guard [.unknownPartition, .unknownTopic, .unknownTopicOrPartition].contains(error.code) else {
                    continue
                }
                if let gap = removed.withLock({ $0.isRemoved(partition) }) { losses.add(gap) }
            }
        }
    }
}

/// Partitions that no longer exist, because their topic was deleted or recreated with fewer partitions. Their unread records
/// are lost.
///
/// librdkafka 2.0.2 reports this only in its log, and the group may leave such a partition to its owner.
struct RemovedPartitions: Sendable {
    private struct Seen: Sendable {
        var position: Int64
        var end: Int64
    }

    /// Our partitions at the latest response of their leaders.
    private var seen: [TopicPartition: Seen] = [:]

    /// Records the responses of leaders.
    ///
    /// - Parameters:
    ///   - ends: The end offsets of our partitions; those without a response are missing.
    ///   - positions: The earlier positions in our partitions.
    /// - Returns: Partitions with unread records that have no end offset or were revoked. The caller asks the cluster whether
    ///   they exist.
    mutating func recordRound(
        ends: [TopicPartition: Int64],
        positions: [TopicPartition: Int64]
    ) -> [TopicPartition] {
        for (partition, position) in positions {
            if let end = ends[partition] {
                seen[partition] = Seen(position: position, end: end)
            } else {
                seen[partition]?.position = position
            }
        }
        seen = seen.filter { positions[$0.key] != nil || $0.value.position < $0.value.end }
        return seen.filter { ends[$0.key] == nil && $0.value.position < $0.value.end }.keys.sorted()
    }

    /// Records that a partition exists.
    ///
    /// - Parameters:
    ///   - partition: A partition that ``recordRound(ends:positions:)`` returned.
    ///   - isOurs: Whether it was not revoked.
    mutating func exists(_ partition: TopicPartition, isOurs: Bool) {
        if !isOurs { seen[partition] = nil }
    }

    /// Records that a partition does not exist.
    ///
    /// - Returns: Its unread records; `nil` if they were returned before.
    mutating func isRemoved(_ partition: TopicPartition) -> KafkaLogGap? {
        seen.removeValue(forKey: partition).map { seen in
            KafkaLogGap(partition: partition, offsets: seen.position..<seen.end, reason: .partitionRemoved)
        }
    }
}
