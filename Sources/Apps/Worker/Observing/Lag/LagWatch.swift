import Kafka
import Locks
import Publishing
import Timestamps

/// Asks the leaders of our partitions for their ends in rounds, one at a time, so that lag is right also while nothing is
/// read.
///
/// A round takes one request for each broker that leads some of our partitions, and where nothing else tells how old the first
/// unread record of a partition is, one fetch of it. No thread of the worker's own waits for it.
final class LagWatch: Sendable {
    /// How often to ask.
    static let interval = Duration.seconds(5)
    /// How long a leader may take.
    private static let patience = Duration.seconds(5)

    private let consumer: KafkaConsumer
    private let cluster: KafkaConfiguration
    private let observer: PublishingObserver
    private let didMiss: @Sendable (KafkaLogGap) -> Void
    private let reckoning = Locked(LagReckoning())
    private let removed = Locked(RemovedPartitions())

    /// Makes a watch that asks when it is told to.
    ///
    /// - Parameters:
    ///   - consumer: Whose partitions, and on whose connections to ask for ends.
    ///   - cluster: For the rare look at a record.
    ///   - observer: Knows what the publishing machine says.
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

    /// How far our partitions are behind.
    func lags(now: Timestamp) -> [PartitionLag] {
        let snapshot = observer.snapshot
        return reckoning.withLock { $0.lags(in: snapshot, now: now) }
    }

    /// Asks until the task is cancelled; at once when partitions have come or gone.
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
        // Health says what keeps leaders from answering; the ends that were known stay.
        let ends = asked.isEmpty ? [:] : (try? await consumer.ends(of: asked, timeout: Self.patience)) ?? [:]
        await lookForRemoved(ends: ends, positions: positions)
        guard !asked.isEmpty else { return }
        // What left meanwhile has no place here.
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

    /// Asks whether partitions exist whose ends are not known any more.
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
