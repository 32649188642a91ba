import CNewsflashRDKafka
public import NewsflashTopicPartitions

extension KafkaConsumer {
    /// The offset after the last message that was handed over; before the first, the offset where reading begins. A message
    /// that waits for credit was not handed over. With ``KafkaConsumerConfiguration/reportsPartitionEnd`` or
    /// ``KafkaConsumerConfiguration/commitsToEnd`` the position also passes records after it that are not messages, such as the
    /// end of a transaction. Does not block.
    ///
    /// - Parameter partition: One of our partitions.
    /// - Returns: `nil` before the first message of a partition for which the group has no offset.
    public func position(of partition: TopicPartition) -> Int64? {
        withState { $0.progress[partition]?.position }
    }

    /// Returns the ends of a partition as of its last fetch; does not block, and may be as old as that fetch.
    ///
    /// - Parameter partition: One of our partitions.
    /// - Returns: `nil` before the first fetch.
    public func knownWatermarks(of partition: TopicPartition) -> KafkaWatermarks? {
        guard let client = try? openClient() else { return nil }
        var watermarks = KafkaWatermarks(low: -1, high: -1)
        let response = rd_kafka_get_watermark_offsets(
            client.pointer,
            partition.topic,
            partition.partition,
            &watermarks.low,
            &watermarks.high
        )
        return response == RD_KAFKA_RESP_ERR_NO_ERROR && watermarks.high >= 0 ? watermarks : nil
    }

    /// Returns the offsets that the group has committed.
    ///
    /// - Parameters:
    ///   - partitions: Any partitions, ours or not.
    ///   - timeout: How long to wait for the coordinator.
    /// - Returns: The next offset to read, without partitions that have none.
    /// - Throws: ``KafkaError`` if the group cannot be asked.
    public func committedOffsets(
        of partitions: [TopicPartition],
        timeout: Duration = .seconds(10)
    ) async throws(KafkaError) -> [TopicPartition: Int64] {
        try await offPool { () throws(KafkaError) in
            try self.blockingCommittedOffsets(of: partitions, timeout: timeout)
        }
    }

    /// Does the same as ``committedOffsets(of:timeout:)`` for threads that may block, such as the consumer's own in a
    /// delegate's method. Never call it from a task.
    ///
    /// - Parameters:
    ///   - partitions: Any partitions, ours or not.
    ///   - timeout: How long to wait for the coordinator.
    /// - Returns: The next offset to read, without partitions that have none.
    /// - Throws: ``KafkaError`` if the group cannot be asked.
    public func blockingCommittedOffsets(
        of partitions: [TopicPartition],
        timeout: Duration = .seconds(10)
    ) throws(KafkaError) -> [TopicPartition: Int64] {
        let client = try openClient()
        let list = TopicPartitionList(partitions)
        try KafkaError.check(
            rd_kafka_committed(client.pointer, list.pointer, timeout.milliseconds),
            doing: "asking for the offsets of group \"\(configuration.groupID)\""
        )
        return try list.committedOffsets(of: configuration.groupID)
    }

    /// Asks the leader of a partition for its ends.
    ///
    /// - Parameters:
    ///   - partition: Any partition, ours or not.
    ///   - timeout: How long to wait for the leader.
    /// - Returns: The current ends.
    /// - Throws: ``KafkaError`` if the leader cannot be asked.
    public func watermarks(
        of partition: TopicPartition,
        timeout: Duration = .seconds(10)
    ) async throws(KafkaError) -> KafkaWatermarks {
        let client = try openClient()
        return try await offPool { () throws(KafkaError) in
            try client.blockingWatermarks(of: partition, timeout: timeout)
        }
    }
}

extension TopicPartitionList {
    /// Returns the offsets in an answer of the coordinator, without partitions that have none.
    func committedOffsets(of group: String) throws(KafkaError) -> [TopicPartition: Int64] {
        var offsets: [TopicPartition: Int64] = [:]
        for entry in entries {
            try KafkaError.check(
                entry.response,
                doing: "asking for the offset of group \"\(group)\" in \(entry.partition)"
            )
            if entry.offset >= 0 { offsets[entry.partition] = entry.offset }
        }
        return offsets
    }
}

