import Dispatch
import NewsflashBasics
import NewsflashTopicPartitions

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
    func commit(_ offsets: [TopicPartition: Int64], _ consumer: KafkaConsumer) -> [TopicPartition] {
        let refused = state.withLock { state in
            let refused = offsets.filter { !state.ledger.ask($0.key, $0.value) }
            state.checkRevocation()
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

    func kafkaConsumer(_ consumer: KafkaConsumer, didAssign partitions: [TopicPartition]) {
        state.withLock { $0.ledger.begin(partitions) }
    }

    func kafkaConsumer(
        _ consumer: KafkaConsumer,
        willRevoke partitions: [TopicPartition],
        deadline: Duration
    ) -> [TopicPartition: Int64] {
        let settled = state.withLock { $0.beginRevocation(partitions) }
        // This is the consumer's own thread, which may wait until the deadline.
        _ = settled?.wait(timeout: .now() + .milliseconds(Int(deadline.milliseconds)))
        return state.withLock { $0.endRevocation(partitions) }
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didLose partitions: [TopicPartition]) {
        state.withLock { $0.lose(partitions) }
        sendCommits(consumer)
    }

    func kafkaConsumer(
        _ consumer: KafkaConsumer,
        didCommit offsets: [TopicPartition: Int64],
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

/// The state that the readers of a subscription and its consumer's thread share under one lock.
struct SubscriptionState<Message: PlacedMessage>: Sendable {
    typealias Step = MessageQueue<Message>.Step

    /// A caller that waits until commits are confirmed.
    struct Flush: Sendable {
        var targets: [TopicPartition: Int64]
        var continuation: CheckedContinuation<KafkaError?, Never>
    }

    /// Partitions that are being revoked, and the semaphore on which the consumer's thread waits for their readers.
    private struct Revocation {
        var partitions: [TopicPartition]
        var isSettled: DispatchSemaphore
    }

    private(set) var messages = MessageQueue<Message>()
    var ledger = CommitTracker()
    /// The waiting readers.
    private var readers: [UInt64: CheckedContinuation<Step, Never>] = [:]
    private var revocation: Revocation?
    private var flushes: [UInt64: Flush] = [:]
    private var lastNumber: UInt64 = 0

    /// Creates a number for a reader or a waiting caller.
    mutating func makeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    // MARK: Readers

    /// Returns the next message for a reader.
    ///
    /// - Parameter reader: The reader's number.
    /// - Returns: `nil` if it has to wait; then the caller must use ``wait(_:_:)`` under the same lock.
    mutating func next(_ reader: UInt64) -> Step? {
        let step = messages.next(reader)
        if case .message(let message) = step { ledger.handOut(message.topicPartition, message.offset) }
        checkRevocation()
        return step
    }

    /// Adds a waiting reader.
    mutating func wait(_ reader: UInt64, _ continuation: CheckedContinuation<Step, Never>) {
        readers[reader] = continuation
    }

    /// Removes a reader that has ended or stopped waiting.
    ///
    /// - Parameter reader: The reader's number.
    /// - Returns: The continuation, if it was waiting.
    mutating func leave(_ reader: UInt64) -> CheckedContinuation<Step, Never>? {
        messages.leave(reader)
        checkRevocation()
        return readers.removeValue(forKey: reader)
    }

    /// Adds messages.
    ///
    /// - Parameter added: The messages, in order within each partition.
    /// - Returns: The readers to resume, each with its result.
    mutating func add(_ added: [Message]) -> [(continuation: CheckedContinuation<Step, Never>, step: Step)] {
        messages.add(added).compactMap { handed in
            ledger.handOut(handed.message.topicPartition, handed.message.offset)
            return readers.removeValue(forKey: handed.reader).map { ($0, .message(handed.message)) }
        }
    }

    /// Ends reading.
    ///
    /// - Parameter error: Why reading cannot continue; `nil` for a normal end.
    /// - Returns: The readers to resume, each with its result.
    mutating func finish(_ error: KafkaError? = nil) -> [(continuation: CheckedContinuation<Step, Never>, step: Step)] {
        messages.finish(error).compactMap { ended in
            readers.removeValue(forKey: ended.reader).map { ($0, ended.step) }
        }
    }

    // MARK: Partitions that leave

    /// Whether the consumer's thread waits for messages that are being processed.
    var isWaitingForReaders: Bool { revocation != nil }

    /// Stops handing out messages of partitions that are being revoked.
    ///
    /// - Returns: A semaphore that is signalled when their messages are finished; `nil` if none is being processed.
    mutating func beginRevocation(_ partitions: [TopicPartition]) -> DispatchSemaphore? {
        messages.stop(partitions)
        guard !isSettled(partitions) else { return nil }
        let semaphore = DispatchSemaphore(value: 0)
        revocation = Revocation(partitions: partitions, isSettled: semaphore)
        return semaphore
    }

    /// Releases partitions whose readers have finished, or whose deadline has passed.
    ///
    /// - Parameter partitions: The same as for ``beginRevocation(_:)``.
    /// - Returns: The offsets to commit.
    mutating func endRevocation(_ partitions: [TopicPartition]) -> [TopicPartition: Int64] {
        revocation = nil
        return ledger.release(partitions)
    }

    /// Resumes the consumer's thread if no message of the partitions is being processed any more.
    mutating func checkRevocation() {
        guard let waiting = revocation, isSettled(waiting.partitions) else { return }
        revocation = nil
        waiting.isSettled.signal()
    }

    /// Returns whether the readers are finished: each has requested its next message, or has committed the last one.
    private func isSettled(_ partitions: [TopicPartition]) -> Bool {
        partitions.allSatisfy { !messages.isHeld($0) || ledger.isDone($0) }
    }

    /// Forgets lost partitions, which others own already.
    mutating func lose(_ partitions: [TopicPartition]) {
        messages.stop(partitions)
        ledger.lose(partitions)
        checkRevocation()
    }

    // MARK: Callers that wait for commits

    /// Adds a caller that waits until commits are confirmed.
    mutating func wait(_ number: UInt64, for flush: Flush) {
        flushes[number] = flush
    }

    /// Removes and returns the callers that are finished, each with its result.
    mutating func removeFinishedFlushes() -> [(
        continuation: CheckedContinuation<KafkaError?, Never>, error: KafkaError?
    )] {
        guard !flushes.isEmpty else { return [] }
        var over: [(continuation: CheckedContinuation<KafkaError?, Never>, error: KafkaError?)] = []
        for (number, flush) in flushes {
            switch ledger.state(of: flush.targets) {
            case .pending: continue
            case .confirmed: over.append((flush.continuation, nil))
            case .gone(let partition): over.append((flush.continuation, .leftBeforeCommit(partition)))
            }
            flushes[number] = nil
        }
        return over
    }

    /// Removes a caller that stops waiting.
    mutating func removeFlush(_ number: UInt64) -> CheckedContinuation<KafkaError?, Never>? {
        flushes.removeValue(forKey: number)?.continuation
    }

    /// Removes and returns all callers, because nothing will be committed any more.
    mutating func removeAllFlushes() -> [CheckedContinuation<KafkaError?, Never>] {
        defer { flushes = [:] }
        return flushes.values.map(\.continuation)
    }
}

extension KafkaError {
    fileprivate static func leftBeforeCommit(_ partition: TopicPartition) -> KafkaError {
        var error = KafkaError(
            .notAssigned,
            "committing: \(partition) was revoked before the group had confirmed; its next owner will repeat it"
        )
        error.partition = partition
        return error
    }
}
