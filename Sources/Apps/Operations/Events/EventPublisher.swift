import NewsflashBasics
package import NewsflashKafka
import NewsflashTopicPartitions

/// Writes planned records to a topic and waits until the brokers have them.
package struct EventPublisher {
    private let topic: String
    private let cluster: KafkaConfiguration
    /// Receives the result of each record once it and all records before it have one.
    private let show: (Confirmation) -> Void
    /// Receives notes about errors of Kafka that may pass.
    private let note: @Sendable (String) -> Void

    package init(
        topic: String,
        cluster: KafkaConfiguration,
        show: @escaping (Confirmation) -> Void,
        note: @escaping @Sendable (String) -> Void
    ) {
        (self.topic, self.cluster, self.show, self.note) = (topic, cluster, show, note)
    }

    /// Writes the records, and shows the result of each.
    ///
    /// - Parameters:
    ///   - plan: A checked plan without refusals.
    ///   - headers: The headers of all records.
    /// - Returns: The position of each record.
    /// - Throws: ``OperationError`` if the topic is missing, or a record was not confirmed.
    @discardableResult
    package func publish(_ plan: PublishPlan, headers: [KafkaHeader]) async throws(OperationError) -> [LaterOutcomes
        .Origin]
    {
        _ = try await UsableTopics.find([topic], at: cluster, to: .written)
        let confirmations = Confirmations(note: note)
        let order: ConfirmationOrder
        do throws(KafkaError) {
            let producer = try KafkaProducer(
                KafkaProducerConfiguration(client: cluster, maximumQueued: max(10_000, plan.entries.count)),
                delegate: confirmations
            )
            // The delivery reports contain the same error if this fails.
            try? await producer.warm(topics: [topic])
            producer.produce(plan.records(to: topic, headers: headers))
            order = await SlowOperationNotice.noting("waiting for Kafka to confirm") {
                await show(confirmations, of: plan)
            }
            await producer.close(deadline: .seconds(5))
        } catch {
            throw OperationError(.unavailable, cluster, error, right: "Write on the topic \(topic)")
        }
        guard let first = order.failures.first else {
            return order.places.map {
                LaterOutcomes.Origin(TopicPartition(topic: topic, partition: $0.partition), $0.offset)
            }
        }
        let heading = "\(order.failures.count) of \(counted(plan.entries.count, "record")) not confirmed"
        guard order.failures.contains(where: { $0.code != .messageTooLarge }) else {
            throw OperationError(.badData, "\(heading): larger than the topic allows; see the lines above")
        }
        throw OperationError(.unavailable, cluster, first, right: "Write on the topic \(topic)", state: heading)
    }

    /// Shows the results in the order of the plan.
    private func show(_ confirmations: Confirmations, of plan: PublishPlan) async -> ConfirmationOrder {
        var order = ConfirmationOrder(count: plan.entries.count)
        for await reports in confirmations.reports {
            for (index, report) in order.receive(reports) {
                show(Confirmation(topic: topic, entry: plan.entries[index], report: report))
            }
            if order.isComplete { break }
        }
        return order
    }
}

/// Receives delivery reports and passes them to the waiting command.
final class Confirmations: KafkaProducerDelegate {
    private let note: @Sendable (String) -> Void
    /// The reports, in no particular order.
    let reports: AsyncStream<[KafkaDeliveryReport]>
    private let continuation: AsyncStream<[KafkaDeliveryReport]>.Continuation
    private let lastFault = Locked<String?>(nil)

    init(note: @escaping @Sendable (String) -> Void) {
        self.note = note
        (reports, continuation) = AsyncStream.makeStream()
    }

    func kafkaProducer(_ producer: KafkaProducer, didDeliver reports: [KafkaDeliveryReport]) {
        continuation.yield(reports)
    }

    func kafkaProducer(_ producer: KafkaProducer, didFail error: KafkaError) {
        let isNew = lastFault.withLock { last in
            defer { last = error.description }
            return last != error.description
        }
        // The same error is reported repeatedly while brokers are unavailable.
        if isNew { note("Kafka: \(error); still trying") }
    }
}
