import CNewsflashRDKafka
import NewsflashBasics
public import NewsflashTopicPartitions

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
    public func start(_ partition: TopicPartition, at offset: KafkaOffset) {
        ask(.start(partition, offset))
    }

    /// Stops reading a partition. Messages that are being handed over at this moment are not recalled.
    ///
    /// - Parameter partition: The partition.
    public func stop(_ partition: TopicPartition) {
        ask(.stop(partition))
    }

    /// Asks the leader of a partition for its ends; for threads that may block, never from a task.
    ///
    /// It asks the cluster for the current leader first: librdkafka 2.0.2 waits for a leader that it knew and that has died, even
    /// longer than the timeout.
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
        of partition: TopicPartition,
        timeout: Duration = .seconds(10)
    ) throws(KafkaError) -> KafkaWatermarks {
        guard let client = state.withLock({ $0.client }) else { throw KafkaError.isClosed("reader") }
        _ = try Metadata(of: TopicHandle(partition.topic, of: client), timeout: timeout)
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

    private func ask(_ request: ReaderRequest) {
        state.withLock { state in
            if !state.isClosing { state.requests.append(request) }
        }
        wakeUp.signal()
    }
}

/// A request of a caller to a reader's thread.
enum ReaderRequest: Sendable {
    case start(TopicPartition, KafkaOffset)
    case stop(TopicPartition)
    /// The cluster has the partition of the start with that number, and librdkafka knows its leader.
    case found(TopicPartition, start: Int)
    /// The cluster does not have it, or has not answered.
    case missing(KafkaError, TopicPartition, start: Int)
}

/// The state that callers and the reader's thread share under one lock.
private struct ReaderState {
    var requests: [ReaderRequest] = []
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
    func dequeueRequests() -> [ReaderRequest]? {
        let now = ContinuousClock.now
        return state.withLock { state in
            state.lastServed = now
            guard !state.isClosing else { return nil }
            defer { state.requests = [] }
            return state.requests
        }
    }

    /// Whether a caller has a request.
    var hasRequests: Bool { state.withLock { $0.isClosing || !$0.requests.isEmpty } }

    /// Passes a result from another thread to the reader's thread.
    func post(_ request: ReaderRequest) { ask(request) }

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

/// Receives the messages and events of a reader. All calls come from the reader's own thread, one at a time, and the reader
/// does nothing else until they return.
public protocol KafkaReaderDelegate: AnyObject, Sendable {
    /// Called when a start takes effect. All later calls for the partition belong to this start, and all earlier ones to
    /// previous starts.
    ///
    /// - Parameters:
    ///   - reader: The reader of the partition.
    ///   - partition: The partition.
    ///   - offset: The start.
    func kafkaReader(_ reader: KafkaReader, didStart partition: TopicPartition, at offset: KafkaOffset)

    /// Receives the next messages of one partition, in order.
    ///
    /// - Parameters:
    ///   - reader: The reader of the partition.
    ///   - messages: At least one message, all of the same partition.
    func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage])

    /// Called when a partition has been read to its current end, after all messages before it; each time again, and for an
    /// empty partition, too.
    ///
    /// - Parameters:
    ///   - reader: The reader of the partition.
    ///   - partition: The partition.
    ///   - offset: The offset that the next record will get.
    func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: TopicPartition, offset: Int64)

    /// Receives an error.
    ///
    /// A partition whose leader is unavailable is read when it is available again. An error that is not retriable, for which
    /// waiting does not help, is handled according to ``KafkaReaderConfiguration/recovery``. With ``KafkaReaderRecovery/tell``
    /// a partition that does not exist is read when it exists, and a forbidden one when it is allowed; an offset that is not in
    /// the log (``KafkaError/Code/offsetOutOfRange``) or a fatal error ends the reading of the partition until it is started
    /// again.
    ///
    /// - Parameters:
    ///   - reader: The reader that has the error.
    ///   - error: The error.
    ///   - partition: The partition; `nil` for an error of the cluster as a whole.
    func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: TopicPartition?)
}

extension KafkaReaderDelegate {
    /// Does nothing.
    ///
    /// - Parameters:
    ///   - reader: The reader of the partition.
    ///   - partition: The partition.
    ///   - offset: The start.
    public func kafkaReader(_ reader: KafkaReader, didStart partition: TopicPartition, at offset: KafkaOffset) {}
}

/// How reading continues in a partition that cannot be read any further if waiting does not help: its log does not have the
/// offset, it does not exist, or it may not be read.
public enum KafkaReaderRecovery: Sendable {
    /// Calls the delegate, and starts the partition again at its beginning, once a second until it can be read. For partitions
    /// that are followed for the life of the process.
    case restart
    /// Calls the delegate, which starts the partition again or gives it up.
    case tell
}

/// The settings of a reader, for fast reading of whole partitions.
public struct KafkaReaderConfiguration: Sendable {
    /// The cluster and the identity of this client.
    public var client: KafkaConfiguration
    /// How reading continues in a partition that cannot be read any further.
    public var recovery: KafkaReaderRecovery
    /// The maximum number of messages that the delegate gets at once.
    public var maximumBatch: Int
    /// The number of fetched messages of one partition, not yet handed over, at which fetching pauses; see
    /// ``KafkaConsumerConfiguration/queuedMessagesPerPartition``.
    public var queuedMessagesPerPartition = 20_000
    /// The same in bytes; see ``KafkaConsumerConfiguration/queuedBytesPerPartition``.
    public var queuedBytesPerPartition = 2 << 20
    /// The maximum number of bytes of one partition in one fetch; see ``KafkaConsumerConfiguration/fetchBytesPerPartition``.
    public var fetchBytesPerPartition = 256 << 10
    /// How long a broker may delay the answer to a fetch without data; the end of a partition is reported that much later. Use
    /// a short time to read to the end and stop, a long one to continue reading.
    public var emptyFetchWait = Duration.milliseconds(100)

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - client: The cluster and the identity of this client.
    ///   - recovery: How reading continues in a partition that cannot be read any further.
    ///   - maximumBatch: The maximum number of messages that the delegate gets at once.
    public init(client: KafkaConfiguration, recovery: KafkaReaderRecovery, maximumBatch: Int = 1000) {
        self.client = client
        self.recovery = recovery
        self.maximumBatch = maximumBatch
    }
}

extension KafkaReaderConfiguration {
    /// The limits of librdkafka's own read-ahead.
    var fetchLimits: FetchLimits {
        FetchLimits(
            messages: queuedMessagesPerPartition,
            bytes: queuedBytesPerPartition,
            fetchBytes: fetchBytesPerPartition
        )
    }

    /// Returns the properties for librdkafka in the order in which they are set: later ones win.
    func properties() throws(KafkaError) -> [(String, String)] {
        var properties = try client.commonProperties()
        properties += fetchLimits.properties(wait: emptyFetchWait)
        properties += [
            // An offset that is not in the log is an error: the owner decides.
            ("auto.offset.reset", "error"),
            ("enable.partition.eof", "true"),
        ]
        return properties + client.properties.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
