import NewsflashBasics
package import NewsflashKafka
import NewsflashTestSupport
import NewsflashTopicPartitions

extension SecureCluster {
    private static let topicsMade = Locked(0)

    private static func uniqueTopic() -> String {
        "topic-\(topicsMade.withLock { $0 += 1; return $0 })"
    }

    /// Makes a topic of one partition.
    ///
    /// - Parameters:
    ///   - name: Its name; `nil` for one that no other test uses.
    ///   - isCompacted: Whether the topic is compacted.
    /// - Returns: Its name, after the broker itself has the topic.
    /// - Throws: `KafkaError` when the broker refuses.
    @discardableResult
    package func makeTopic(named name: String? = nil, isCompacted: Bool = false) async throws -> String {
        let name = name ?? Self.uniqueTopic()
        let admin = try KafkaAdmin(client())
        let settings = isCompacted ? ["cleanup.policy": "compact"] : [:]
        let topic = KafkaNewTopic(name: name, partitions: 1, replicationFactor: 1, configuration: settings)
        if let error = try await admin.createTopics([topic])[name] { throw error }
        try await waitUntil {
            let found = try await admin.topic(name)?.partitions ?? []
            return found.count == 1 && found.allSatisfy { $0.leader != nil }
        }
        return name
    }

    /// Writes records and waits until all are confirmed.
    ///
    /// - Parameters:
    ///   - records: The records to write.
    ///   - client: The writing client; `nil` for one at the listener without authentication.
    /// - Throws: The first failure.
    package func write(_ records: [KafkaRecord], as client: KafkaConfiguration? = nil) async throws {
        let recorder = ProducerRecorder()
        let configuration = KafkaProducerConfiguration(client: client ?? self.client())
        let producer = try KafkaProducer(configuration, delegate: recorder)
        producer.produce(records)
        do {
            let reports = try await recorder.reports.wait { $0.count >= records.count ? $0 : nil }
            for report in reports { _ = try report.result.get() }
        } catch {
            await producer.close(deadline: .seconds(5))
            throw error
        }
        await producer.close(deadline: .seconds(5))
    }

    /// Reads a topic of one partition from its beginning.
    ///
    /// - Parameters:
    ///   - count: How many records to wait for.
    ///   - topic: The topic's name.
    ///   - client: The reading client; `nil` for one at the listener without authentication.
    /// - Returns: All records so far, at least `count`.
    /// - Throws: `CancellationError` when the test's time is over.
    package func read(
        _ count: Int,
        from topic: String,
        as client: KafkaConfiguration? = nil
    ) async throws -> [KafkaMessage] {
        let recorder = ConsumerRecorder()
        let configuration = KafkaConsumerConfiguration(client: client ?? self.client(), groupID: "tests")
        let consumer = try KafkaConsumer(configuration, delegate: recorder)
        consumer.assign([TopicPartition(topic: topic, partition: 0): .beginning])
        do {
            let messages = try await recorder.messages(atLeast: count)
            await consumer.close(deadline: .seconds(5))
            return messages
        } catch {
            await consumer.close(deadline: .seconds(5))
            throw error
        }
    }
}
