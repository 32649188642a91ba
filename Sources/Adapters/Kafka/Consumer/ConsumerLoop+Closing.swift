import CRDKafka

extension ConsumerLoop {
    /// Leaves the group, and handles its events meanwhile.
    ///
    /// - Parameter closing: The deadline.
    /// - Returns: Whether librdkafka has finished closing.
    func close(_ closing: Closing) -> Bool {
        awaitFirstAssignment(closing)
        // Done before librdkafka closes, because it then sends no heartbeats, and finishing the work may take longer than a
        // session.
        giveUp(consumer.assignment, closing: closing)
        // A revocation may have come meanwhile.
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
            // The end of closing is not always signalled, so the wait is short.
            wakeUp.wait(atMost: min(.milliseconds(100), closing.remaining))
        }
        // If the group could not be asked in time, the partitions were lost without a revocation.
        lose(consumer.assignment)
        return true
    }

    /// Whether the instance must not be destroyed; see ``Membership/waitsForFirstAssignment``.
    private var mustBeKept: Bool {
        consumer.configuration.assignmentStrategy == .cooperativeSticky && consumer.membership.waitsForFirstAssignment
    }

    /// Waits for the first assignment of a member that has joined, which takes milliseconds, before it leaves.
    private func awaitFirstAssignment(_ closing: Closing) {
        let end = min(closing.end, .now + .seconds(3))
        while mustBeKept, ContinuousClock.now < end {
            wakeUp.wait(atMost: .milliseconds(10))
            serve(queue, closing: closing)
        }
    }

    /// Releases everything and resumes the callers that wait for the close.
    func finish(isClosed: Bool, _ closing: Closing) {
        stopReading(consumer.assignment)
        release(consumer.assignment, isLost: true)
        if isClosed, mustBeKept {
            client.abandon()
            let message = "\(client.name) closed before its first assignment and is kept: destroying it would abort"
            consumer.configuration.client.log(KafkaLogLine(level: .warning, facility: "CLOSE", message: message))
        }
        if !isClosed {
            client.abandon()
            let message = "\(client.name) did not close in time and is abandoned; the process should end"
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
