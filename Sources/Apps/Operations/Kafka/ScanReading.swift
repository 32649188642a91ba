import NewsflashBasics
import NewsflashKafka
package import NewsflashTopicPartitions

/// Receives the messages of a scan, drops those after the ends, and detects when everything is read.
final class ScanReading: KafkaReaderDelegate {
    /// How long brokers may be unavailable before a scan fails. A scan without an end never fails: see ``BrokerMonitor``.
    static let patience = Duration.seconds(30)

    /// The memory that a message needs in addition to its bytes, about, so that messages without bytes count, too.
    private static let overhead = 200

    private struct State {
        var extent: ScanExtent
        /// The bytes of the messages of each partition that were handed over; only with a limit.
        var bytes: [TopicPartition: Int] = [:]
        /// The ends of the partitions that are still being read; `nil` for no end.
        var open: [TopicPartition: Int64?]
        /// The last error, and when the trouble began; `nil` after any message.
        var trouble: (error: KafkaError, since: ContinuousClock.Instant)?
        /// The time of the last message or end of a partition.
        var heardAt = ContinuousClock.now
    }

    private let state: Locked<State>
    private let bytesOfEach: Int?
    private let receive: @Sendable ([KafkaMessage]) -> Bool
    private let end = Promise<KafkaError?>()

    /// Creates the receiver of a scan.
    ///
    /// - Parameters:
    ///   - spans: The offsets to read of each partition.
    ///   - bytesOfEach: Reading of a partition stops after the message with which this many bytes are reached; `nil` for all
    ///     messages.
    ///   - receive: Receives the messages; `false` ends the scan.
    init(
        _ spans: [TopicPartition: ScanSpan],
        bytesOfEach: Int? = nil,
        receive: @escaping @Sendable ([KafkaMessage]) -> Bool
    ) {
        self.bytesOfEach = bytesOfEach
        let parts = spans.mapValues { ScanExtent.Part(from: $0.from, to: $0.from) }
        let open = spans.filter { !$0.value.isEmpty }.mapValues(\.to)
        state = Locked(State(extent: ScanExtent(parts: parts), open: open))
        self.receive = receive
    }

    /// The extent read so far.
    var extent: ScanExtent { state.withLock { $0.extent } }

    /// Waits until everything is read, the task is cancelled, or reading fails.
    ///
    /// - Returns: The error if reading failed.
    func ended() async -> KafkaError? {
        // Cancelled at the end of this call.
        let watch = Task.detached { [weak self] in
            while (try? await Task.sleep(for: .seconds(1))) != nil { self?.giveUpOnLongTrouble() }
        }
        defer { watch.cancel() }
        return await end.wait() ?? nil
    }

    func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage]) {
        guard let partition = messages.first?.topicPartition, let last = messages.last else { return }
        guard let limit = state.withLock({ $0.open[partition] }) else { return }
        let (wanted, isFull) = upToLimit(limit.map { limit in messages.filter { $0.offset < limit } } ?? messages)
        let goesOn = wanted.isEmpty || receive(wanted)
        state.withLock { state in
            state.trouble = nil
            state.heardAt = .now
            state.extent.parts[partition]?.count += wanted.count
            if let read = wanted.last { state.extent.parts[partition]?.to = read.offset + 1 }
            // After `false` from `receive`, nothing more is handed over.
            if !goesOn { state.open = [:] }
        }
        guard goesOn else {
            end.end(with: nil)
            return
        }
        if isFull {
            close(partition, reader)
        } else if let limit, last.offset >= limit - 1 {
            close(partition, reader, readTo: limit)
        }
    }

    /// Removes the messages after the one with which the partition has its maximum number of bytes.
    ///
    /// - Returns: The others, and whether the maximum is reached.
    private func upToLimit(_ messages: [KafkaMessage]) -> (messages: [KafkaMessage], isFull: Bool) {
        guard let bytesOfEach, let partition = messages.first?.topicPartition else { return (messages, false) }
        return state.withLock { state in
            var bytes = state.bytes[partition] ?? 0
            defer { state.bytes[partition] = bytes }
            for (index, message) in messages.enumerated() {
                bytes += message.byteCount + Self.overhead
                if bytes >= bytesOfEach { return (Array(messages[...index]), true) }
            }
            return (messages, false)
        }
    }

    package func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: TopicPartition, offset: Int64) {
        let limit = state.withLock { state in
            state.trouble = nil
            state.heardAt = .now
            return state.open[partition] ?? nil
        }
        if let limit, offset >= limit { close(partition, reader, readTo: limit) }
    }

    func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: TopicPartition?) {
        if error.code == .offsetOutOfRange, let partition {
            // Retention deleted the oldest records after the scan began.
            reader.start(partition, at: .beginning)
        } else if error.isRetriable {
            state.withLock { $0.trouble = (error, $0.trouble?.since ?? .now) }
        } else {
            end.end(with: error)
        }
    }

    /// Ends a partition: no more of its messages are handed over. `limit` is its end, if it was read to there.
    private func close(_ partition: TopicPartition, _ reader: KafkaReader, readTo limit: Int64? = nil) {
        reader.stop(partition)
        let isOver = state.withLock { state in
            state.open.removeValue(forKey: partition)
            if let limit { state.extent.parts[partition]?.to = limit }
            return state.open.isEmpty
        }
        if isOver { end.end(with: nil) }
    }

    private func giveUpOnLongTrouble() {
        let error = state.withLock { state -> KafkaError? in
            let now = ContinuousClock.now
            guard state.open.values.contains(where: { $0 != nil }) else { return nil }
            if let trouble = state.trouble, trouble.since.duration(to: now) > Self.patience { return trouble.error }
            // A stalled broker does not answer, and librdkafka detects that only after a minute.
            guard state.heardAt.duration(to: now) > Self.patience else { return nil }
            return state.trouble?.error ?? KafkaError(.timedOut, "no answer within \(Self.patience)")
        }
        if let error { end.end(with: error) }
    }
}

/// The offsets to read of one partition.
struct ScanSpan: Sendable, Equatable {
    var from: Int64
    /// The offset after the last record; `nil` for no end.
    var to: Int64?

    var isEmpty: Bool { to.map { $0 <= from } ?? false }
}

/// The extent that a scan has read.
package struct ScanExtent: Sendable, Equatable {
    /// The part read of one partition.
    package struct Part: Sendable, Equatable {
        /// The first offset.
        package var from: Int64
        /// The next offset after the part.
        package var to: Int64
        /// The number of records handed over.
        package var count = 0
    }

    package var parts: [TopicPartition: Part]

    /// The number of records handed over.
    package var count: Int { parts.values.reduce(0) { $0 + $1.count } }
}
