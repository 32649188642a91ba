import Kafka

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
    /// - Throws: ``CommandError`` if the topic is missing, or a record was not confirmed.
    @discardableResult
    func publish(_ plan: PublishPlan, headers: [KafkaHeader]) async throws(CommandError) -> [LaterOutcomes.Origin] {
        let needed = NeededTopic(role: .source, name: topic)
        // Searched in the list of all topics, because a request for its name may create it, with one partition.
        guard try await TopicSurvey.present([needed], at: cluster, withSettings: false).first?.topic != nil else {
            throw CommandError(
                .unavailable,
                "Kafka at \(cluster.bootstrapServers) has no topic \(topic): make it with 'newsflash topics create'"
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
            throw CommandError(.unavailable, cluster, error, right: "Write on the topic \(topic)")
        }
        guard let first = order.failures.first else {
            return order.places.map {
                LaterOutcomes.Origin(KafkaTopicPartition(topic: topic, partition: $0.partition), $0.offset)
            }
        }
        let heading = "\(order.failures.count) of \(counted(plan.entries.count, "record")) not confirmed"
        guard order.failures.contains(where: { $0.code != .messageTooLarge }) else {
            throw CommandError(.badData, "\(heading): larger than the topic allows; see the lines above")
        }
        throw CommandError(.unavailable, cluster, KafkaError(first.code, "\(heading): \(first.message)"))
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
