import Kafka
import Timestamps

/// Reads topics from a beginning to an end that is fixed when the reading begins.
struct TopicScan: Sendable {
    /// Where in each partition to begin.
    enum Beginning: Sendable {
        /// At the oldest record.
        case earliest
        /// At the first record of that time or later.
        case time(Timestamp)
        /// At records; partitions that are left out are not read.
        case offsets([KafkaTopicPartition: Int64])
        /// After the newest record.
        case present
    }

    /// Where in each partition to end.
    enum Ending: Sendable {
        /// Behind what is newest as the reading begins.
        case present
        /// Before the first record of that time or later.
        case time(Timestamp)
        /// Before records; partitions that are left out end at the present.
        case offsets([KafkaTopicPartition: Int64])
        /// Nowhere: what is written later is read too, until the task is cancelled.
        case never
    }

    private let cluster: KafkaConfiguration
    private let topics: [String]
    private let beginning: Beginning
    private let ending: Ending

    init(_ cluster: KafkaConfiguration, topics: [String], from beginning: Beginning, to ending: Ending) {
        self.cluster = cluster
        self.topics = topics
        self.beginning = beginning
        self.ending = ending
    }

    /// Reads.
    ///
    /// - Parameter take: Called on the reader's thread with messages of one partition, in order; false ends the scan.
    /// - Returns: How far each partition was read; those with nothing to read too.
    /// - Throws: ``CommandError`` where a topic is missing or cannot be read.
    func run(_ take: @escaping @Sendable ([KafkaMessage]) -> Bool) async throws(CommandError) -> ScanExtent {
        let partitions = try await partitions()
        do throws(KafkaError) {
            let spans = try await spans(of: partitions)
            let reading = ScanReading(spans, take: take)
            try await read(spans.filter { !$0.value.isEmpty }, by: reading)
            return reading.extent
        } catch {
            throw CommandError(.unavailable, cluster, error, right: right)
        }
    }

    /// The right that reading needs.
    private var right: String { "Read on the topic \(topics.joined(separator: ", "))" }

    private func read(
        _ spans: [KafkaTopicPartition: ScanSpan],
        by reading: ScanReading
    ) async throws(KafkaError) {
        guard !spans.isEmpty else { return }
        let reader = try KafkaReader(KafkaReaderConfiguration(client: cluster, recovery: .tell), delegate: reading)
        for (partition, span) in spans { reader.start(partition, at: .at(span.from)) }
        let failure =
            switch ending {
            case .never: await BrokerWatch.noting(cluster, topic: topics.first ?? "") { await reading.ended() }
            case .present, .time, .offsets:
                await Patience.noting("reading \(topics.joined(separator: ", "))") { await reading.ended() }
            }
        await reader.close(deadline: .seconds(5))
        if let failure { throw failure }
    }

    /// The partitions of the topics, without making any topic: brokers may make one that is asked for by its name.
    private func partitions() async throws(CommandError) -> [KafkaTopicPartition] {
        let present: [KafkaTopic]
        do throws(KafkaError) {
            let admin = try KafkaAdmin(cluster)
            present = try await Patience.noting("asking Kafka at \(cluster.bootstrapServers)") {
                () async throws(KafkaError) in
                try await admin.topics()
            }
        } catch {
            throw CommandError(.unavailable, cluster, error, right: right)
        }
        var partitions: [KafkaTopicPartition] = []
        for name in topics {
            guard let topic = present.first(where: { $0.name == name }) else {
                throw CommandError(
                    .unavailable,
                    "Kafka at \(cluster.bootstrapServers) has no topic \(name), or does not show it to \(cluster.user): look with "
                        + "'newsflash topics list', make it with 'newsflash topics create'"
                )
            }
            if let error = topic.error { throw CommandError(.unavailable, cluster, error, right: right) }
            partitions += topic.partitions.map { KafkaTopicPartition(topic: name, partition: $0.number) }
        }
        guard case .offsets(let offsets) = beginning else { return partitions }
        return partitions.filter { offsets[$0] != nil }
    }

    private func spans(
        of partitions: [KafkaTopicPartition]
    ) async throws(KafkaError) -> [KafkaTopicPartition: ScanSpan] {
        guard !partitions.isEmpty else { return [:] }
        let admin = try KafkaAdmin(cluster)
        let watermarks = try await admin.watermarks(of: partitions)
        var begins = watermarks.mapValues(\.low)
        switch beginning {
        case .earliest: break
        case .present: begins = watermarks.mapValues(\.high)
        case .time(let time): begins = try await admin.offsets(of: partitions, at: time)
        case .offsets(let offsets): begins.merge(offsets.filter { begins[$0.key] != nil }) { max($0, $1) }
        }
        var ends = watermarks.mapValues(\.high)
        switch ending {
        case .present, .never: break
        case .time(let time): ends.merge(try await admin.offsets(of: partitions, at: time)) { min($0, $1) }
        case .offsets(let offsets): ends.merge(offsets.filter { ends[$0.key] != nil }) { min($0, $1) }
        }
        var spans: [KafkaTopicPartition: ScanSpan] = [:]
        for (partition, from) in begins {
            if case .never = ending {
                spans[partition] = ScanSpan(from: from, to: nil)
            } else {
                spans[partition] = ScanSpan(from: from, to: max(from, ends[partition] ?? from))
            }
        }
        return spans
    }
}
