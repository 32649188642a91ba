import CNewsflashRDKafka
import NewsflashBasics

/// Writes records, idempotently, and reports the result of each.
///
/// One thread, woken by a file descriptor, passes reports to the delegate in batches. After a fatal error (such as an
/// out-of-order sequence) every unconfirmed record is reported as failed and the producer replaces its instance; later records
/// are written normally.
///
/// The producer keeps itself and its delegate alive until ``close(deadline:)``, so it must be closed when it is no longer
/// needed.
public final class KafkaProducer: Sendable {
    /// The configuration that it was created with.
    public let configuration: KafkaProducerConfiguration
    private let wakeUp: WakeUp
    private let state: Locked<ProducerState>
    private let delegate: any KafkaProducerDelegate

    /// Creates a producer and starts its thread.
    ///
    /// - Parameters:
    ///   - configuration: How to write.
    ///   - delegate: The receiver of the reports; kept as long as the producer.
    /// - Throws: ``KafkaError`` with the name of a property that cannot be used.
    public init(
        _ configuration: KafkaProducerConfiguration,
        delegate: any KafkaProducerDelegate
    ) throws(KafkaError) {
        let wakeUp = try WakeUp()
        let instance = try ProducerInstance(configuration, wakeUp: wakeUp)
        self.configuration = configuration
        self.wakeUp = wakeUp
        self.delegate = delegate
        self.state = Locked(ProducerState(instance: instance, sends: SendQueue(limit: configuration.maximumQueued)))
        let started = startThread(named: "kafka-producer") {
            ProducerLoop(self, delegate: delegate, instance: instance, wakeUp: wakeUp).run()
        }
        guard started else { throw KafkaError(.noResources, "no thread left for a producer") }
    }

    /// The number of times that the producer had to replace its instance.
    public var restarts: Int { state.withLock { $0.restarts } }

    /// Queues records without waiting. Each gets one report, even if it cannot be queued.
    ///
    /// - Parameter records: The records, in the order in which they must be written within a partition.
    public func produce(_ records: [KafkaRecord]) {
        queue(records.lazy.map(\.id)) { instance in records.compactMap { instance.produce($0) } }
    }

    /// Queues the records of a batch without waiting. Each gets one report, even if it cannot be queued.
    ///
    /// - Parameter batch: The records, in the order in which they must be written within a partition.
    public func produce(_ batch: KafkaRecordBatch) {
        queue(batch.entries.lazy.map(\.id)) { $0.produce(batch) }
    }

    /// Wakes librdkafka's threads, so that they send records whose linger time is over now.
    ///
    /// Otherwise they check once a millisecond, however short the linger time is.
    public func sendLingering() {
        guard let instance = state.withLock({ $0.instance }) else { return }
        // A flush wakes the threads before it waits; with a zero timeout it does not wait.
        rd_kafka_flush(instance.client.pointer, 0)
    }

    /// Queues messages that were read, with their own bytes. Each gets one report, even if it cannot be queued.
    ///
    /// - Parameter messages: The messages, in the order in which they must be written within a partition.
    public func forward(_ messages: [KafkaForwardedMessage]) {
        queue(messages.lazy.map(\.id)) { instance in messages.compactMap { instance.produce($0) } }
    }

    /// Queues records.
    ///
    /// - Parameters:
    ///   - ids: The numbers of all records.
    ///   - queue: Queues the records, and returns reports on those that could not be queued.
    private func queue(_ ids: some Collection<UInt64>, by queue: (ProducerInstance) -> [KafkaDeliveryReport]) {
        guard !ids.isEmpty else { return }
        // Queuing never waits. It holds the lock, so that no record enters an instance that is being given up.
        let (failed, isOver): ([KafkaDeliveryReport], Bool) = state.withLock { state in
            let failed =
                state.instance.map(queue) ?? ids.map { KafkaDeliveryReport(id: $0, failed: state.unavailable) }
            if !state.isOver { state.unreported += failed }
            return (failed, state.isOver)
        }
        // librdkafka itself signals for the records that it accepted.
        guard !failed.isEmpty else { return }
        guard isOver else { return wakeUp.signal() }
        scheduleBlocking { self.delegate.kafkaProducer(self, didDeliver: failed) }
    }

