import Dispatch
import Locks

/// Passes messages from the consumer's thread to the tasks that read a subscription.
final class SubscriptionFeed: KafkaConsumerDelegate {
    typealias Step = SubscriptionState<KafkaMessage>.Step

    private let state = Locked(SubscriptionState<KafkaMessage>())
    private let isCooperative: Bool
    private let onTrouble: @Sendable (KafkaError) -> Void

    init(isCooperative: Bool, _ onTrouble: @escaping @Sendable (KafkaError) -> Void) {
        self.isCooperative = isCooperative
        self.onTrouble = onTrouble
    }

    // MARK: Readers

    func makeReader() -> UInt64 { state.withLock { $0.makeNumber() } }

    /// Returns the next message for a reader.
    func next(_ reader: UInt64) async -> Step {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let step = state.withLock { state -> Step? in
                    // A cancellation from now on finds the reader, because its handler needs this lock.
                    if Task.isCancelled {
                        _ = state.leave(reader)
                        return .end
                    }
                    if let step = state.next(reader) { return step }
                    state.wait(reader, continuation)
                    return nil
                }
                if let step { continuation.resume(returning: step) }
            }
        } onCancel: {
            leave(reader)
        }
    }

    func leave(_ reader: UInt64) {
        state.withLock { $0.leave(reader) }?.resume(returning: .end)
    }

    /// Ends reading.
    func finish(_ error: KafkaError? = nil) {
        let over = state.withLock { $0.finish(error) }
        for reader in over { reader.continuation.resume(returning: reader.step) }
    }

    // MARK: Commits

    /// Accepts offsets to commit.
    func commit(_ offsets: [KafkaTopicPartition: Int64], _ consumer: KafkaConsumer) -> [KafkaTopicPartition] {
        let refused = state.withLock { state in
            let refused = offsets.filter { !state.ledger.ask($0.key, $0.value) }
            state.checkFarewell()
            return Array(refused.keys)
        }
        sendCommits(consumer)
        return refused
    }

    /// Sends the commits that may be sent.
    private func sendCommits(_ consumer: KafkaConsumer) {
        let flushed = state.withLock { state in
            let offsets = state.ledger.beginCommit()
            // Done under our lock: otherwise a revocation between the two could be followed by an older commit. The consumer
            // only queues it, and never calls us while it holds its own lock.
            if !offsets.isEmpty { state.lose(consumer.commit(offsets)) }
            return state.removeFinishedFlushes()
        }
        for flush in flushed { flush.continuation.resume(returning: flush.error) }
    }

    /// Waits until all commits so far are confirmed.
    func flushCommits() async -> KafkaError? {
        let number = state.withLock { $0.makeNumber() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<KafkaError?, Never>) in
                let error = state.withLock { state -> KafkaError?? in
                    if Task.isCancelled { return .some(Self.cancelled) }
                    let targets = state.ledger.unconfirmed
                    guard !targets.isEmpty else { return .some(nil) }
                    state.wait(number, for: .init(targets: targets, continuation: continuation))
                    return nil
                }
                if let error { continuation.resume(returning: error) }
            }
        } onCancel: {
            state.withLock { $0.removeFlush(number) }?.resume(returning: Self.cancelled)
        }
    }

    private static let cancelled = KafkaError(.cancelled, "waiting for commits was cancelled; the commits continue")

    /// Fails all waiting flushes, because nothing will be committed any more.
    func closed() {
        let waiting = state.withLock { $0.removeAllFlushes() }
        for continuation in waiting { continuation.resume(returning: .isClosed("subscription")) }
    }

    // MARK: The consumer's thread

    /// Whether it waits for messages that are being processed.
    var isWaitingForReaders: Bool { state.withLock { $0.isWaitingForReaders } }

    func kafkaConsumer(_ consumer: KafkaConsumer, didReceive messages: [KafkaMessage]) {
        let handed = state.withLock { $0.add(messages) }
        for reader in handed { reader.continuation.resume(returning: reader.step) }
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didAssign partitions: [KafkaTopicPartition]) {
        state.withLock { $0.ledger.begin(partitions) }
    }

    func kafkaConsumer(
        _ consumer: KafkaConsumer,
        willRevoke partitions: [KafkaTopicPartition],
        deadline: Duration
    ) -> [KafkaTopicPartition: Int64] {
        let settled = state.withLock { $0.beginFarewell(partitions) }
        // This is the consumer's own thread, which may wait until the deadline.
        _ = settled?.wait(timeout: .now() + .milliseconds(Int(deadline.milliseconds)))
        return state.withLock { $0.endFarewell(partitions) }
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didLose partitions: [KafkaTopicPartition]) {
        state.withLock { $0.lose(partitions) }
        sendCommits(consumer)
    }

    func kafkaConsumer(
        _ consumer: KafkaConsumer,
        didCommit offsets: [KafkaTopicPartition: Int64],
        error: KafkaError?
    ) {
        // The consumer itself repeats this commit.
        if let error, isCooperative, error.code == .rebalanceInProgress { return }
        state.withLock { state in
            state.ledger.wereAnswered(offsets, isCommitted: error == nil)
            if error != nil { state.ledger.rest() }
        }
        guard let error else { return sendCommits(consumer) }
        if error.isFatal || error.meansForbidden {
            finish(error)
            refuseFlushes(error)
        } else {
            onTrouble(error)
            sendCommits(consumer)
            scheduleBlocking(after: .seconds(1)) { [self] in
                state.withLock { $0.ledger.goOn() }
                sendCommits(consumer)
            }
        }
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didFail error: KafkaError) {
        guard error.isFatal || error.meansForbidden || error.code == .noOffset else { return onTrouble(error) }
        finish(error)
        refuseFlushes(error)
    }

    private func refuseFlushes(_ error: KafkaError) {
        let waiting = state.withLock { $0.removeAllFlushes() }
        for continuation in waiting { continuation.resume(returning: error) }
    }
}
