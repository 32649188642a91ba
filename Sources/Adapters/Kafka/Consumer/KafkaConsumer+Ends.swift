import CRDKafka

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
        of partitions: [KafkaTopicPartition],
        timeout: Duration = .seconds(10)
    ) async throws(KafkaError) -> [KafkaTopicPartition: Int64] {
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
        of partitions: [KafkaTopicPartition],
        _ client: ClientHandle,
        or error: KafkaError
    ) async throws(KafkaError) -> [KafkaTopicPartition: Int64] {
        let (patience, width) = (Duration.seconds(1), 16)
        var ends: [KafkaTopicPartition: Int64] = [:]
        for start in stride(from: 0, to: partitions.count, by: width) {
            let some = partitions[start..<min(start + width, partitions.count)]
            let answers = await withTaskGroup(of: [KafkaTopicPartition: Int64].self) { group in
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
        of partitions: [KafkaTopicPartition],
        timeout: Duration
    ) throws(KafkaError) -> [KafkaTopicPartition: Int64] {
        guard !partitions.isEmpty else { return [:] }
        // Asks for the first record at or after a time; the end is a special time there. Without an answer, this value stays in
        // the list and would look like an offset, so the response is checked first.
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
