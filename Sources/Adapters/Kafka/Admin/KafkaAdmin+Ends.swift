import CRDKafka

extension KafkaAdmin {
    /// The ends of several partitions, with one request for each broker that leads some of them.
    ///
    /// - Parameters:
    ///   - partitions: Which ones.
    ///   - timeout: How long to wait for the leaders.
    /// - Returns: The offset that the next record of each will get.
    /// - Throws: ``KafkaError`` when a leader cannot be asked.
    public func ends(
        of partitions: [KafkaTopicPartition],
        timeout: Duration = .seconds(10)
    ) async throws(KafkaError) -> [KafkaTopicPartition: Int64] {
        try await offPool { [client] () throws(KafkaError) in
            try client.blockingEnds(of: partitions, timeout: timeout).get()
        }
    }
}

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
            try client.blockingEnds(of: partitions, timeout: timeout).known
        }
    }
}

extension ClientHandle {
    /// What leaders said of the ends of their partitions.
    struct Ends {
        var known: [KafkaTopicPartition: Int64] = [:]
        /// Of the first partition whose leader said none.
        var failure: KafkaError?

        func get() throws(KafkaError) -> [KafkaTopicPartition: Int64] {
            if let failure { throw failure }
            return known
        }
    }

    /// Asks the leaders of partitions for their ends, and waits.
    func blockingEnds(of partitions: [KafkaTopicPartition], timeout: Duration) throws(KafkaError) -> Ends {
        guard !partitions.isEmpty else { return Ends() }
        // A question for the first record at a time; the end is a time of its own there.
        let list = TopicPartitionList(Dictionary(partitions.map { ($0, KafkaOffset.end.number) }) { $1 })
        try KafkaError.check(
            rd_kafka_offsets_for_times(pointer, list.pointer, timeout.milliseconds),
            doing: "asking for the ends of \(partitions.count) partitions"
        )
        var ends = Ends()
        for entry in list.entries {
            do throws(KafkaError) {
                try KafkaError.check(entry.response, doing: "asking for the end of \(entry.partition)")
                if entry.offset >= 0 { ends.known[entry.partition] = entry.offset }
            } catch {
                ends.failure = ends.failure ?? error
            }
        }
        return ends
    }
}
