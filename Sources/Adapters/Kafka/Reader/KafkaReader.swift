import CRDKafka
import Locks
import Threads

/// Reads the specified partitions without a group, such as a table in a compacted topic: from an offset to the current end, and
/// then new records.
///
/// One thread per reader serves librdkafka, woken by a file descriptor, and calls the delegate. The reader keeps itself and its
/// delegate alive until ``close(deadline:)``, so it must be closed when it is no longer needed.
public final class KafkaReader: Sendable {
    /// The configuration that it was created with.
    public let configuration: KafkaReaderConfiguration
    private let wakeUp: WakeUp
    private let state = Locked(ReaderState())

    /// Creates a reader and starts its thread. It reads nothing before ``start(_:at:)``.
    ///
    /// - Parameters:
    ///   - configuration: How to read.
    ///   - delegate: The receiver of messages and events; kept until the reader is closed.
    /// - Throws: ``KafkaError`` with the name of a property that cannot be used.
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

    /// Reads a partition from an offset until it is stopped; a partition that is being read starts again.
    ///
    /// Takes effect shortly afterwards on the reader's thread, see ``KafkaReaderDelegate/kafkaReader(_:didStart:at:)``. Does
    /// nothing after the reader is closed.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - offset: The start. ``KafkaOffset/committed`` fails, because there is no group.
    public func start(_ partition: KafkaTopicPartition, at offset: KafkaOffset) {
        ask(.start(partition, offset))
    }

    /// Stops reading a partition. Messages that are being handed over at this moment are not recalled.
    ///
    /// - Parameter partition: The partition.
    public func stop(_ partition: KafkaTopicPartition) {
        ask(.stop(partition))
    }

    /// Asks the leader of a partition for its ends; for threads that may block, never from a task.
    ///
    /// The answer comes after those to fetches on the same connection, which take at most
    /// ``KafkaReaderConfiguration/emptyFetchWait`` if there is nothing to read.
    ///
    /// - Parameters:
    ///   - partition: Any partition.
    ///   - timeout: How long to wait for the leader.
    /// - Returns: The current ends.
    /// - Throws: ``KafkaError`` if the leader cannot be asked.
    public func blockingWatermarks(
        of partition: KafkaTopicPartition,
        timeout: Duration = .seconds(10)
    ) throws(KafkaError) -> KafkaWatermarks {
        guard let client = state.withLock({ $0.client }) else { throw KafkaError.isClosed("reader") }
        return try client.blockingWatermarks(of: partition, timeout: timeout)
    }

    /// When the reader's thread last ran its loop: at least about once a second, unless the delegate blocks it, or librdkafka
    /// hangs. For a watchdog.
    public var lastServed: ContinuousClock.Instant { state.withLock { $0.lastServed } }

    /// Stops reading all partitions and closes the client.
    ///
    /// When the deadline passes, the instance stays in memory, with its threads, and a line is logged; then end the process.
    ///
    /// - Parameter deadline: The maximum duration, including a current call of the delegate.
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
            // The delegate or librdkafka may block the thread, so another one observes the deadline.
            scheduleBlocking(after: deadline) {
                guard let late = self.state.withLock({ $0.waitingForClose.removeValue(forKey: number) }) else { return }
                let message = "a reader did not close in time and is abandoned; the process should end"
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

/// A request of a caller to a reader's thread.
enum ReaderWish: Sendable {
    case start(KafkaTopicPartition, KafkaOffset)
    case stop(KafkaTopicPartition)
    /// The cluster has the partition of the start with that number, and librdkafka knows its leader.
    case found(KafkaTopicPartition, start: Int)
    /// The cluster does not have it, or has not answered.
    case missing(KafkaError, KafkaTopicPartition, start: Int)
}

/// The state that callers and the reader's thread share under one lock.
private struct ReaderState {
    var wishes: [ReaderWish] = []
    /// For requests in parallel to reading; `nil` after the reader has closed.
    var client: ClientHandle?
    var lastServed = ContinuousClock.now
    var isClosing = false
    var isOver = false
    var waitingForClose: [Int: CheckedContinuation<Bool, Never>] = [:]
    var lastWaiter = 0
}

// MARK: - For the reader's thread

extension KafkaReader {
    /// Removes and returns the requests of callers, in order; `nil` if the reader must close.
    func dequeueWishes() -> [ReaderWish]? {
        let now = ContinuousClock.now
        return state.withLock { state in
            state.lastServed = now
            guard !state.isClosing else { return nil }
            defer { state.wishes = [] }
            return state.wishes
        }
    }

    /// Whether a caller has a request.
    var hasWishes: Bool { state.withLock { $0.isClosing || !$0.wishes.isEmpty } }

    /// Passes a result from another thread to the reader's thread.
    func post(_ wish: ReaderWish) { ask(wish) }

    /// Resumes the callers that wait for the reader to close.
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
