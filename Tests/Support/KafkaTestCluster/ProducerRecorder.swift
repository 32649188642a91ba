package import NewsflashKafka
package import NewsflashTestSupport
package import NewsflashTopicPartitions

/// A delegate that records every report.
package final class ProducerRecorder: KafkaProducerDelegate {
    /// The reports, in order.
    package let reports = EventLog<KafkaDeliveryReport>()
    /// The errors, in order.
    package let errors = EventLog<KafkaError>()

    private let didReceive: @Sendable () -> Void

    /// Starts empty.
    ///
    /// - Parameter didReceive: Called before each batch of reports is recorded.
    package init(didReceive: @escaping @Sendable () -> Void = {}) {
        self.didReceive = didReceive
    }

    package func kafkaProducer(_ producer: KafkaProducer, didDeliver reports: [KafkaDeliveryReport]) {
        didReceive()
        for report in reports { self.reports.append(report) }
    }

    package func kafkaProducer(_ producer: KafkaProducer, didFail error: KafkaError) {
        errors.append(error)
    }

    /// Waits for the report on one record.
    package func report(on id: UInt64) async throws -> KafkaDeliveryReport {
        try await reports.wait { $0.first { $0.id == id } }
    }
}

extension KafkaTestCluster {
    /// Writes records and waits until all are confirmed.
    ///
    /// - Parameter records: The records to write.
    /// - Throws: The first failure.
    package func write(_ records: [KafkaRecord]) async throws {
        let recorder = ProducerRecorder()
        let producer = try KafkaProducer(KafkaProducerConfiguration(client: client()), delegate: recorder)
        producer.produce(records)
        let reports = try await recorder.reports.wait { $0.count >= records.count ? $0 : nil }
        await producer.close()
        for report in reports { _ = try report.result.get() }
    }

    /// Reads given partitions, and closes the consumer afterwards whatever happens.
    ///
    /// - Parameters:
    ///   - offsets: The start of each partition.
    ///   - configuration: The configuration of the consumer.
    ///   - recorder: The delegate of the consumer.
    ///   - body: The test.
    /// - Throws: The error of the test.
    package func withConsumer(
        assigned offsets: [TopicPartition: KafkaOffset],
        _ configuration: KafkaConsumerConfiguration? = nil,
        recorder: ConsumerRecorder = ConsumerRecorder(),
        _ body: (KafkaConsumer, ConsumerRecorder) async throws -> Void
    ) async throws {
        let configuration = configuration ?? consumer(group: uniqueName("group"))
        let consumer = try KafkaConsumer(configuration, delegate: recorder)
        consumer.assign(offsets)
        do {
            try await body(consumer, recorder)
        } catch {
            await consumer.close(deadline: .seconds(5))
            throw error
        }
        await consumer.close(deadline: .seconds(5))
    }
}
