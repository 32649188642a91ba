import Basics
import Kafka
import Publishing
import Timestamps
import TopicPartitions
import Worker

/// The control topic, with orders to the workers of a group.
struct ControlTopic {
    private let name: String
    private let cluster: KafkaConfiguration

    init(_ settings: TopicSettings) {
        name = settings.topics.control
        cluster = settings.kafka
    }

    /// Writes orders and waits until the brokers have them.
    ///
    /// - Parameter orders: At least one, in order.
    /// - Throws: ``CommandError`` if the topic is missing, or if the brokers do not confirm all orders.
    func write(_ orders: ControlOrder...) async throws(CommandError) { try await write(orders) }

    /// Writes orders and waits until the brokers have them.
    ///
    /// - Parameter orders: At least one, in order.
    /// - Throws: ``CommandError`` if the topic is missing, or if the brokers do not confirm all orders.
    func write(_ orders: [ControlOrder]) async throws(CommandError) {
        try await requireTopic()
        let records = orders.enumerated().map { index, order in
            var record = KafkaRecord(order, topic: name)
            record.id = UInt64(index)
            return record
        }
        let confirmations = Confirmations()
        var confirmed = ConfirmationOrder(count: records.count)
        do throws(KafkaError) {
            let producer = try KafkaProducer(KafkaProducerConfiguration(client: cluster), delegate: confirmations)
            producer.produce(records)
            await SlowOperationNotice.noting("waiting for Kafka to confirm") {
                for await reports in confirmations.reports {
                    _ = confirmed.receive(reports)
                    if confirmed.isComplete { break }
                }
            }
            await producer.close(deadline: .seconds(5))
            if let failure = confirmed.failures.first { throw failure }
        } catch {
            throw CommandError(.unavailable, cluster, error, right: "Write on the topic \(name)")
        }
    }

    /// Reads the orders and applies them as workers do.
    ///
    /// - Returns: All orders of the topic at their offsets.
    /// - Throws: ``CommandError`` if the topic cannot be read.
    func holds() async throws(CommandError) -> SourcePauses {
        let holds = Locked(SourcePauses())
        let partition = TopicPartition(topic: name, partition: 0)
        // Workers read the first partition only.
        let scan = TopicScan(cluster, topics: [name], from: .offsets([partition: 0]), to: .present)
        _ = try await scan.run { messages in
            for message in messages {
                let at = message.timestamp ?? .now()
                let order = try? ControlOrderCodec.decode(key: message.key, value: message.value, at: at)
                guard case .source(let record)? = order else { continue }
                holds.withLock { _ = $0.apply(record, at: message.offset) }
            }
            return true
        }
        return holds.withLock { $0 }
    }

    private func requireTopic() async throws(CommandError) {
        let needed = NeededTopic(role: .control, name: name)
        guard try await TopicSurvey.present([needed], at: cluster, withSettings: false).first?.topic == nil else {
            return
        }
        throw CommandError(
            .unavailable,
            "Kafka at \(cluster.bootstrapServers) has no topic \(name), or does not show it to \(cluster.user): make it with "
                + "'newsflash topics create', or give the user the right Write on it"
        )
    }
}
