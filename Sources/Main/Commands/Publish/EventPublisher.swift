import Basics
import Kafka
import Operations
import StrictJSON
import TopicPartitions

/// Writes planned records to a topic and waits until the brokers have them.
struct EventPublisher {
    let topic: String
    let cluster: KafkaConfiguration
    /// Whether the results are printed as JSON.
    let json: Bool

    /// Writes the records, and prints the result of each.
    ///
    /// - Parameters:
    ///   - plan: A checked plan without refusals.
    ///   - headers: The headers of all records.
    /// - Returns: The position of each record.
    /// - Throws: ``OperationError`` if the topic is missing, or a record was not confirmed.
    @discardableResult
    func publish(_ plan: PublishPlan, headers: [KafkaHeader]) async throws(OperationError) -> [LaterOutcomes.Origin] {
        let needed = NeededTopic(role: .source, name: topic)
        // Searched in the list of all topics, because a request for its name may create it, with one partition.
        guard try await TopicSurvey.present([needed], at: cluster, withSettings: false).first?.topic != nil else {
            throw OperationError(
                .unavailable,
                "Kafka at \(cluster.bootstrapServers) has no topic \(topic), or does not show it to \(cluster.user): make it "
                    + "with 'newsflash topics apply', or give the user the right Write on it"
            )
        }
        let confirmations = Confirmations()
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
        let error = KafkaError(first.code, "\(heading): \(first.message)")
        throw OperationError(.unavailable, cluster, error, right: "Write on the topic \(topic)")
    }

    /// Prints the result of each record once it and all records before it have one.
    private func show(_ confirmations: Confirmations, of plan: PublishPlan) async -> ConfirmationOrder {
        var order = ConfirmationOrder(count: plan.entries.count)
        for await reports in confirmations.reports {
            for (index, report) in order.receive(reports) {
                let confirmation = Confirmation(topic: topic, entry: plan.entries[index], report: report)
                if !confirmation.isConfirmed { StandardError.write(confirmation.line) }
                if json {
                    StandardOutput.write(confirmation.json)
                } else if confirmation.isConfirmed {
                    StandardOutput.write(confirmation.line)
                }
            }
            if order.isComplete { break }
        }
        return order
    }
}

/// Receives delivery reports and passes them to the waiting command.
final class Confirmations: KafkaProducerDelegate {
    /// The reports, in no particular order.
    let reports: AsyncStream<[KafkaDeliveryReport]>
    private let continuation: AsyncStream<[KafkaDeliveryReport]>.Continuation
    private let lastFault = Locked<String?>(nil)

    init() {
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
        if isNew { StandardError.write("Kafka: \(error); still trying") }
    }
}
