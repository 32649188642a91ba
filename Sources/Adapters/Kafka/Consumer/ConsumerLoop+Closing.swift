import CRDKafka

extension ConsumerLoop {
    /// Leaves the group, serving what it asks meanwhile.
    ///
    /// - Parameter closing: The deadline.
    /// - Returns: Whether librdkafka is through with it.
    func close(_ closing: Closing) -> Bool {
        awaitFirstAssignment(closing)
        // Before librdkafka closes: from then on it sends no heartbeats, and finishing the work may take longer than a session.
        giveUp(consumer.assignment, closing: closing)
        // A revocation that came meanwhile.
        serve(queue, closing: closing)
        let answers = EventQueue(of: client)
        answers.signal(wakeUp)
        if let error = rd_kafka_consumer_close_queue(client.pointer, answers.pointer) {
            // After a fatal error there is nothing left to close.
            let error = KafkaError(consuming: error, doing: "closing the consumer")
            lose(consumer.assignment)
            if !error.isFatal { delegate.kafkaConsumer(consumer, didFail: error) }
            return true
        }
        while true {
            serve(answers, closing: closing)
            if rd_kafka_consumer_closed(client.pointer) != 0 { break }
            guard closing.remaining > .zero else { return false }
            // The end itself is not always signalled, so the wait is short.
            wakeUp.wait(atMost: min(.milliseconds(100), closing.remaining))
        }
        // A group that could not be asked in time has let go without a question.
        lose(consumer.assignment)
        return true
    }

    /// Whether the instance cannot be destroyed; see ``Membership/waitsForFirstAssignment``.
    private var mustBeKept: Bool {
        consumer.configuration.assignmentStrategy == .cooperativeSticky && consumer.membership.waitsForFirstAssignment
    }

    /// Lets a member that has joined get its first assignment, which is a matter of milliseconds, before it leaves.
    private func awaitFirstAssignment(_ closing: Closing) {
        let end = min(closing.end, .now + .seconds(3))
        while mustBeKept, ContinuousClock.now < end {
            wakeUp.wait(atMost: .milliseconds(10))
            serve(queue, closing: closing)
        }
    }

    /// Lets everything go and tells those who wait.
    func finish(isClosed: Bool, _ closing: Closing) {
        shut(consumer.assignment)
        release(consumer.assignment, isLost: true)
        if isClosed, mustBeKept {
            client.abandon()
            let message = "\(client.name) closed before its first assignment and is kept, as destroying it would abort"
            consumer.configuration.client.log(KafkaLogLine(level: .warning, facility: "CLOSE", message: message))
        }
        if !isClosed {
            client.abandon()
            let message = "\(client.name) did not close in time and is left behind; the process should end"
            consumer.configuration.client.log(KafkaLogLine(level: .critical, facility: "CLOSE", message: message))
        }
        let waiting = consumer.withState { state in
            state.topics = []
            state.client = nil
            state.queue = nil
            defer { state.waitingForClose = [:] }
            return state.waitingForClose.values
        }
        consumer.membership.hasClosed()
        for continuation in waiting { continuation.resume(returning: isClosed) }
    }
}
