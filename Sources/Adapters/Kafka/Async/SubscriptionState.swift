import Dispatch

/// What the readers of a subscription and its consumer's thread share, under one lock.
struct SubscriptionState<Message: PlacedMessage>: Sendable {
    typealias Step = MessageQueue<Message>.Step

    /// Someone who waits until commits are confirmed.
    struct Flush: Sendable {
        var targets: [KafkaTopicPartition: Int64]
        var continuation: CheckedContinuation<KafkaError?, Never>
    }

    /// Partitions that leave, and the consumer's thread that waits for their readers.
    private struct Farewell {
        var partitions: [KafkaTopicPartition]
        var isSettled: DispatchSemaphore
    }

    private(set) var messages = MessageQueue<Message>()
    var ledger = CommitLedger()
    /// Readers that wait.
    private var readers: [UInt64: CheckedContinuation<Step, Never>] = [:]
    private var farewell: Farewell?
    private var flushes: [UInt64: Flush] = [:]
    private var lastNumber: UInt64 = 0

    /// A number for a reader or for one who waits.
    mutating func makeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    // MARK: Readers

    /// A reader comes for its next message.
    ///
    /// - Parameter reader: Its number.
    /// - Returns: Nothing where it has to wait; then ``wait(_:_:)`` follows under the same lock.
    mutating func next(_ reader: UInt64) -> Step? {
        let step = messages.next(reader)
        if case .message(let message) = step { ledger.handOut(message.topicPartition, message.offset) }
        checkFarewell()
        return step
    }

    /// A reader waits.
    mutating func wait(_ reader: UInt64, _ continuation: CheckedContinuation<Step, Never>) {
        readers[reader] = continuation
    }

    /// A reader is gone, or gives up waiting.
    ///
    /// - Parameter reader: Its number.
    /// - Returns: Who waited.
    mutating func leave(_ reader: UInt64) -> CheckedContinuation<Step, Never>? {
        messages.leave(reader)
        checkFarewell()
        return readers.removeValue(forKey: reader)
    }

    /// Takes messages.
    ///
    /// - Parameter added: In order within each partition.
    /// - Returns: Whom to wake, with what.
    mutating func add(_ added: [Message]) -> [(continuation: CheckedContinuation<Step, Never>, step: Step)] {
        messages.add(added).compactMap { handed in
            ledger.handOut(handed.message.topicPartition, handed.message.offset)
            return readers.removeValue(forKey: handed.reader).map { ($0, .message(handed.message)) }
        }
    }

    /// Ends the reading.
    ///
    /// - Parameter error: Why, where it cannot go on.
    /// - Returns: Whom to wake, with what.
    mutating func finish(_ error: KafkaError? = nil) -> [(continuation: CheckedContinuation<Step, Never>, step: Step)] {
        messages.finish(error).compactMap { ended in
            readers.removeValue(forKey: ended.reader).map { ($0, ended.step) }
        }
    }

    // MARK: Partitions that leave

    /// Whether the consumer's thread waits for messages in hand.
    var isWaitingForReaders: Bool { farewell != nil }

    /// Hands nothing more out of partitions that leave.
    ///
    /// - Parameter partitions: Those that leave.
    /// - Returns: Signalled once nobody works on their messages any more; nothing where nobody does.
    mutating func beginFarewell(_ partitions: [KafkaTopicPartition]) -> DispatchSemaphore? {
        messages.stop(partitions)
        guard !isSettled(partitions) else { return nil }
        let semaphore = DispatchSemaphore(value: 0)
        farewell = Farewell(partitions: partitions, isSettled: semaphore)
        return semaphore
    }

    /// Lets go of partitions whose readers are through with them, or have had their time.
    ///
    /// - Parameter partitions: As they were given to ``beginFarewell(_:)``.
    /// - Returns: What to commit of them.
    mutating func endFarewell(_ partitions: [KafkaTopicPartition]) -> [KafkaTopicPartition: Int64] {
        farewell = nil
        return ledger.release(partitions)
    }

    /// Lets the consumer's thread go on once nobody works on what leaves.
    mutating func checkFarewell() {
        guard let waiting = farewell, isSettled(waiting.partitions) else { return }
        farewell = nil
        waiting.isSettled.signal()
    }

    /// A reader that comes for the next message, or has committed what it was given, is through with it.
    private func isSettled(_ partitions: [KafkaTopicPartition]) -> Bool {
        partitions.allSatisfy { !messages.isHeld($0) || ledger.isDone($0) }
    }

    /// Forgets partitions that are others' already.
    mutating func lose(_ partitions: [KafkaTopicPartition]) {
        messages.stop(partitions)
        ledger.lose(partitions)
        checkFarewell()
    }

    // MARK: Those who wait for commits

    /// Waits until commits are confirmed.
    mutating func wait(_ number: UInt64, for flush: Flush) {
        flushes[number] = flush
    }

    /// Those who need not wait any more, each with what it is told.
    mutating func takeFlushed() -> [(continuation: CheckedContinuation<KafkaError?, Never>, error: KafkaError?)] {
        guard !flushes.isEmpty else { return [] }
        var over: [(continuation: CheckedContinuation<KafkaError?, Never>, error: KafkaError?)] = []
        for (number, flush) in flushes {
            switch ledger.standing(of: flush.targets) {
            case .pending: continue
            case .confirmed: over.append((flush.continuation, nil))
            case .gone(let partition): over.append((flush.continuation, .leftBeforeCommit(partition)))
            }
            flushes[number] = nil
        }
        return over
    }

    /// One who gives up waiting.
    mutating func takeFlush(_ number: UInt64) -> CheckedContinuation<KafkaError?, Never>? {
        flushes.removeValue(forKey: number)?.continuation
    }

    /// All who wait, since nothing will be committed any more.
    mutating func takeAllFlushes() -> [CheckedContinuation<KafkaError?, Never>] {
        defer { flushes = [:] }
        return flushes.values.map(\.continuation)
    }
}

extension KafkaError {
    fileprivate static func leftBeforeCommit(_ partition: KafkaTopicPartition) -> KafkaError {
        var error = KafkaError(
            .notAssigned,
            "committing: \(partition) left before the group had confirmed; its next owner does it again"
        )
        error.partition = partition
        return error
    }
}
