import Kafka
import Locks
import Publishing
import Timestamps

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
    private let didMiss: @Sendable (KafkaLogGap) -> Void
    private let reckoning = Locked(LagEstimator())
    private let removed = Locked(RemovedPartitions())

    /// Makes a watch; ``watch()`` starts it.
    ///
    /// - Parameters:
    ///   - consumer: Its partitions are watched, and end offsets are requested on its connections.
    ///   - cluster: The cluster, for the rare fetch of a record.
    ///   - observer: Has the status of the publishing core.
    ///   - didMiss: Receives the unread records of partitions that do not exist any more.
    init(
        consumer: KafkaConsumer,
        cluster: KafkaConfiguration,
        observer: PublishingObserver,
        didMiss: @escaping @Sendable (KafkaLogGap) -> Void
    ) {
        self.consumer = consumer
        self.cluster = cluster
        self.observer = observer
        self.didMiss = didMiss
    }

    /// The lags of our partitions.
    func lags(now: Timestamp) -> [PartitionLag] {
        let snapshot = observer.snapshot
        return reckoning.withLock { $0.lags(in: snapshot, now: now) }
    }

    /// Asks until the task is cancelled, and at once when partitions were assigned or revoked.
    func watch() async {
        var asked: Set<SourcePartition> = []
        var last: Instant?
        while !Task.isCancelled {
            let ours = Set((observer.snapshot.status?.partitions ?? []).map(\.source))
            if ours != asked || last.map({ .now - $0 >= Self.interval }) ?? true {
                (asked, last) = (ours, .now)
                await look()
            }
            do { try await Task.sleep(for: .seconds(1)) } catch { return }
        }
    }

    /// Asks once.
    func look() async {
        let asked = (observer.snapshot.status?.partitions ?? []).map { KafkaTopicPartition($0.source) }
        var positions: [SourcePartition: Int64] = [:]
        for place in asked { positions[SourcePartition(place)] = consumer.position(of: place) }
        // Health shows why leaders do not respond; earlier end offsets are kept.
        let ends = asked.isEmpty ? [:] : (try? await consumer.ends(of: asked, timeout: Self.patience)) ?? [:]
        await lookForRemoved(ends: ends, positions: positions)
        guard !asked.isEmpty else { return }
        // Partitions revoked in the meantime are not included.
        let snapshot = observer.snapshot
        let known = Dictionary(uniqueKeysWithValues: ends.map { (SourcePartition($0), $1) })
        let unknown = reckoning.withLock { [positions] reckoning in
            reckoning.looked(
                ends: known,
                positions: positions,
                of: snapshot.status?.partitions ?? [],
                in: snapshot,
                now: .now()
            )
        }
        guard !unknown.isEmpty else { return }
        let places = Dictionary(uniqueKeysWithValues: unknown.map { (KafkaTopicPartition($0), $1) })
        let times = (try? await RecordTimes.first(from: places, at: cluster, within: Self.patience)) ?? [:]
        reckoning.withLock { reckoning in
            reckoning.firstsAreKnown(
                Dictionary(uniqueKeysWithValues: times.map { (SourcePartition($0), $1) }),
                of: unknown
            )
        }
    }

    /// Checks whether partitions without an end offset still exist.
    private func lookForRemoved(ends: [KafkaTopicPartition: Int64], positions: [SourcePartition: Int64]) async {
        let positions = Dictionary(uniqueKeysWithValues: positions.map { (KafkaTopicPartition($0), $1) })
        for partition in removed.withLock({ $0.looked(ends: ends, positions: positions) }) {
            do throws(KafkaError) {
                _ = try await consumer.watermarks(of: partition, timeout: Self.patience)
                removed.withLock { $0.exists(partition, isOurs: positions[partition] != nil) }
            } catch {
                guard [.unknownPartition, .unknownTopic, .unknownTopicOrPartition].contains(error.code) else {
                    continue
                }
                if let gap = removed.withLock({ $0.isRemoved(partition) }) { didMiss(gap) }
            }
        }
    }
}
