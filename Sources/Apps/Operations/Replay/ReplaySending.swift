import NewsflashBasics
import NewsflashEvents
package import NewsflashKafka
package import NewsflashTopicPartitions

/// Writes the records of a replay at a limited rate, so that new events do not wait for them.
package struct ReplaySending {
    package let cluster: KafkaConfiguration
    /// The maximum number of records per second.
    package let rate: Int

    package init(cluster: KafkaConfiguration, rate: Int) {
        self.cluster = cluster
        self.rate = rate
    }

    /// Finds the events that a replay has already written, also if it was killed.
    ///
    /// - Parameters:
    ///   - id: The id of the replay.
    ///   - topic: The topic of events.
    ///   - from: The first offsets to read. All copies are after them.
    /// - Returns: The positions of the originals, such as `3@48120`.
    /// - Throws: ``OperationError`` if the topic cannot be read.
    package func written(
        _ id: String,
        in topic: String,
        from: [TopicPartition: Int64]
    ) async throws(OperationError) -> Set<String> {
        let places = Locked<Set<String>>([])
        let wanted = Array(id.utf8)
        let scan = TopicScan(cluster, topics: [topic], from: .offsets(from), to: .present)
        _ = try await scan.run { messages in
            var found: [String] = []
            for message in messages where message.byteCountOfValue == 0 {
                let headers = message.headers
                func value(_ name: String) -> [UInt8]? {
                    headers.first { $0.name == ReplayEnvelope.headerPrefix + name }?.value
                }
                guard value("id") == wanted, let place = value("of") else { continue }
                found.append(String(decoding: place, as: UTF8.self))
            }
            if !found.isEmpty { places.withLock { $0.formUnion(found) } }
            return true
        }
        return places.withLock { $0 }
    }

    /// Writes records and waits until the brokers have them.
    ///
    /// - Parameters:
    ///   - plan: The plan with the records.
    ///   - most: The maximum number of records to write; `nil` for all.
    /// - Returns: The number of written records.
    /// - Throws: ``OperationError`` if a record was not confirmed. The next run does not write the others again.
    package func send(_ plan: ReplayPlan, most: Int?) async throws(OperationError) -> Int {
        let entries = plan.entries.prefix(most ?? .max)
        let result = await PacedWriter(cluster, rate: rate).write(plan.records(entries))
        guard let failure = result.failure else { return result.written.count }
        throw OperationError(
            .unavailable,
            cluster,
            failure,
            right: "Write on the topic \(plan.topic)",
            state: "\(result.written.count) of \(counted(entries.count, "record")) written: run the same command again "
                + "to write the others"
        )
    }
}

extension KafkaMessage {
    /// The number of bytes in the value; zero for null.
    fileprivate var byteCountOfValue: Int {
        withValue { value in
            if let value { value.count } else { 0 }
        }
    }
}
