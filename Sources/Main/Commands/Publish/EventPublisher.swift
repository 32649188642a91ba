import Kafka

/// Writes planned records to a topic and waits until the brokers have them.
struct EventPublisher {
    let topic: String
    let cluster: KafkaConfiguration
    /// Whether each record is told of as JSON.
    let json: Bool

    /// Writes the records, and tells of each.
    ///
    /// - Parameters:
    ///   - plan: Checked; without refusals.
    ///   - headers: What all records carry.
    /// - Returns: The place of each record.
    /// - Throws: ``CommandError`` where the topic is missing, or a record was not confirmed.
    @discardableResult
    func publish(_ plan: PublishPlan, headers: [KafkaHeader]) async throws(CommandError) -> [LaterNews.Origin] {
        let needed = NeededTopic(role: .source, name: topic)
        // Looked for in the list of all: brokers may make a topic, with one partition, where one asks for it by name.
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
            // A topic that cannot be warmed up is told of by the reports as well.
            try? await producer.warm(topics: [topic])
            producer.produce(plan.records(to: topic, headers: headers))
            order = await Patience.noting("waiting for Kafka to confirm") {
                await show(confirmations, of: plan)
            }
            await producer.close(deadline: .seconds(5))
        } catch {
            throw CommandError(.unavailable, cluster, error, right: "Write on the topic \(topic)")
        }
        guard let first = order.failures.first else {
            return order.places.map {
                LaterNews.Origin(KafkaTopicPartition(topic: topic, partition: $0.partition), $0.offset)
            }
        }
        let heading = "\(order.failures.count) of \(counted(plan.entries.count, "record")) not confirmed"
        guard order.failures.contains(where: { $0.code != .messageTooLarge }) else {
            throw CommandError(.badData, "\(heading): larger than the topic takes; see above which")
        }
        throw CommandError(.unavailable, cluster, KafkaError(first.code, "\(heading): \(first.message)"))
    }

    /// Tells of each record once it and all before it were reported on.
    private func show(_ confirmations: Confirmations, of plan: PublishPlan) async -> ConfirmationOrder {
        var order = ConfirmationOrder(count: plan.entries.count)
        for await reports in confirmations.reports {
            for (index, report) in order.take(reports) {
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
