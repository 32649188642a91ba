import Kafka
import Publishing

/// All stories that a ledger knows, each with its partition.
enum LedgerContent {
    /// Takes the records of a ledger together.
    ///
    /// - Parameter messages: Of each partition in order.
    /// - Returns: The stories that have not ended.
    /// - Throws: ``CommandError`` that names a record that cannot be read.
    static func stories(
        in messages: [KafkaMessage]
    ) throws(CommandError) -> [(story: String, record: StoryFacts, partition: Int32)] {
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
                // A late writer may have put less behind more.
                if let known = latest[message.partition]?[story], known.processed.through > record.processed.through {
                    record.merge(known)
                }
                latest[message.partition, default: [:]][story] = record
            } catch {
                throw CommandError(
                    .foundProblems,
                    "\(message.topicPartition): the record at offset \(message.offset) is damaged: \(error). Mend or delete it "
                        + "first; nothing was changed"
                )
            }
        }
        return latest.flatMap { partition, stories in stories.map { ($0.key, $0.value, partition) } }
    }
}
