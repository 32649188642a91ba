import Kafka
import Locks
import NewsEvents

/// Writes the records of a replay, so slowly that news goes before them.
struct ReplaySending {
    let cluster: KafkaConfiguration
    /// Records a second.
    let rate: Int

    /// The originals of those copies that the topic has of a replay.
    ///
    /// The topic is its journal: a run that was killed leaves in it what it wrote.
    ///
    /// - Parameters:
    ///   - id: Names the replay.
    ///   - topic: Of events.
    ///   - from: No copy lies before.
    /// - Returns: Their places, such as `3@48120`.
    /// - Throws: ``CommandError`` where the topic cannot be read.
    func written(
        _ id: String,
        in topic: String,
        from: [KafkaTopicPartition: Int64]
    ) async throws(CommandError) -> Set<String> {
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
    ///   - plan: What.
    ///   - most: How many at most.
    ///   - note: Hears how many were written so far.
    /// - Returns: How many were written.
    /// - Throws: ``CommandError`` where one was not confirmed; run again, what was written is not written again.
    func send(
        _ plan: ReplayPlan,
        most: Int?,
        note: (Int) -> Void
    ) async throws -> Int {
        let entries = plan.entries.prefix(most ?? .max)
        guard !entries.isEmpty else { return 0 }
        // A record more than ten times a second is written with others.
        let step = max(1, rate / 10)
        let pause = Duration.seconds(1) * step / max(1, rate)
        var sent = 0
        do throws(KafkaError) {
            let producer = try KafkaProducer(KafkaProducerConfiguration(client: cluster))
            // A topic that cannot be warmed up is told of by the records as well.
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
            let remedy = "the same command goes on where this one ended"
            throw CommandError(.unavailable, cluster, KafkaError(error.code, "\(heading), \(remedy): \(error.message)"))
        }
        return sent
    }
}

extension KafkaMessage {
    /// Nothing for a value that is null.
    fileprivate var byteCountOfValue: Int {
        withValue { value in
            if let value { value.count } else { 0 }
        }
    }
}
