package import NewsflashKafka
package import NewsflashTimestamps
package import NewsflashTopicPartitions

/// Reads topics from a beginning to an end. Both are fixed when the scan starts.
package struct TopicScan: Sendable {
    /// The first record to read of each partition.
    package enum Beginning: Sendable {
        /// The oldest record.
        case earliest
        /// The first record of that time or later.
        case time(Timestamp)
        /// The record at an offset. Partitions without an offset are not read.
        case offsets([TopicPartition: Int64])
        /// The next record after the present end.
        case present
    }

    /// The end of the scan in each partition.
    package enum Ending: Sendable {
        /// After the newest record at the start of the scan.
        case present
        /// Before the first record of that time or later.
        case time(Timestamp)
        /// Before the record at an offset. Partitions without an offset are read to their present end.
        case offsets([TopicPartition: Int64])
        /// No end: records written later are read, too, until the task is cancelled.
        case never
    }

    private let cluster: KafkaConfiguration
    private let topics: [String]
    private let beginning: Beginning
    private let ending: Ending
    private let bytesOfEach: Int?

    /// Makes a scan.
    ///
    /// - Parameters:
    ///   - cluster: The cluster and the identity of this client.
    ///   - topics: The topics.
    ///   - beginning: The first record of each partition.
    ///   - ending: The end in each partition.
    ///   - bytesOfEach: Reading of a partition stops after the record with which this many bytes are reached; `nil` for all
    ///     records.
    package init(
        _ cluster: KafkaConfiguration,
        topics: [String],
        from beginning: Beginning,
        to ending: Ending,
        bytesOfEach: Int? = nil
    ) {
        self.cluster = cluster
        self.bytesOfEach = bytesOfEach
        self.topics = topics
        self.beginning = beginning
        self.ending = ending
    }

    /// Runs the scan.
    ///
    /// - Parameter receive: Called on the reader's thread with messages of one partition, in order; `false` ends the scan.
    /// - Returns: The extent read of each partition, including empty ones.
    /// - Throws: ``OperationError`` if a topic is missing or cannot be read.
    package func run(_ receive: @escaping @Sendable ([KafkaMessage]) -> Bool) async throws(OperationError) -> ScanExtent
    {
        let partitions = try await partitions()
        do throws(KafkaError) {
            let spans = try await spans(of: partitions)
            let reading = ScanReading(spans, bytesOfEach: bytesOfEach, receive: receive)
            try await read(spans.filter { !$0.value.isEmpty }, by: reading)
            return reading.extent
        } catch {
            throw OperationError(.unavailable, cluster, error, right: right)
        }
    }

    /// Returns the offsets that a scan would read now, including those of empty partitions.
    ///
    /// - Throws: ``OperationError`` if a topic is missing or cannot be read.
    func spans() async throws(OperationError) -> [TopicPartition: ScanSpan] {
        let partitions = try await partitions()
        do throws(KafkaError) {
            return try await spans(of: partitions)
        } catch {
            throw OperationError(.unavailable, cluster, error, right: right)
        }
    }

    /// The right that reading needs.
    private var right: String { "Read on the topic \(topics.joined(separator: ", "))" }

    private func read(
        _ spans: [TopicPartition: ScanSpan],
        by reading: ScanReading
    ) async throws(KafkaError) {
        guard !spans.isEmpty else { return }
        let reader = try KafkaReader(KafkaReaderConfiguration(client: cluster, recovery: .tell), delegate: reading)
        for (partition, span) in spans { reader.start(partition, at: .at(span.from)) }
        let failure =
            switch ending {
            case .never: await BrokerMonitor.noting(cluster, topic: topics.first ?? "") { await reading.ended() }
            case .present, .time, .offsets:
                await SlowOperationNotice.noting("reading \(topics.joined(separator: ", "))") { await reading.ended() }
            }
        await reader.close(deadline: .seconds(5))
        if let failure { throw failure }
    }

    private func partitions() async throws(OperationError) -> [TopicPartition] {
        let wanted: Set<TopicPartition>? = if case .offsets(let offsets) = beginning { Set(offsets.keys) } else { nil }
        let partitions = try await UsableTopics.find(topics, at: cluster, to: .read(wanted)).flatMap { topic in
            topic.partitions.map { TopicPartition(topic: topic.name, partition: $0.number) }
        }
        return wanted.map { wanted in partitions.filter { wanted.contains($0) } } ?? partitions
    }

    private func spans(
        of partitions: [TopicPartition]
    ) async throws(KafkaError) -> [TopicPartition: ScanSpan] {
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
        var spans: [TopicPartition: ScanSpan] = [:]
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
