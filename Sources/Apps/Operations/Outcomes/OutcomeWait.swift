import NewsflashBasics
import NewsflashKafka
package import NewsflashPublishing
package import NewsflashTopicPartitions
package import NewsflashWorker

/// Waits for the outcomes of records that a command has written.
package struct OutcomeWait: Sendable {
    private let cluster: KafkaConfiguration
    private let topic: String
    private let settings: TopicSettings

    package init(_ settings: TopicSettings) {
        self.settings = settings
        cluster = settings.kafka
        topic = settings.topics.outcomes
    }

    /// Finds the present end offsets of the outcome topic, to read the outcomes of records written from now on.
    ///
    /// - Throws: ``OperationError`` if the topic cannot be read.
    package func beginning() async throws(OperationError) -> [TopicPartition: Int64] {
        let scan = TopicScan(cluster, topics: [topic], from: .present, to: .present)
        return try await scan.run { _ in true }.parts.mapValues(\.from)
    }

    /// Waits until each record has a sufficient outcome, or the time is over.
    ///
    /// - Parameters:
    ///   - records: The positions of the records in source topics.
    ///   - beginning: The offsets from ``beginning()``.
    ///   - patience: The maximum time to wait.
    ///   - isEnough: Whether an outcome ends the wait for its record.
    /// - Returns: The latest outcome of each record that has one.
    /// - Throws: ``OperationError`` if the topic cannot be read.
    package func outcomes(
        of records: Set<LaterOutcomes.Origin>,
        from beginning: [TopicPartition: Int64],
        within patience: Duration,
        isEnough: @escaping @Sendable (OutcomeRecord) -> Bool
    ) async throws(OperationError) -> [LaterOutcomes.Origin: OutcomeRecord] {
        guard !records.isEmpty, patience > .zero else { return [:] }
        let found = Locked<[LaterOutcomes.Origin: OutcomeRecord]>([:])
        let scan = TopicScan(cluster, topics: [topic], from: .offsets(beginning), to: .never)
        let reading = Task { () async -> Result<ScanExtent, OperationError> in
            do throws(OperationError) {
                let extent = try await scan.run { messages in
                    let outcomes = messages.compactMap { message in
                        message.value.flatMap { try? OutcomeRecordReader.read($0.span) }
                    }
                    return found.withLock { found in
                        for outcome in outcomes {
                            let origin = LaterOutcomes.Origin(outcome.origin)
                            guard settings.isOfGroup(outcome), records.contains(origin), found[origin]?.isFinal != true
                            else { continue }
                            found[origin] = outcome
                        }
                        return found.values.count(where: isEnough) < records.count
                    }
                }
                return .success(extent)
            } catch {
                return .failure(error)
            }
        }
        // Cancelled below, after the reading has ended.
        let clock = Task {
            try? await Task.sleep(for: patience)
            reading.cancel()
        }
        let result = await SlowOperationNotice.noting("waiting for the outcomes of \(counted(records.count, "record"))")
        {
            await reading.value
        }
        clock.cancel()
        let outcomes = found.withLock { $0 }
        if outcomes.values.count(where: isEnough) < records.count { _ = try result.get() }
        return outcomes
    }
}
