import HubEmulator
import Kafka
import KafkaTestCluster
import Locks
import Timestamps

/// All that stands around the workers of one test: the topics, a hub, a desk that writes, and a reader of the outcomes.
final class Newsroom: Sendable {
    let client: KafkaConfiguration
    let admin: KafkaAdmin
    let hub: HubEmulator
    let ledger: OutcomeLedger
    /// The consumer group of the workers.
    let group: String
    let source: String
    let outcomes: String
    let deadLetters: String
    let sourcePartitions: [KafkaTopicPartition]
    private let reader: KafkaConsumer
    private let places = Locked<[String: RecordPlace]>([:])

    /// Makes the topics, and starts a hub and the reader.
    ///
    /// - Parameters:
    ///   - client: Where the cluster is.
    ///   - name: What the names of topics and group begin with.
    ///   - partitions: Of the source; the other topics have as many.
    ///   - latency: How late the hub answers.
    /// - Throws: `KafkaError` when the cluster refuses, and what the hub says where it cannot listen.
    init(_ client: KafkaConfiguration, name: String, partitions: Int, latency: Duration) async throws {
        self.client = client
        admin = try KafkaAdmin(client)
        group = "\(name)-workers"
        source = "\(name).news"
        outcomes = "\(name).outcomes"
        deadLetters = "\(name).dead-letters"
        let topics = [source, outcomes, deadLetters]
        let refused = try await admin.createTopics(topics.map { KafkaNewTopic(name: $0, partitions: partitions) })
        if let error = refused.values.first { throw error }
        let numbers = (0..<Int32(partitions))
        sourcePartitions = numbers.map { [source] in KafkaTopicPartition(topic: source, partition: $0) }
        var settings = HubEmulatorConfiguration()
        settings.faults = [Fault(latency: latency)]
        hub = HubEmulator(settings)
        try hub.start()
        ledger = OutcomeLedger(outcomesTopic: outcomes)
        reader = try KafkaConsumer(
            KafkaConsumerConfiguration(client: client, groupID: "\(name)-reader", offsetReset: .earliest),
            delegate: ledger
        )
        let read = [outcomes, deadLetters].flatMap { topic in
            numbers.map { (KafkaTopicPartition(topic: topic, partition: $0), KafkaOffset.beginning) }
        }
        reader.assign(Dictionary(uniqueKeysWithValues: read))
    }

    /// Ends the reader and the hub.
    func close() async {
        await reader.close(deadline: .seconds(5))
        await hub.stop()
    }

    /// Writes all records of a plan, each batch when the one before is confirmed.
    ///
    /// - Parameters:
    ///   - plan: What to write.
    ///   - batch: How many at once.
    ///   - backlog: How far to be ahead of the outcomes at most; without bound by default.
    /// - Throws: The first record's failure.
    func produce(_ plan: NewsPlan, batch: Int = 500, backlog: Int = .max) async throws {
        let recorder = ProducerRecorder()
        let producer = try KafkaProducer(KafkaProducerConfiguration(client: client), delegate: recorder)
        do {
            for start in stride(from: 0, to: plan.records.count, by: batch) {
                let end = min(start + batch, plan.records.count)
                if end > backlog { try await ledger.finalOutcomes(end - backlog) }
                let now = Timestamp.now()
                producer.produce(
                    (start..<end).map { number in
                        let record = plan.records[number]
                        let key = Array(record.story.utf8)
                        return KafkaRecord(
                            topic: source,
                            key: key,
                            value: record.value(published: now),
                            id: UInt64(number)
                        )
                    }
                )
                let reports = try await recorder.reports.wait { $0.count >= end ? $0[start..<end] : nil }
                try note(reports, of: plan)
            }
        } catch {
            await producer.close(deadline: .seconds(1))
            throw error
        }
        await producer.close()
    }

    private func note(_ reports: ArraySlice<KafkaDeliveryReport>, of plan: NewsPlan) throws {
        for report in reports {
            let place = try report.result.get()
            let partition = KafkaTopicPartition(topic: source, partition: place.partition)
            places.withLock {
                $0[plan.records[Int(report.id)].id] = RecordPlace(partition: partition, offset: place.offset)
            }
        }
    }

    /// Where each event that was written lies.
    var placesByEvent: [String: RecordPlace] { places.withLock { $0 } }

    /// All that the hub accepted, in its order.
    func acceptances() throws -> [Acceptance] {
        try hub.sends.map(Acceptance.init)
    }
}
