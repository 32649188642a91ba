import Kafka
import Locks
import Publishing
import Timestamps
import Worker

/// The topic of orders to the workers of a group.
struct ControlTopic {
    private let name: String
    private let cluster: KafkaConfiguration

    init(_ settings: TopicSettings) {
        name = settings.topics.control
        cluster = settings.kafka
    }

    /// Writes an order and waits until the brokers have it.
    ///
    /// - Parameter order: The order.
    /// - Throws: ``CommandError`` where the topic is missing or the brokers do not confirm.
    func write(_ order: ControlOrder) async throws(CommandError) {
        try await requireTopic()
        let confirmations = Confirmations()
        var failure: KafkaError?
        do throws(KafkaError) {
            let producer = try KafkaProducer(KafkaProducerConfiguration(client: cluster), delegate: confirmations)
            producer.produce([KafkaRecord(order, topic: name)])
            await Patience.noting("waiting for Kafka to confirm") {
                for await reports in confirmations.reports {
                    if case .failure(let error) = reports.first?.result { failure = error }
                    break
                }
            }
            await producer.close(deadline: .seconds(5))
        } catch {
            failure = error
        }
        if let failure { throw CommandError(.unavailable, cluster, failure) }
    }

    /// The latest order of each scope, in the order of the topic: by the rule of the workers.
    ///
    /// - Returns: Holds and releases.
    /// - Throws: ``CommandError`` where the topic cannot be read.
    func orders() async throws(CommandError) -> [ControlRecord] {
        try await requireTopic()
        let reading = OrderReading()
        do throws(KafkaError) {
            let reader = try KafkaReader(KafkaReaderConfiguration(client: cluster), delegate: reading)
            reader.start(KafkaTopicPartition(topic: name, partition: 0), at: .beginning)
            let failure = await Patience.noting("reading \(name)") { await reading.ended() }
            await reader.close(deadline: .seconds(5))
            if let failure { throw failure }
        } catch {
            throw CommandError(.unavailable, cluster, error)
        }
        return reading.orders
    }

    private func requireTopic() async throws(CommandError) {
        let needed = NeededTopic(role: .control, name: name)
        guard try await TopicSurvey.present([needed], at: cluster, withSettings: false).first?.topic == nil else {
            return
        }
        throw CommandError(
            .unavailable,
            "Kafka at \(cluster.bootstrapServers) has no topic \(name): make it with 'newsflash topics create'"
        )
    }
}

/// Reads the topic to its present end.
private final class OrderReading: KafkaReaderDelegate {
    private let holds = Locked(SourceHolds())
    private let stream: AsyncStream<KafkaError?>
    private let continuation: AsyncStream<KafkaError?>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    var orders: [ControlRecord] { holds.withLock(\.orders) }

    /// Waits for the end, or for what keeps from it.
    func ended() async -> KafkaError? {
        for await fault in stream { return fault }
        return nil
    }

    func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage]) {
        for message in messages {
            let at = message.timestamp ?? .now()
            let order = try? ControlOrderCodec.decode(key: message.key, value: message.value, at: at)
            guard case .source(let record)? = order else { continue }
            holds.withLock { _ = $0.apply(record, at: message.offset) }
        }
    }

    func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: KafkaTopicPartition, offset: Int64) {
        continuation.yield(nil)
    }

    func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: KafkaTopicPartition?) {
        if !error.isRetriable { continuation.yield(error) }
    }
}
