import Kafka
import Locks

/// Hears what a scan's reader brings, cuts it at the ends, and knows when all is read.
final class ScanReading: KafkaReaderDelegate {
    /// How long brokers may be away before a scan gives up. A scan without an end never does: see ``BrokerWatch``.
    static let patience = Duration.seconds(30)

    private struct State {
        var extent: ScanExtent
        /// The ends of what is still being read; `nil` as an end is none.
        var open: [KafkaTopicPartition: Int64?]
        /// What went wrong last, and since when nothing has come.
        var trouble: (error: KafkaError, since: ContinuousClock.Instant)?
        /// When anything came last.
        var heardAt = ContinuousClock.now
    }

    private let state: Locked<State>
    private let take: @Sendable ([KafkaMessage]) -> Bool
    private let end = OneShot<KafkaError?>()

    /// Waits for what is read of some partitions.
    ///
    /// - Parameters:
    ///   - spans: What is to be read of each.
    ///   - take: Gets the messages; false ends the scan.
    init(_ spans: [KafkaTopicPartition: ScanSpan], take: @escaping @Sendable ([KafkaMessage]) -> Bool) {
        let parts = spans.mapValues { ScanExtent.Part(from: $0.from, to: $0.from) }
        let open = spans.filter { !$0.value.isEmpty }.mapValues(\.to)
        state = Locked(State(extent: ScanExtent(parts: parts), open: open))
        self.take = take
    }

    /// How far it came.
    var extent: ScanExtent { state.withLock { $0.extent } }

    /// Waits until all is read, the task is cancelled, or something keeps from it.
    ///
    /// - Returns: What kept from it.
    func ended() async -> KafkaError? {
        // It ends with this call, by its cancellation.
        let watch = Task.detached { [weak self] in
            while (try? await Task.sleep(for: .seconds(1))) != nil { self?.giveUpOnLongTrouble() }
        }
        defer { watch.cancel() }
        return await end.wait() ?? nil
    }

    func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage]) {
        guard let partition = messages.first?.topicPartition, let last = messages.last else { return }
        guard let limit = state.withLock({ $0.open[partition] }) else { return }
        let wanted = limit.map { limit in messages.filter { $0.offset < limit } } ?? messages
        let goesOn = wanted.isEmpty || take(wanted)
        state.withLock { state in
            state.trouble = nil
            state.heardAt = .now
            state.extent.parts[partition]?.count += wanted.count
            if let read = wanted.last { state.extent.parts[partition]?.to = read.offset + 1 }
            // Who has enough is handed nothing any more.
            if !goesOn { state.open = [:] }
        }
        guard goesOn else {
            end.end(with: nil)
            return
        }
        if let limit, last.offset >= limit - 1 { close(partition, reader) }
    }

    func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: KafkaTopicPartition, offset: Int64) {
        let limit = state.withLock { state in
            state.trouble = nil
            state.heardAt = .now
            return state.open[partition] ?? nil
        }
        if let limit, offset >= limit { close(partition, reader) }
    }

    func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: KafkaTopicPartition?) {
        if error.code == .offsetOutOfRange, let partition {
            // What was oldest when the scan began has been deleted since.
            reader.start(partition, at: .beginning)
        } else if error.isRetriable {
            state.withLock { $0.trouble = (error, $0.trouble?.since ?? .now) }
        } else {
            end.end(with: error)
        }
    }

    /// The partition is read: nothing of it is handed over any more.
    private func close(_ partition: KafkaTopicPartition, _ reader: KafkaReader) {
        reader.stop(partition)
        let isOver = state.withLock { state in
            if let limit = state.open.removeValue(forKey: partition), let limit {
                state.extent.parts[partition]?.to = limit
            }
            return state.open.isEmpty
        }
        if isOver { end.end(with: nil) }
    }

    private func giveUpOnLongTrouble() {
        let error = state.withLock { state -> KafkaError? in
            let now = ContinuousClock.now
            guard state.open.values.contains(where: { $0 != nil }) else { return nil }
            if let trouble = state.trouble, trouble.since.duration(to: now) > Self.patience { return trouble.error }
            // A broker that stands still answers nothing, and librdkafka notices that late.
            guard state.heardAt.duration(to: now) > Self.patience else { return nil }
            return state.trouble?.error ?? KafkaError(.timedOut, "no answer within \(Self.patience)")
        }
        if let error { end.end(with: error) }
    }
}
