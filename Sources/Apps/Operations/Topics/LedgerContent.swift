import NewsflashKafka
import NewsflashPublishing

/// All stories in a ledger, each with its partition.
enum LedgerContent {
    /// Decodes the records of a ledger.
    ///
    /// - Parameter messages: The messages, in order within each partition.
    /// - Returns: The stories that are not deleted.
    /// - Throws: ``OperationError`` with the position of a record that cannot be decoded.
    static func stories(
        in messages: [KafkaMessage]
    ) throws(OperationError) -> [(story: String, record: StoryFacts, partition: Int32)] {
        var latest: [Int32: [String: StoryFacts]] = [:]
        for message in messages {
            guard let key = message.key, !LedgerOwner.isKey(key.span) else { continue }
            let story = String(decoding: key, as: UTF8.self)
            guard let value = message.value else {
                latest[message.partition]?[story] = nil
                continue
            }
            do throws(LedgerRecordError) {
                var record = try LedgerRecordCodec.decode(value.span).record
                // A late writer may have written an older record after a newer one.
                if let known = latest[message.partition]?[story], known.processed.through > record.processed.through {
                    record.merge(known)
                }
                latest[message.partition, default: [:]][story] = record
            } catch {
                throw OperationError(
                    .foundProblems,
                    "\(message.topicPartition): the record at offset \(message.offset) is damaged: \(error). First "
                        + "write a tombstone for its key (runbook NewsflashPartitionStuck), and wait for compaction"
                )
            }
        }
        return latest.flatMap { partition, stories in stories.map { ($0.key, $0.value, partition) } }
    }
}
