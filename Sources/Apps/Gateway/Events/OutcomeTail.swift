package import Kafka
import Locks
package import StructuredLog

/// Follows the topic of outcomes: the last of what is there, and from then on all that comes.
package final class OutcomeTail: KafkaReaderDelegate {
    /// How far back is read in each partition at the start.
    private static let records: Int64 = 2000
    /// Between two tries where the topic is missing or Kafka away.
    private static let pause = Duration.seconds(3)
    /// For an answer of Kafka's: a stop has to wait for it, too.
    private static let patience = Duration.seconds(3)

    private let client: KafkaConfiguration
    private let topic: String
    private let logger: Logger
    private let table = Locked(OutcomeTable())
    private let lastFault = Locked<String?>(nil)
    private let running = Locked<Task<Void, Never>?>(nil)

    /// Makes a tail that reads nothing yet.
    ///
    /// - Parameters:
    ///   - client: Where the cluster is and who we are.
    ///   - topic: That of the outcomes.
    ///   - logger: Is told once of each trouble.
    package init(_ client: KafkaConfiguration, topic: String, logger: Logger) {
        self.client = client
        self.topic = topic
        self.logger = logger
    }

    /// Begins to read, in the background.
    package func open() {
        // ``close()`` cancels it and waits for it.
        running.withLock { $0 = Task { await self.follow() } }
    }

    /// Ends.
    package func close() async {
        guard let task = running.withLock({ $0.take() }) else { return }
        task.cancel()
        await task.value
    }

    /// The latest record on an event, as it stands in the topic; nothing where none is known.
    ///
    /// - Parameter event: The event's id.
    /// - Returns: JSON.
    func record(of event: String) -> [UInt8]? { table.withLock { $0.record(of: event) } }

    private func follow() async {
        while !Task.isCancelled {
            do throws(KafkaError) {
                let places = try await places()
                let reader = try KafkaReader(KafkaReaderConfiguration(client: client), delegate: self)
                for (partition, offset) in places { reader.start(partition, at: .at(offset)) }
                // Until ``close()``.
                while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
                await reader.close(deadline: .seconds(5))
            } catch {
                note(error)
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    private func places() async throws(KafkaError) -> [(KafkaTopicPartition, Int64)] {
        let admin = try KafkaAdmin(client)
        // Looked for in the list of all: brokers may make a topic that is asked for by its name.
        guard let found = try await admin.topics(timeout: Self.patience).first(where: { $0.name == topic }) else {
            throw KafkaError(.unknownTopic, "there is no topic \(topic); make it with 'newsflash topics create'")
        }
        var places: [(KafkaTopicPartition, Int64)] = []
        for number in found.partitions.map(\.number) {
            let partition = KafkaTopicPartition(topic: topic, partition: number)
            let ends = try await admin.watermarks(of: partition, timeout: Self.patience)
            places.append((partition, max(ends.low, ends.high - Self.records)))
        }
        return places
    }

    /// Tells of a trouble, once until there is another.
    private func note(_ error: KafkaError) {
        let isNew = lastFault.withLock { last in
            defer { last = error.description }
            return last != error.description
        }
        guard isNew else { return }
        logger.warning(
            "what becomes of events cannot be read; tried on",
            metadata: ["kafka.topic": .string(topic), "detail": .string(error.description)]
        )
    }

    // MARK: KafkaReaderDelegate, on the reader's thread

    package func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage]) {
        for message in messages {
            guard let value = message.value else { continue }
            table.withLock { $0.take(value) }
        }
    }

    package func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: KafkaTopicPartition, offset: Int64) {
        lastFault.withLock { $0 = nil }
    }

    package func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: KafkaTopicPartition?) {
        note(error)
        // What was there went meanwhile.
        if error.code == .offsetOutOfRange, let partition { reader.start(partition, at: .beginning) }
    }
}
