package import NewsflashTopicPartitions

/// How reading continues in a partition whose next offset is not in its log, or unknown.
package enum PartitionResumption: Sendable, Equatable {
    /// Nothing was read before.
    case begin(at: Int64)
    /// The next records were deleted; those after them follow.
    case skip(KafkaLogGap)
    /// The offsets have gone back: all records of the log are read.
    case rewind(KafkaLogGap, to: Int64)
    /// A person has to decide.
    case wait(KafkaError)

    /// The facts about the partition.
    package struct Facts: Sendable {
        package var partition: TopicPartition
        /// The offset of the next message; `nil` if the group has none.
        package var position: Int64?
        /// The offsets of the log.
        package var log: KafkaWatermarks
        /// Whether messages were handed over since the partition was assigned.
        package var hasRead: Bool
        /// Whether the topic was missing for a while.
        package var wasMissing: Bool

        package init(
            _ partition: TopicPartition,
            position: Int64?,
            log: KafkaWatermarks,
            hasRead: Bool = false,
            wasMissing: Bool = false
        ) {
            self.partition = partition
            self.position = position
            self.log = log
            self.hasRead = hasRead
            self.wasMissing = wasMissing
        }
    }

    /// Decides how reading continues.
    ///
    /// - Parameters:
    ///   - facts: The facts about the partition.
    ///   - reset: The rule for partitions without an offset. In a partition that had one, no remaining record is skipped.
    package init(_ facts: Facts, reset: KafkaConsumerConfiguration.OffsetReset) {
        let (partition, log) = (facts.partition, facts.log)
        guard let position = facts.position else {
            switch reset {
            case .earliest: self = .begin(at: log.low)
            case .latest: self = .begin(at: log.high)
            case .error:
                self = .wait(KafkaError(.noOffset, "reading \(partition): the group has no offset for it"))
            }
            return
        }
        guard reset != .error else {
            let text =
                "reading \(partition): the offset \(position) is not in its log, which has \(log.low) to \(log.high)"
            self = .wait(KafkaError(.offsetOutOfRange, text))
            return
        }
        guard position >= log.low else {
            self = .skip(KafkaLogGap(partition: partition, offsets: position..<log.low, reason: .retention))
            return
        }
        // Brokers delete the committed offsets with a topic, so a remaining offset means a truncation, except in a young log.
        let isNew = facts.wasMissing || (!facts.hasRead && log.low == 0)
        let gone = min(log.high, position)..<position
        let gap = KafkaLogGap(partition: partition, offsets: gone, reason: isNew ? .topicRecreated : .truncated)
        self = .rewind(gap, to: log.low)
    }
}
