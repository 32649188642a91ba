import CRDKafka

extension KafkaConsumer {
    /// The offset after the last message that was handed over; before the first, the offset where reading begins. A message
    /// that waits for credit was not handed over. With ``KafkaConsumerConfiguration/reportsPartitionEnd`` or
    /// ``KafkaConsumerConfiguration/commitsToEnd`` the position also passes records after it that are not messages, such as the
    /// end of a transaction. Does not block.
    ///
    /// - Parameter partition: One of our partitions.
    /// - Returns: `nil` before the first message of a partition for which the group has no offset.
    public func position(of partition: KafkaTopicPartition) -> Int64? {
        withState { $0.progress[partition]?.position }
    }

    /// Returns the ends of a partition as of its last fetch; does not block, and may be as old as that fetch.
    ///
    /// - Parameter partition: One of our partitions.
    /// - Returns: `nil` before the first fetch.
    public func knownWatermarks(of partition: KafkaTopicPartition) -> KafkaWatermarks? {
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
        of partitions: [KafkaTopicPartition],
        timeout: Duration = .seconds(10)
    ) async throws(KafkaError) -> [KafkaTopicPartition: Int64] {
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
        of partitions: [KafkaTopicPartition],
        timeout: Duration = .seconds(10)
    ) throws(KafkaError) -> [KafkaTopicPartition: Int64] {
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
        of partition: KafkaTopicPartition,
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
    func committedOffsets(of group: String) throws(KafkaError) -> [KafkaTopicPartition: Int64] {
        var offsets: [KafkaTopicPartition: Int64] = [:]
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
    func blockingWatermarks(of partition: KafkaTopicPartition, timeout: Duration) throws(KafkaError) -> KafkaWatermarks
    {
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
