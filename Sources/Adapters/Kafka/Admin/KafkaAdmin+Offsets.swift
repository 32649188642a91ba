import CRDKafka
public import Timestamps

extension KafkaAdmin {
    /// Asks the leaders of many partitions for their ends, all at once.
    ///
    /// - Parameters:
    ///   - partitions: The partitions.
    ///   - timeout: How long to wait for the leaders.
    /// - Returns: The current ends of each partition.
    /// - Throws: ``KafkaError`` if a leader cannot be asked.
    public func watermarks(
        of partitions: [KafkaTopicPartition],
        timeout: Duration = .seconds(10)
    ) async throws(KafkaError) -> [KafkaTopicPartition: KafkaWatermarks] {
        let lows = try await answers(of: partitions, to: KafkaOffset.beginning.number, timeout: timeout)
        let highs = try await answers(of: partitions, to: KafkaOffset.end.number, timeout: timeout)
        var watermarks: [KafkaTopicPartition: KafkaWatermarks] = [:]
        for partition in partitions {
            guard let low = lows[partition], let high = highs[partition] else {
                throw KafkaError(.timedOut, "asking for the ends of \(partition): its leader returned none")
            }
            watermarks[partition] = KafkaWatermarks(low: low, high: high)
        }
        return watermarks
    }

    /// Returns the positions of partitions at a time: the first record of that time or later, or the end if there is none.
    ///
    /// Clusters that do not find offsets by time, such as the embedded one, are read until the record is found.
    ///
    /// - Parameters:
    ///   - partitions: The partitions.
    ///   - time: The time, in milliseconds.
    ///   - timeout: How long to wait for the leaders.
    /// - Returns: An offset for each partition.
    /// - Throws: ``KafkaError`` if a leader cannot be asked.
    public func offsets(
        of partitions: [KafkaTopicPartition],
        at time: Timestamp,
        timeout: Duration = .seconds(10)
    ) async throws(KafkaError) -> [KafkaTopicPartition: Int64] {
        let first = try await answers(of: partitions, to: time.milliseconds, timeout: timeout)
        let silent = partitions.filter { first[$0] == nil }
        guard !silent.isEmpty else { return first }
        // The ends are requested before the second question, so that no record written in between is missed.
        let watermarks = try await watermarks(of: silent, timeout: timeout)
        let second = try await answers(of: silent, to: time.milliseconds, timeout: timeout)
        var offsets = first.merging(second) { $1 }
        var ends: [KafkaTopicPartition: Int64] = [:]
        for (partition, marks) in watermarks where offsets[partition] == nil {
            offsets[partition] = marks.high
            if marks.low < marks.high { ends[partition] = marks.high }
        }
        let found = try await TimeSearch.firstRecords(at: time, before: ends, configuration, timeout: timeout)
        return offsets.merging(found) { $1 }
    }

    /// Asks leaders for the offset of a time, or of one of librdkafka's logical ends.
    ///
    /// - Returns: The offsets, without partitions that have none.
    private func answers(
        of partitions: [KafkaTopicPartition],
        to question: Int64,
        timeout: Duration
    ) async throws(KafkaError) -> [KafkaTopicPartition: Int64] {
        guard !partitions.isEmpty else { return [:] }
        return try await offPool { [client] () throws(KafkaError) in
            let list = TopicPartitionList(Dictionary(partitions.map { ($0, question) }) { $1 })
            do throws(KafkaError) {
                try KafkaError.check(
                    rd_kafka_offsets_for_times(client.pointer, list.pointer, timeout.milliseconds),
                    doing: "asking for offsets"
                )
            } catch {
                throw client.explaining(error)
            }
            var offsets: [KafkaTopicPartition: Int64] = [:]
            for entry in list.entries {
                try KafkaError.check(entry.response, doing: "asking for an offset of \(entry.partition)")
                if entry.offset >= 0 { offsets[entry.partition] = entry.offset }
            }
            return offsets
        }
    }
}
