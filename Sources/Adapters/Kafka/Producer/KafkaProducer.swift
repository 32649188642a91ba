import CRDKafka
import Locks
import Threads

/// Writes records, idempotently, and reports on each.
///
/// A thread of its own, woken by a file descriptor, hands reports to the delegate in batches. After a fatal error (such as
/// an out-of-order sequence) every record that is not confirmed is reported as failed and the producer makes itself anew:
/// later records go out as if nothing had been.
///
/// The producer keeps itself and its delegate alive until ``close(deadline:)``; one that is no longer needed must be
/// closed.
public final class KafkaProducer: Sendable {
    /// How it was made.
    public let configuration: KafkaProducerConfiguration
    private let wakeUp: WakeUp
    private let state: Locked<ProducerState>
    private let delegate: any KafkaProducerDelegate

    /// Makes a producer and starts its thread.
    ///
    /// - Parameters:
    ///   - configuration: How to write.
    ///   - delegate: Who hears of reports; kept as long as the producer.
    /// - Throws: ``KafkaError`` that names a property that cannot be used.
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

    /// How often the producer had to make itself anew.
    public var restarts: Int { state.withLock { $0.restarts } }

    /// Queues records, without waiting. Each gets one report, also one that cannot be queued.
    ///
    /// - Parameter records: In the order they are to be written within a partition.
    public func produce(_ records: [KafkaRecord]) {
        queue(records.lazy.map(\.id)) { instance in records.compactMap { instance.produce($0) } }
    }

    /// Queues the records of a batch, without waiting. Each gets one report, also one that cannot be queued.
    ///
    /// - Parameter batch: In the order they are to be written within a partition.
    public func produce(_ batch: KafkaRecordBatch) {
        queue(batch.entries.lazy.map(\.id)) { $0.produce(batch) }
    }

    /// Wakes librdkafka's threads, so that records whose linger is over go now.
    ///
    /// They look by themselves once a millisecond, however short the linger is.
    public func sendLingering() {
        guard let instance = state.withLock({ $0.instance }) else { return }
        // It wakes them before it waits; here it waits for nothing.
        rd_kafka_flush(instance.client.pointer, 0)
    }

    /// Queues messages that were read, with their own bytes. Each gets one report, also one that cannot be queued.
    ///
    /// - Parameter messages: In the order they are to be written within a partition.
    public func forward(_ messages: [KafkaForwardedMessage]) {
        queue(messages.lazy.map(\.id)) { instance in messages.compactMap { instance.produce($0) } }
    }

    /// Queues records.
    ///
    /// - Parameters:
    ///   - ids: The numbers of all.
    ///   - queue: Queues them, and returns reports on those that could not be.
    private func queue(_ ids: some Collection<UInt64>, by queue: (ProducerInstance) -> [KafkaDeliveryReport]) {
        guard !ids.isEmpty else { return }
        // Queuing never waits; under the lock, so that no record slips into an instance that is being given up.
        let (failed, isOver): ([KafkaDeliveryReport], Bool) = state.withLock { state in
            let failed =
                state.instance.map(queue) ?? ids.map { KafkaDeliveryReport(id: $0, failed: state.unavailable) }
            if !state.isOver { state.unreported += failed }
            return (failed, state.isOver)
        }
        // librdkafka rings by itself for what it takes.
        guard !failed.isEmpty else { return }
        guard isOver else { return wakeUp.signal() }
        laterOffPool { self.delegate.kafkaProducer(self, didDeliver: failed) }
    }

    /// Learns of topics ahead of the first record, which otherwise waits up to a second for that in librdkafka 2.0.2.
    /// They stay warm when the producer makes itself anew.
    ///
    /// - Parameters:
    ///   - topics: Their names.
    ///   - timeout: How long to wait for each.
    /// - Throws: ``KafkaError`` that names the topics that are missing or cannot be used.
    public func warm(topics: [String], timeout: Duration = .seconds(10)) async throws(KafkaError) {
        let instance = state.withLock { state in
            state.warmTopics.formUnion(topics)
            return state.instance
        }
        guard let instance else { throw state.withLock { $0.unavailable } }
        try await offPool { () throws(KafkaError) in try instance.blockingWarm(topics, timeout: timeout) }
    }

    /// Sends what waits and waits until every record so far was reported.
    ///
    /// - Parameter deadline: How long it may take.
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
                // Sends that waited for room are queued a moment after those before them have gone.
                guard self.withState({ $0.sends.isWaiting || $0.sends.countUnderWay > 0 }) else { return true }
            }
        }
        return isDone ?? false
    }

    /// Flushes and ends. Records that are not confirmed by then are reported as failed, and so are later ones.
    ///
    /// - Parameter deadline: How long it may take; six seconds more if the producer's thread hangs.
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
            // The thread may be held by its delegate or by librdkafka, so it is not the one to watch the clock. It waits for
            // the reports on what is given up itself, for five seconds.
            laterOffPool(after: .seconds(6)) {
                guard let late = self.state.withLock({ $0.waitingForClose.removeValue(forKey: number) }) else { return }
                let message = "a producer did not close in time and is left behind; the process should end"
                self.configuration.client.log(KafkaLogLine(level: .critical, facility: "CLOSE", message: message))
                late.resume(returning: false)
            }
        }
        return isFlushed && isClosed
    }

    /// Works on what callers and the producer's thread share.
    func withState<Result: Sendable>(_ body: (inout ProducerState) -> Result) -> Result {
        state.withLock { body(&$0) }
    }
}

/// What callers and the producer's thread share, under one lock.
struct ProducerState {
    /// Nil while it is made anew, and once closed.
    var instance: ProducerInstance?
    /// Why there is no instance.
    var unavailable = KafkaError.isClosed("producer")
    /// Reports on records that could not be queued.
    var unreported: [KafkaDeliveryReport] = []
    var warmTopics: Set<String> = []
    var restarts = 0
    /// Whether the thread has ended.
    var isOver = false
    var waitingForClose: [Int: CheckedContinuation<Bool, Never>] = [:]
    var lastWaiter = 0
    /// The records of callers that wait, and who they are.
    var sends: SendQueue
    var senders: [UInt64: CheckedContinuation<SendQueue.Results, Never>] = [:]

    init(instance: ProducerInstance, sends: SendQueue) {
        self.instance = instance
        self.sends = sends
    }
}