    /// Fetches the metadata of topics before the first record, which otherwise waits for them for up to a second in librdkafka
    /// 2.0.2. If the producer replaces its instance, they are fetched again.
    ///
    /// - Parameters:
    ///   - topics: Their names.
    ///   - timeout: How long to wait for each.
    /// - Throws: ``KafkaError`` with the names of the topics that are missing or cannot be used.
    public func warm(topics: [String], timeout: Duration = .seconds(10)) async throws(KafkaError) {
        let instance = state.withLock { state in
            state.warmTopics.formUnion(topics)
            return state.instance
        }
        guard let instance else { throw state.withLock { $0.unavailable } }
        try await offPool { () throws(KafkaError) in try instance.blockingWarm(topics, timeout: timeout) }
    }

    /// Sends all queued records and waits until every record so far was reported.
    ///
    /// - Parameter deadline: The maximum duration.
    /// - Returns: Whether all were reported in time.
    @discardableResult
    public func flush(deadline: Duration) async -> Bool {
        guard let instance = state.withLock({ $0.instance }) else { return true }
        let end = ContinuousClock.now + deadline
        let isDone = try? await offPool { () throws(KafkaError) in
            while true {
                let remaining = max(.zero, end - .now).milliseconds
                let response = rd_kafka_flush(instance.client.pointer, remaining)
                guard response == RD_KAFKA_RESP_ERR_NO_ERROR else { return false }
                // Sends that waited for space are queued shortly after those before them have left.
                guard self.withState({ $0.sends.isWaiting || $0.sends.countUnderWay > 0 }) else { return true }
            }
        }
        return isDone ?? false
    }

    /// Flushes and closes. Records that are still unconfirmed are reported as failed, and so are later ones.
    ///
    /// - Parameter deadline: The maximum duration; six seconds longer if the producer's thread hangs.
    /// - Returns: Whether all records were confirmed or refused by the broker in time.
    @discardableResult
    public func close(deadline: Duration = .seconds(30)) async -> Bool {
        let isFlushed = await flush(deadline: deadline)
        let isClosed = await withCheckedContinuation { continuation in
            let number: Int? = state.withLock { state in
                guard !state.isOver else { return nil }
                state.lastWaiter += 1
                state.waitingForClose[state.lastWaiter] = continuation
                return state.lastWaiter
            }
            guard let number else { return continuation.resume(returning: true) }
            wakeUp.signal()
            // The delegate or librdkafka may block the thread, so another one observes the deadline. The thread itself waits up
            // to five seconds for the reports on purged records.
            scheduleBlocking(after: .seconds(6)) {
                guard let late = self.state.withLock({ $0.waitingForClose.removeValue(forKey: number) }) else { return }
                let message = "a producer did not close in time and is abandoned; the process should end"
                self.configuration.client.log(KafkaLogLine(level: .critical, facility: "CLOSE", message: message))
                late.resume(returning: false)
            }
        }
        return isFlushed && isClosed
    }

    /// Changes the state that callers and the producer's thread share.
    func withState<Result: Sendable>(_ body: (inout ProducerState) -> Result) -> Result {
        state.withLock { body(&$0) }
    }
}

/// The state that callers and the producer's thread share under one lock.
struct ProducerState {
    /// `nil` while the instance is being replaced, and after closing.
    var instance: ProducerInstance?
    /// The reason for a missing instance.
    var unavailable = KafkaError.isClosed("producer")
    /// Reports on records that could not be queued.
    var unreported: [KafkaDeliveryReport] = []
    var warmTopics: Set<String> = []
    var restarts = 0
    /// Whether the thread has ended.
    var isOver = false
    var waitingForClose: [Int: CheckedContinuation<Bool, Never>] = [:]
    var lastWaiter = 0
    /// The records of waiting callers; their continuations are in ``senders``.
    var sends: SendQueue
    var senders: [UInt64: CheckedContinuation<SendQueue.Results, Never>] = [:]

    init(instance: ProducerInstance, sends: SendQueue) {
        self.instance = instance
        self.sends = sends
    }
}
