extension KafkaProducer {
    /// Creates a producer for callers that only send.
    ///
    /// - Parameters:
    ///   - configuration: How to write.
    ///   - onError: Receives errors that do not concern a single record, on the producer's own thread: unreachable brokers,
    ///     refused credentials. The result of a record goes to its sender.
    /// - Throws: ``KafkaError`` with the name of a property that cannot be used.
    public convenience init(
        _ configuration: KafkaProducerConfiguration,
        onError: @escaping @Sendable (KafkaError) -> Void = { _ in }
    ) throws(KafkaError) {
        try self.init(configuration, delegate: SendingDelegate(onError: onError))
    }

    /// Writes a record and waits until all in-sync replicas have it.
    ///
    /// Works with any delegate, which gets no report on the record. Consecutive sends of one task are written in that order;
    /// for speed *and* order pass many records at once to ``send(_:)-([KafkaRecord])``.
    ///
    /// A cancelled task stops waiting. A record that was not passed to the brokers is never written; others may be: see
    /// ``KafkaError/mayBePersisted``.
    ///
    /// - Parameter record: The record; its ``KafkaRecord/id`` is ignored.
    /// - Returns: The record's position.
    /// - Throws: ``KafkaError``; if ``KafkaError/isRetriable``, it may be sent again, which duplicates it if
    /// ``KafkaError/mayBePersisted``.
    @discardableResult
    public func send(_ record: KafkaRecord) async throws(KafkaError) -> KafkaDelivery {
        guard let result = await send([record]).first else { throw .isClosed("producer") }
        return try result.get()
    }

    /// Writes records in their order within each partition, and waits until each is confirmed or has failed.
    ///
    /// Any number is allowed: records that do not fit into the producer's queue (``KafkaProducerConfiguration/maximumQueued``)
    /// wait for space, after earlier sends. A record that fails alone, such as one that is too large, delays no other.
    /// Cancellation works as in ``send(_:)-(KafkaRecord)``.
    ///
    /// - Parameter records: The records; their ``KafkaRecord/id``s are ignored.
    /// - Returns: The result of each, in the order of the records.
    public func send(_ records: [KafkaRecord]) async -> [Result<KafkaDelivery, KafkaError>] {
        guard !records.isEmpty else { return [] }
        let call = withState { $0.sends.makeCall() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let over = withState { state -> [ProducerState.AnsweredSend] in
                    state.sends.add(records, for: call)
                    state.senders[call] = continuation
                    // A cancellation from now on finds the call, because its handler needs this lock.
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

    /// Passes reports to the callers that sent the records, and the others to the delegate.
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

    /// Queues sends that wait for space, after the event with the reports is freed.
    func goOnSending() {
        let over = withState { state in
            state.sends.eventWasFreed()
            return state.sends.isWaiting ? state.advanceSends() : []
        }
        for send in over { send.resume() }
    }
}

extension ProducerState {
    /// A finished send and the continuation of its caller.
    struct AnsweredSend: Sendable {
        let continuation: CheckedContinuation<SendQueue.Results, Never>
        let results: SendQueue.Results

        /// Must be called without the lock.
        func resume() {
            continuation.resume(returning: results)
        }
    }

    /// Finds the callers that wait for these answers.
    mutating func answered(_ answers: [SendQueue.Answer]) -> [AnsweredSend] {
        answers.compactMap { answer in
            senders.removeValue(forKey: answer.call).map { AnsweredSend(continuation: $0, results: answer.results) }
        }
    }

    /// Queues as many records of sends as there is space for; without an instance they fail.
    ///
    /// Holds the producer's lock, so that no record overtakes an earlier one.
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
    /// - Returns: Reports on the records that could not be queued.
    private func queue(_ records: [KafkaRecord]) -> [KafkaDeliveryReport] {
        guard let instance else { return records.map { KafkaDeliveryReport(id: $0.id, failed: unavailable) } }
        let failed = records.compactMap { instance.produce($0) }
        guard !failed.isEmpty, instance.hasFatalError else { return failed }
        // Only this instance is unusable; the next one works.
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

    /// Ignores reports on records of `produce`, because this delegate only serves callers of `send`.
    func kafkaProducer(_ producer: KafkaProducer, didDeliver reports: [KafkaDeliveryReport]) {}

    func kafkaProducer(_ producer: KafkaProducer, didFail error: KafkaError) {
        onError(error)
    }
}