extension ClientHandle {
    /// Asks the leader of a partition for its ends, and waits.
    func blockingWatermarks(of partition: TopicPartition, timeout: Duration) throws(KafkaError) -> KafkaWatermarks {
        var watermarks = KafkaWatermarks(low: 0, high: 0)
        let response = rd_kafka_query_watermark_offsets(
            pointer,
            partition.topic,
            partition.partition,
            &watermarks.low,
            &watermarks.high,
            timeout.milliseconds
        )
        try KafkaError.check(response, doing: "asking for the ends of \(partition)")
        return watermarks
    }
}

extension KafkaConsumer {
    /// Returns the ends of several partitions, with one request for each broker that leads some of them.
    ///
    /// Records of an open transaction are after the end, because the consumer does not get them.
    ///
    /// - Parameters:
    ///   - partitions: Any partitions, ours or not.
    ///   - timeout: How long to wait for the leaders. If one does not answer, the partitions are asked one by one.
    /// - Returns: The offset that the next record of each partition will get, without partitions whose leaders did not answer.
    /// - Throws: ``KafkaError`` if no leader can be asked.
    public func ends(
        of partitions: [TopicPartition],
        timeout: Duration = .seconds(10)
    ) async throws(KafkaError) -> [TopicPartition: Int64] {
        let client = try openClient()
        do throws(KafkaError) {
            return try await offPool { () throws(KafkaError) in
                try client.blockingEnds(of: partitions, timeout: timeout)
            }
        } catch {
            // librdkafka answers for all partitions or for none: one leader without an answer hides the answers of the others.
            guard error.meansUnreachable, partitions.count > 1 else { throw error }
            return try await endsOneByOne(of: partitions, client, or: error)
        }
    }

    /// Asks for single partitions, some at a time: a healthy leader answers at once.
    private func endsOneByOne(
        of partitions: [TopicPartition],
        _ client: ClientHandle,
        or error: KafkaError
    ) async throws(KafkaError) -> [TopicPartition: Int64] {
        let (patience, width) = (Duration.seconds(1), 16)
        var ends: [TopicPartition: Int64] = [:]
        for start in stride(from: 0, to: partitions.count, by: width) {
            let some = partitions[start..<min(start + width, partitions.count)]
            let answers = await withTaskGroup(of: [TopicPartition: Int64].self) { group in
                for partition in some {
                    group.addTask {
                        let answer = try? await offPool { () throws(KafkaError) in
                            try client.blockingEnds(of: [partition], timeout: patience)
                        }
                        return answer ?? [:]
                    }
                }
                return await group.reduce(into: [:]) { $0.merge($1) { $1 } }
            }
            ends.merge(answers) { $1 }
        }
        guard !ends.isEmpty else { throw error }
        return ends
    }
}

extension ClientHandle {
    /// Asks the leaders of partitions for their ends, and waits.
    fileprivate func blockingEnds(
        of partitions: [TopicPartition],
        timeout: Duration
    ) throws(KafkaError) -> [TopicPartition: Int64] {
        guard !partitions.isEmpty else { return [:] }
        // Asks for the first record at or after a time; the end is a special time there. Without an answer, this value stays in
        // the list and would look like an offset, so the response is checked first.
        let list = TopicPartitionList(Dictionary(partitions.map { ($0, KafkaOffset.end.number) }) { $1 })
        try KafkaError.check(
            rd_kafka_offsets_for_times(pointer, list.pointer, timeout.milliseconds),
            doing: "asking for the ends of \(partitions.count) partitions"
        )
        var ends: [TopicPartition: Int64] = [:]
        for entry in list.entries where entry.offset >= 0 {
            if (try? KafkaError.check(entry.response, doing: "asking for an end")) != nil {
                ends[entry.partition] = entry.offset
            }
        }
        return ends
    }
}
