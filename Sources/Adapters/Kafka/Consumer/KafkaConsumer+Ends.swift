import CRDKafka

extension KafkaConsumer {
    /// The ends of several partitions, with one request for each broker that leads some of them.
    ///
    /// What belongs to an open transaction lies behind the end, as the consumer is not given it.
    ///
    /// - Parameters:
    ///   - partitions: Any partitions, ours or not.
    ///   - timeout: How long to wait for the leaders.
    /// - Returns: The offset that the next record of each will get; those of leaders that did not answer are left out.
    /// - Throws: ``KafkaError`` when no leader can be asked.
    public func ends(
        of partitions: [KafkaTopicPartition],
        timeout: Duration = .seconds(10)
    ) async throws(KafkaError) -> [KafkaTopicPartition: Int64] {
        let client = try openClient()
        return try await offPool { () throws(KafkaError) in
            try client.blockingEnds(of: partitions, timeout: timeout)
        }
    }
}

extension ClientHandle {
    /// Asks the leaders of partitions for their ends, and waits.
    fileprivate func blockingEnds(
        of partitions: [KafkaTopicPartition],
        timeout: Duration
    ) throws(KafkaError) -> [KafkaTopicPartition: Int64] {
        guard !partitions.isEmpty else { return [:] }
        // A question for the first record at a time; the end is a time of its own there.
        let list = TopicPartitionList(Dictionary(partitions.map { ($0, KafkaOffset.end.number) }) { $1 })
        try KafkaError.check(
            rd_kafka_offsets_for_times(pointer, list.pointer, timeout.milliseconds),
            doing: "asking for the ends of \(partitions.count) partitions"
        )
        var ends: [KafkaTopicPartition: Int64] = [:]
        for entry in list.entries where entry.offset >= 0 {
            if (try? KafkaError.check(entry.response, doing: "asking for an end")) != nil {
                ends[entry.partition] = entry.offset
            }
        }
        return ends
    }
}
