extension KafkaProducer {
    /// Makes a producer for those who only send.
    ///
    /// - Parameters:
    ///   - configuration: How to write.
    ///   - onError: Hears of trouble that is not about one record, on the producer's own thread: brokers out of reach, refused
    ///     credentials. What becomes of a record its sender is told.
    /// - Throws: ``KafkaError`` that names a property that cannot be used.
    public convenience init(
        _ configuration: KafkaProducerConfiguration,
        onError: @escaping @Sendable (KafkaError) -> Void = { _ in }
    ) throws(KafkaError) {
        try self.init(configuration, delegate: SendingDelegate(onError: onError))
    }

    /// Writes a record and waits until all in-sync replicas have it.
    ///
    /// Works with any delegate, which does not hear of the record. Sends that one task makes one after the other are written in
    /// that order; for speed *and* order give ``send(_:)-([KafkaRecord])`` many at once.
    ///
    /// A task that is cancelled waits no longer. What had not been handed to the brokers is never written; what had been may
    /// be: ``KafkaError/mayBePersisted`` tells the two apart.
    ///
    /// - Parameter record: Its ``KafkaRecord/id`` plays no part.
    /// - Returns: Where it lies.
    /// - Throws: ``KafkaError``; with ``KafkaError/isRetriable`` it may be sent again, which doubles it where
    ///   ``KafkaError/mayBePersisted``.
    @discardableResult
    public func send(_ record: KafkaRecord) async throws(KafkaError) -> KafkaDelivery {
        guard let result = await send([record]).first else { throw .isClosed("producer") }
        return try result.get()
    }

    /// Writes records in their order within each partition, and waits until each is confirmed or has failed.
    ///
    /// Any number may be given: what the producer's queue does not hold (``KafkaProducerConfiguration/maximumQueued``) waits for
    /// room, behind the sends that were made before. A record that fails alone, such as one that is too large, holds up no
    /// other. Cancellation is as with ``send(_:)-(KafkaRecord)``.
    ///
    /// - Parameter records: Their ``KafkaRecord/id``s play no part.
    /// - Returns: What became of each, in the order of the records.
    public func send(_ records: [KafkaRecord]) async -> [Result<KafkaDelivery, KafkaError>] {
        guard !records.isEmpty else { return [] }
        let call = withState { $0.sends.makeCall() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let over = withState { state -> [ProducerState.AnsweredSend] in
                    state.sends.add(records, for: call)
                    state.senders[call] = continuation
                    // A cancellation from now on finds the call, since its handler needs this lock.
                    if Task.isCancelled { return state.answered([state.sends.cancel(call)].compactMap(\.self)) }
                    return state.advanceSends()
                }
                for send in over { send.resume() }
            }
        } onCancel: {
            let over = withState { state in
                state.answered([state.sends.cancel(call)].compactMap(\.self)) + state.advanceSends()
            }
            for send in over { send.resume() }
        }
    }

    /// Hands reports over: to those who sent the records, the others to the delegate.
    func deliver(_ reports: [KafkaDeliveryReport], to delegate: any KafkaProducerDelegate) {
        guard reports.contains(where: { $0.id >= SendQueue.firstID }) else {
            return delegate.kafkaProducer(self, didDeliver: reports)
        }
        let (over, others) = withState { state in
            let settled = state.sends.settle(reports, isInEvent: true)
            return (state.answered(settled.answers), settled.others)
        }
        for send in over { send.resume() }
        if !others.isEmpty { delegate.kafkaProducer(self, didDeliver: others) }
    }

    /// Queues sends that have waited for room, once the event with the reports is freed.
    func goOnSending() {
        let over = withState { state in
            state.sends.eventWasFreed()
            return state.sends.isWaiting ? state.advanceSends() : []
        }
        for send in over { send.resume() }
    }
}

extension ProducerState {
    /// A send that is over, and who waits for it.
    struct AnsweredSend: Sendable {
        let continuation: CheckedContinuation<SendQueue.Results, Never>
        let results: SendQueue.Results

        /// To be called without the lock.
        func resume() {
            continuation.resume(returning: results)
        }
    }

    /// Finds who waits for calls.
    mutating func answered(_ answers: [SendQueue.Answer]) -> [AnsweredSend] {
        answers.compactMap { answer in
            senders.removeValue(forKey: answer.call).map { AnsweredSend(continuation: $0, results: answer.results) }
        }
    }

    /// Queues the records of sends as far as there is room; without an instance they fail.
    ///
    /// Under the producer's lock, so that no record overtakes one before it.
    mutating func advanceSends() -> [AnsweredSend] {
        var over: [AnsweredSend] = []
        while true {
            let records = sends.admit()
            guard !records.isEmpty else { return over }
            over += answered(sends.settle(queue(records)).answers)
        }
    }

    /// Queues records.
    ///
    /// - Returns: Reports on those that could not be.
    private func queue(_ records: [KafkaRecord]) -> [KafkaDeliveryReport] {
        guard let instance else { return records.map { KafkaDeliveryReport(id: $0.id, failed: unavailable) } }
        let failed = records.compactMap { instance.produce($0) }
        guard !failed.isEmpty, instance.hasFatalError else { return failed }
        // It is this instance that cannot go on; the next one can.
        return failed.map { report in
            guard case .failure(var error) = report.result else { return report }
            error.isRetriable = true
            return KafkaDeliveryReport(id: report.id, failed: error)
        }
    }
}

/// The delegate of a producer whose callers wait.
private final class SendingDelegate: KafkaProducerDelegate {
    private let onError: @Sendable (KafkaError) -> Void

    init(onError: @escaping @Sendable (KafkaError) -> Void) {
        self.onError = onError
    }

    /// Reports on records of `produce`, which nobody wanted to hear of.
    func kafkaProducer(_ producer: KafkaProducer, didDeliver reports: [KafkaDeliveryReport]) {}

    func kafkaProducer(_ producer: KafkaProducer, didFail error: KafkaError) {
        onError(error)
    }
}
