package import Kafka
package import Timestamps
package import TopicPartitions

/// The timestamps of single records.
package enum RecordTimes {
    /// Reads the first record at or after an offset of each of some partitions.
    ///
    /// - Parameters:
    ///   - offsets: The start offset in each partition.
    ///   - cluster: The cluster.
    ///   - limit: The time limit.
    /// - Returns: The times when the records were written. Partitions without a record there, and those without a response in
    ///   time, are missing.
    /// - Throws: ``KafkaError`` if no reader can be created.
    package static func first(
        from offsets: [TopicPartition: Int64],
        at cluster: KafkaConfiguration,
        within limit: Duration
    ) async throws(KafkaError) -> [TopicPartition: Timestamp] {
        guard !offsets.isEmpty else { return [:] }
        var configuration = KafkaReaderConfiguration(client: cluster, recovery: .tell, maximumBatch: 1)
        configuration.queuedMessagesPerPartition = 1
        configuration.fetchBytesPerPartition = 16 << 10
        configuration.emptyFetchWait = .milliseconds(20)
        let answers = FirstRecords()
        let reader = try KafkaReader(configuration, delegate: answers)
        for (partition, offset) in offsets { reader.start(partition, at: .at(offset)) }
        // Cancelled at the end of this function.
        let alarm = Task {
            if (try? await Task.sleep(for: limit)) != nil { answers.continuation.finish() }
        }
        var times: [TopicPartition: Timestamp] = [:]
        var open = Set(offsets.keys)
        for await answer in answers.stream {
            if open.remove(answer.partition) != nil { times[answer.partition] = answer.time }
            if open.isEmpty { break }
        }
        alarm.cancel()
        await reader.close(deadline: .seconds(5))
        return times
    }
}

/// Receives the first record of each partition, or its end.
private final class FirstRecords: KafkaReaderDelegate {
    let stream: AsyncStream<(partition: TopicPartition, time: Timestamp?)>
    let continuation: AsyncStream<(partition: TopicPartition, time: Timestamp?)>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage]) {
        guard let first = messages.first else { return }
        reader.stop(first.topicPartition)
        continuation.yield((first.topicPartition, first.timestamp))
    }

    func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: TopicPartition, offset: Int64) {
        continuation.yield((partition, nil))
    }

    func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: TopicPartition?) {
        // All other faults pass, or the time limit does.
        guard let partition, !error.isRetriable else { return }
        continuation.yield((partition, nil))
    }
}
