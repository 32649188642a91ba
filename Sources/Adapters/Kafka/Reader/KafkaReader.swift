import CRDKafka
import Locks
import Threads

/// Reads given partitions without a group, such as a table that is kept in a compacted topic: from an offset to the present
/// end, and on from there.
///
/// A thread of its own serves librdkafka, woken by a file descriptor, and calls the delegate. The reader keeps itself and its
/// delegate alive until ``close(deadline:)``; one that is no longer needed must be closed.
public final class KafkaReader: Sendable {
    /// How it was made.
    public let configuration: KafkaReaderConfiguration
    private let wakeUp: WakeUp
    private let state = Locked(ReaderState())

    /// Makes a reader and starts its thread. It reads nothing yet.
    ///
    /// - Parameters:
    ///   - configuration: How to read.
    ///   - delegate: Who hears; kept until the reader is closed.
    /// - Throws: ``KafkaError`` that names a property that cannot be used.
    public init(
        _ configuration: KafkaReaderConfiguration,
        delegate: any KafkaReaderDelegate
    ) throws(KafkaError) {
        let wakeUp = try WakeUp()
        let client = try ClientHandle(
            RD_KAFKA_CONSUMER,
            properties: try configuration.properties(),
            client: configuration.client,
            events: RD_KAFKA_EVENT_FETCH | RD_KAFKA_EVENT_ERROR
        )
        self.configuration = configuration
        self.wakeUp = wakeUp
        state.withLock { $0.client = client }
        let started = startThread(named: "kafka-reader") {
            ReaderLoop(self, delegate: delegate, client: client, wakeUp: wakeUp).run()
        }
        guard started else { throw KafkaError(.noResources, "no thread left for a reader") }
    }

    /// Reads a partition from an offset on, until it is stopped; one that is being read begins anew.
    ///
    /// Happens on the reader's thread a moment later, see ``KafkaReaderDelegate/kafkaReader(_:didStart:at:)``. Nothing
    /// happens once the reader is closed.
    ///
    /// - Parameters:
    ///   - partition: Which one.
    ///   - offset: Where to begin. ``KafkaOffset/committed`` fails, as there is no group.
    public func start(_ partition: KafkaTopicPartition, at offset: KafkaOffset) {
        ask(.start(partition, offset))
    }

    /// Reads a partition no more. What is being handed over at this moment is not recalled.
    ///
    /// - Parameter partition: Which one.
    public func stop(_ partition: KafkaTopicPartition) {
        ask(.stop(partition))
    }

    /// The ends of a partition, asked of its leader; for threads that may block, never from a task.
    ///
    /// The answer comes behind those to fetches on the same connection, which take ``KafkaReaderConfiguration/emptyFetchWait``
    /// at most where there is nothing to read.
    ///
    /// - Parameters:
    ///   - partition: Any partition.
    ///   - timeout: How long to wait for the leader.
    /// - Returns: The ends at that moment.
    /// - Throws: ``KafkaError`` when the leader cannot be asked.
    public func blockingWatermarks(
        of partition: KafkaTopicPartition,
        timeout: Duration = .seconds(10)
    ) throws(KafkaError) -> KafkaWatermarks {
        guard let client = state.withLock({ $0.client }) else { throw KafkaError.isClosed("reader") }
        return try client.blockingWatermarks(of: partition, timeout: timeout)
    }

    /// When the reader's thread last took a round: about once a second at least, unless the delegate keeps it, or librdkafka
    /// hangs. For a watchdog.
    public var lastServed: ContinuousClock.Instant { state.withLock { $0.lastServed } }

    /// Stops to read all partitions and lets go.
    ///
    /// When the deadline passes, the instance is left behind in memory, with its threads, and a line is logged; end the
    /// process then.
    ///
    /// - Parameter deadline: How long it may take, the delegate's present call included.
    /// - Returns: Whether it closed in time. True for a reader that was closed before.
    @discardableResult
    public func close(deadline: Duration = .seconds(10)) async -> Bool {
        await withCheckedContinuation { continuation in
            let number: Int? = state.withLock { state in
                guard !state.isOver else { return nil }
                state.isClosing = true
                state.lastWaiter += 1
                state.waitingForClose[state.lastWaiter] = continuation
                return state.lastWaiter
            }
            guard let number else { return continuation.resume(returning: true) }
            wakeUp.signal()
            // The thread may be held by its delegate or by librdkafka, so it is not the one to watch the clock.
            laterOffPool(after: deadline) {
                guard let late = self.state.withLock({ $0.waitingForClose.removeValue(forKey: number) }) else { return }
                let message = "a reader did not close in time and is left behind; the process should end"
                self.configuration.client.log(KafkaLogLine(level: .critical, facility: "CLOSE", message: message))
                late.resume(returning: false)
            }
        }
    }

    private func ask(_ wish: ReaderWish) {
        state.withLock { state in
            if !state.isClosing { state.wishes.append(wish) }
        }
        wakeUp.signal()
    }
}

/// What a caller asks of a reader's thread.
enum ReaderWish: Sendable {
    case start(KafkaTopicPartition, KafkaOffset)
    case stop(KafkaTopicPartition)
    /// The cluster has the partition of the start with that number, and librdkafka knows its leader.
    case found(KafkaTopicPartition, start: Int)
    /// The cluster does not have it, or does not say so.
    case missing(KafkaError, KafkaTopicPartition, start: Int)
}

/// What callers and the reader's thread share, under one lock.
private struct ReaderState {
    var wishes: [ReaderWish] = []
    /// For questions beside the reading; `nil` once the reader has closed.
    var client: ClientHandle?
    var lastServed = ContinuousClock.now
    var isClosing = false
    var isOver = false
    var waitingForClose: [Int: CheckedContinuation<Bool, Never>] = [:]
    var lastWaiter = 0
}

// MARK: - For the reader's thread

extension KafkaReader {
    /// What callers ask, in order; nil when the reader is to close.
    func takeWishes() -> [ReaderWish]? {
        let now = ContinuousClock.now
        return state.withLock { state in
            state.lastServed = now
            guard !state.isClosing else { return nil }
            defer { state.wishes = [] }
            return state.wishes
        }
    }

    /// Whether a caller asks for something.
    var hasWishes: Bool { state.withLock { $0.isClosing || !$0.wishes.isEmpty } }

    /// Tells the reader's thread of something that was found out elsewhere.
    func post(_ wish: ReaderWish) { ask(wish) }

    /// Tells those who wait that the reader has closed.
    func hasClosed() {
        let waiting = state.withLock { state in
            state.isOver = true
            state.client = nil
            defer { state.waitingForClose = [:] }
            return state.waitingForClose.values
        }
        for continuation in waiting { continuation.resume(returning: true) }
    }
}
