import Dispatch

/// The state that the readers of a subscription and its consumer's thread share under one lock.
struct SubscriptionState<Message: PlacedMessage>: Sendable {
    typealias Step = MessageQueue<Message>.Step

    /// A caller that waits until commits are confirmed.
    struct Flush: Sendable {
        var targets: [KafkaTopicPartition: Int64]
        var continuation: CheckedContinuation<KafkaError?, Never>
    }

    /// Partitions that are being revoked, and the semaphore on which the consumer's thread waits for their readers.
    private struct Farewell {
        var partitions: [KafkaTopicPartition]
        var isSettled: DispatchSemaphore
    }

    private(set) var messages = MessageQueue<Message>()
    var ledger = CommitTracker()
    /// The waiting readers.
    private var readers: [UInt64: CheckedContinuation<Step, Never>] = [:]
    private var farewell: Farewell?
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
        checkFarewell()
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
        checkFarewell()
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
    var isWaitingForReaders: Bool { farewell != nil }

    /// Stops handing out messages of partitions that are being revoked.
    ///
    /// - Parameter partitions: The partitions.
    /// - Returns: A semaphore that is signalled when their messages are finished; `nil` if none is being processed.
    mutating func beginFarewell(_ partitions: [KafkaTopicPartition]) -> DispatchSemaphore? {
        messages.stop(partitions)
        guard !isSettled(partitions) else { return nil }
        let semaphore = DispatchSemaphore(value: 0)
        farewell = Farewell(partitions: partitions, isSettled: semaphore)
        return semaphore
    }

    /// Releases partitions whose readers have finished, or whose deadline has passed.
    ///
    /// - Parameter partitions: The same as for ``beginFarewell(_:)``.
    /// - Returns: The offsets to commit.
    mutating func endFarewell(_ partitions: [KafkaTopicPartition]) -> [KafkaTopicPartition: Int64] {
        farewell = nil
        return ledger.release(partitions)
    }

    /// Resumes the consumer's thread if no message of the partitions is being processed any more.
    mutating func checkFarewell() {
        guard let waiting = farewell, isSettled(waiting.partitions) else { return }
        farewell = nil
        waiting.isSettled.signal()
    }

    /// Returns whether the readers are finished: each has requested its next message, or has committed the last one.
    private func isSettled(_ partitions: [KafkaTopicPartition]) -> Bool {
        partitions.allSatisfy { !messages.isHeld($0) || ledger.isDone($0) }
    }

    /// Forgets lost partitions, which others own already.
    mutating func lose(_ partitions: [KafkaTopicPartition]) {
        messages.stop(partitions)
        ledger.lose(partitions)
        checkFarewell()
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
            switch ledger.standing(of: flush.targets) {
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
    fileprivate static func leftBeforeCommit(_ partition: KafkaTopicPartition) -> KafkaError {
        var error = KafkaError(
            .notAssigned,
            "committing: \(partition) was revoked before the group had confirmed; its next owner will repeat it"
        )
        error.partition = partition
        return error
    }
}
