import Basics
package import Kafka
import NewsEvents
package import TopicPartitions

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
    ///   - note: Called with the number of records written so far.
    /// - Returns: The number of written records.
    /// - Throws: ``OperationError`` if a record was not confirmed. The next run does not write the others again.
    package func send(
        _ plan: ReplayPlan,
        most: Int?,
        note: (Int) -> Void
    ) async throws -> Int {
        let entries = plan.entries.prefix(most ?? .max)
        guard !entries.isEmpty else { return 0 }
        // There are at most ten writes per second. At higher rates, each write has several records.
        let step = max(1, rate / 10)
        let pause = Duration.seconds(1) * step / max(1, rate)
        var sent = 0
        do throws(KafkaError) {
            let producer = try KafkaProducer(KafkaProducerConfiguration(client: cluster))
            // The delivery results contain the same error if this fails.
            try? await producer.warm(topics: [plan.topic])
            var next = ContinuousClock.now
            var failure: KafkaError?
            while sent < entries.count, failure == nil {
                do {
                    try await Task.sleep(until: next, clock: .continuous)
                } catch {
                    break
                }
                next = max(next + pause, .now - .seconds(1))
                let part = entries.dropFirst(sent).prefix(step)
                for result in await producer.send(plan.records(part)) {
                    switch result {
                    case .success: sent += 1
                    case .failure(let error): failure = failure ?? error
                    }
                }
                note(sent)
            }
            await producer.close(deadline: .seconds(5))
            if let failure { throw failure }
        } catch {
            let heading = "\(sent) of \(counted(entries.count, "record")) written"
            let remedy = "run the same command again to write the others"
            throw OperationError(
                .unavailable,
                cluster,
                KafkaError(error.code, "\(heading), \(remedy): \(error.message)")
            )
        }
        return sent
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
