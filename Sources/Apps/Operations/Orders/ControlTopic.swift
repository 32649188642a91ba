import NewsflashBasics
import NewsflashKafka
package import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTimestamps
import NewsflashTopicPartitions
package import NewsflashWorker

/// The control topic, with orders to the workers of a group.
package struct ControlTopic {
    private let name: String
    private let cluster: KafkaConfiguration

    package init(_ settings: TopicSettings) {
        name = settings.topics.control
        cluster = settings.kafka
    }

    /// Writes orders and waits until the brokers have them.
    ///
    /// - Parameter orders: At least one, in order.
    /// - Throws: ``OperationError`` if the topic is missing, or if the brokers do not confirm all orders.
    package func write(_ orders: ControlOrder...) async throws(OperationError) { try await write(orders) }

    /// Writes orders and waits until the brokers have them.
    ///
    /// - Parameter orders: At least one, in order.
    /// - Throws: ``OperationError`` if the topic is missing, or if the brokers do not confirm all orders.
    package func write(_ orders: [ControlOrder]) async throws(OperationError) {
        _ = try await UsableTopics.find([name], at: cluster, to: .written)
        let records = orders.map { KafkaRecord($0, topic: name) }
        do throws(KafkaError) {
            let producer = try KafkaProducer(KafkaProducerConfiguration(client: cluster))
            let results = await SlowOperationNotice.noting("waiting for Kafka to confirm") {
                await producer.send(records)
            }
            await producer.close(deadline: .seconds(5))
            for result in results { _ = try result.get() }
        } catch {
            throw OperationError(.unavailable, cluster, error, right: "Write on the topic \(name)")
        }
    }

    /// Reads the orders and applies them as workers do.
    ///
    /// - Returns: All orders of the topic at their offsets.
    /// - Throws: ``OperationError`` if the topic cannot be read.
    package func pauses() async throws(OperationError) -> SourcePauses {
        let pauses = Locked(SourcePauses())
        try await read { message in
            let at = message.timestamp ?? .now()
            let order = try? ControlOrderCodec.decode(key: message.key, value: message.value, at: at)
            guard case .source(let record)? = order else { return }
            pauses.withLock { _ = $0.apply(record, at: message.offset) }
        }
        return pauses.withLock { $0 }
    }

    /// Writes an order that is not about sources, and checks that workers read it as it was meant.
    ///
    /// - Parameter order: An order to reload, or for the log level.
    /// - Throws: ``OperationError`` if the order is not confirmed or cannot be read back, with exit code 1 if it is not in the
    ///   topic, or if a later order for the log level replaces it.
    package func give(_ order: ControlOrder) async throws(OperationError) {
        try await write(order)
        let orders = Locked<[ControlOrder]>([])
        do throws(OperationError) {
            try await read { message in
                guard message.key == order.key.map({ Array($0.utf8) }), let value = message.value,
                    let found = try? ControlOrderCodec.decode(value.span)
                else { return }
                orders.withLock { $0.append(found) }
            }
        } catch {
            let text = "the order was written, but cannot be read back, so it may not be in force: \(error)"
            throw OperationError(.unavailable, text)
        }
        if let problem = order.problem(among: orders.withLock { $0 }, in: name) {
            throw OperationError(.foundProblems, problem.harmless)
        }
    }

    /// Reads the records of the first partition, which is the only one that workers read.
    private func read(_ body: @escaping @Sendable (KafkaMessage) -> Void) async throws(OperationError) {
        let partition = TopicPartition(topic: name, partition: 0)
        let scan = TopicScan(cluster, topics: [name], from: .offsets([partition: 0]), to: .present)
        _ = try await scan.run { messages in
            for message in messages { body(message) }
            return true
        }
    }
}

extension ControlOrder {
    /// The order as a JSON object.
    ///
    /// - Parameter workers: The number of workers that obey it; `nil` if it is not known.
    /// - Returns: An object with the members `order` and `workers`.
    package func json(workers: Int?) -> [UInt8] {
        JSONWriter.object { writer in
            writer.name("order")
            writer.raw(ControlOrderCodec.encode(self))
            if let workers { writer.member("workers", Int64(workers)) }
        }
    }

    /// Compares an order that was written with the topic.
    ///
    /// - Parameters:
    ///   - orders: The orders with the same key that are in the topic, oldest first.
    ///   - topic: The name of the control topic.
    /// - Returns: Why the order has no effect; `nil` if workers obey it.
    package func problem(among orders: [ControlOrder], in topic: String) -> String? {
        // Times in records have milliseconds.
        let written = ControlOrderCodec.encode(self)
        guard let place = orders.lastIndex(where: { ControlOrderCodec.encode($0) == written }) else {
            return "the order was written, but is not in \(topic): give it again"
        }
        // A worker obeys each order to reload, but only the last one for the log level.
        guard case .logLevel(let other)? = orders.last, place < orders.count - 1 else { return nil }
        return "a later order by \(other.by) replaces this one: level \(other.level) until \(other.until.rfc3339)"
    }
}
