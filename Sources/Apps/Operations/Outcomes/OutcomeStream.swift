import NewsflashBasics
import NewsflashKafka
package import NewsflashPublishing
package import NewsflashTopicPartitions
package import NewsflashWorker

/// The outcomes that meet a condition: past ones in the order of their times, new ones as they arrive.
package struct OutcomeStream: Sendable {
    /// The result of reading the topic.
    package struct Found: Sendable {
        /// Oldest first.
        package var outcomes: [FoundOutcome] = []
        /// The number of records that this version cannot decode.
        package var unreadable = 0
        /// The number of matching outcomes of other groups, by group.
        package var others: [String: Int] = [:]
        package var extent = ScanExtent(parts: [:])

        /// The stories of the events. Test events have separate ledger records.
        package var stories: Set<String> { Set(outcomes.map(\.record.story).filter { !$0.isEmpty }) }
        /// The source partitions of the events.
        package var sourcePartitions: Set<TopicPartition> { Set(outcomes.map(\.record.origin.partition)) }

        /// A note about the outcomes of other groups; `nil` without any.
        package var noteOfOthers: String? {
            guard !others.isEmpty else { return nil }
            let groups = others.keys.sorted().joined(separator: ", ")
            let count = counted(others.values.reduce(0, +), "outcome")
            return "note: \(count) of other groups (\(groups.harmless)) not shown; only those of kafka.group are"
        }
    }

    private let cluster: KafkaConfiguration
    private let topic: String
    private let settings: TopicSettings
    private let mark: [UInt8]
    private let matches: @Sendable (OutcomeRecord) -> Bool

    /// - Parameters:
    ///   - settings: The cluster, the topic and the group.
    ///   - mark: Only records that contain these bytes are decoded; empty for all.
    ///   - matches: The condition.
    package init(_ settings: TopicSettings, mark: [UInt8] = [], matches: @escaping @Sendable (OutcomeRecord) -> Bool) {
        cluster = settings.kafka
        topic = settings.topics.outcomes
        self.settings = settings
        self.mark = mark
        self.matches = matches
    }

    /// Reads the outcomes between two positions.
    ///
    /// - Throws: ``OperationError`` if the topic cannot be read.
    package func outcomes(
        from beginning: TopicScan.Beginning,
        to ending: TopicScan.Ending
    ) async throws(OperationError) -> Found {
        let found = Locked(Found())
        let scan = TopicScan(cluster, topics: [topic], from: beginning, to: ending)
        let extent = try await scan.run { messages in
            let part = read(messages)
            found.withLock { found in
                found.outcomes += part.outcomes
                found.unreadable += part.unreadable
                found.others.merge(part.others, uniquingKeysWith: +)
            }
            return true
        }
        var result = found.withLock { $0 }
        result.outcomes.sort { ($0.record.at, $0.partition, $0.offset) < ($1.record.at, $1.partition, $1.offset) }
        result.extent = extent
        return result
    }

    /// Reads new outcomes until the task is cancelled.
    ///
    /// - Parameters:
    ///   - extent: The extent of the previous read, after which this one starts.
    ///   - show: Called with each outcome, in the order of its partition.
    /// - Throws: ``OperationError`` if the topic cannot be read.
    package func follow(
        after extent: ScanExtent,
        show: @escaping @Sendable (FoundOutcome) -> Void
    ) async throws(OperationError) {
        let beginning = TopicScan.Beginning.offsets(extent.parts.mapValues(\.to))
        let scan = TopicScan(cluster, topics: [topic], from: beginning, to: .never)
        _ = try await scan.run { messages in
            read(messages).outcomes.forEach(show)
            return true
        }
    }

    private func read(_ messages: [KafkaMessage]) -> Found {
        var found = Found()
        for message in messages {
            guard let value = message.value, mark.isEmpty || value.contains(mark) else { continue }
            do throws(OutcomeRecordError) {
                let record = try OutcomeRecordReader.read(value.span)
                guard matches(record) else { continue }
                guard settings.isOfGroup(record) else {
                    found.others[record.group ?? "", default: 0] += 1
                    continue
                }
                found.outcomes.append(
                    FoundOutcome(
                        partition: message.topicPartition,
                        offset: message.offset,
                        record: record,
                        value: value
                    )
                )
            } catch {
                found.unreadable += 1
            }
        }
        return found
    }
}

extension [UInt8] {
    /// Whether these bytes contain other bytes as one contiguous part.
    package func contains(_ other: [UInt8]) -> Bool {
        guard let first = other.first, count >= other.count else { return false }
        var start = startIndex
        while let index = self[start...].firstIndex(of: first), index + other.count <= count {
            if self[index..<index + other.count].elementsEqual(other) { return true }
            start = index + 1
        }
        return false
    }
}
