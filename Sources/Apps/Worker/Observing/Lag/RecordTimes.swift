package import NewsflashKafka
package import NewsflashTimestamps
package import NewsflashTopicPartitions

/// When the first record at or after an offset was written.
package enum RecordTime: Sendable, Equatable {
    case written(Timestamp)
    /// The partition ends there, or the record has no time.
    case none
    /// The record could not be read.
    case unknown(KafkaError)

    /// The time; `nil` without one, and for an error.
    package var time: Timestamp? {
        guard case .written(let time) = self else { return nil }
        return time
    }
}

/// The timestamps of single records.
package enum RecordTimes {
    /// Reads the first record at or after an offset of each of some partitions.
    ///
    /// - Parameters:
    ///   - offsets: The start offset in each partition.
    ///   - cluster: The cluster.
    ///   - limit: The time limit.
    /// - Returns: One answer for each partition. Without a response in time it is the last error of the partition, or a timeout.
    /// - Throws: ``KafkaError`` if no reader can be created.
    package static func first(
        from offsets: [TopicPartition: Int64],
        at cluster: KafkaConfiguration,
        within limit: Duration
    ) async throws(KafkaError) -> [TopicPartition: RecordTime] {
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
        let late = KafkaError(.timedOut, "reading a record: no answer within \(limit.configured)")
        var times = offsets.mapValues { _ in RecordTime.unknown(late) }
        var open = Set(offsets.keys)
        for await answer in answers.stream where open.contains(answer.partition) {
            times[answer.partition] = answer.time
            if !answer.mayChange { open.remove(answer.partition) }
            if open.isEmpty { break }
        }
        alarm.cancel()
        await reader.close(deadline: .seconds(5))
        return times
    }
}

/// Receives the first record of each partition, or its end.
private final class FirstRecords: KafkaReaderDelegate {
    struct Answer {
        var partition: TopicPartition
        var time: RecordTime
        /// Whether reading goes on, because the error may pass.
        var mayChange = false
    }

    let stream: AsyncStream<Answer>
    let continuation: AsyncStream<Answer>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage]) {
        guard let first = messages.first else { return }
        reader.stop(first.topicPartition)
        let time = first.timestamp.map { RecordTime.written($0) } ?? .none
        continuation.yield(Answer(partition: first.topicPartition, time: time))
    }

    func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: TopicPartition, offset: Int64) {
        continuation.yield(Answer(partition: partition, time: .none))
    }

    func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: TopicPartition?) {
        // Errors of the whole client pass, or the time limit does.
        guard let partition else { return }
        continuation.yield(Answer(partition: partition, time: .unknown(error), mayChange: error.isRetriable))
    }
}
