import CRDKafka
import KafkaMock
import KafkaTestCluster
import Testing

@testable import Kafka

@Suite(.timeLimit(.minutes(4)))
struct ClosingTests {
    @Test
    func `closing under load returns`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(partitions: 4)
        let writer = ProducerRecorder()
        let producer = try KafkaProducer(KafkaProducerConfiguration(client: cluster.client()), delegate: writer)
        let value = [UInt8](repeating: 7, count: 100)
        producer.produce((0..<5000).map { KafkaRecord(topic: topic, value: value, id: $0) })
        let offsets = Dictionary(
            (0..<4).map { (KafkaTopicPartition(topic: topic, partition: $0), KafkaOffset.beginning) }
        ) {
            $1
        }
        let recorder = ConsumerRecorder()
        let consumer = try KafkaConsumer(
            cluster.consumer(group: cluster.uniqueName("group")),
            delegate: recorder
        )
        consumer.assign(offsets)
        _ = try await recorder.messages(atLeast: 1)
        #expect(await consumer.close(deadline: .seconds(10)))
        await producer.close(deadline: .seconds(10))
        #expect(Set(writer.reports.events.map(\.id)) == Set(0..<5000))
    }

    @Test
    func `a coordinator that never answers cannot hold close for ever`() async throws {
        let mock = try MockCluster()
        let lines = EventLog<KafkaLogLine>()
        let client = KafkaConfiguration(
            bootstrapServers: mock.bootstrapServers,
            clientID: "tests",
            properties: ["fetch.wait.max.ms": "5"],
            log: { lines.append($0) }
        )
        try mock.createTopic("news", partitions: 1)
        let recorder = ConsumerRecorder()
        let consumer = try KafkaConsumer(
            KafkaConsumerConfiguration(
                client: client,
                groupID: "g",
                offsetReset: .earliest,
                sessionTimeout: .milliseconds(3500)
            ),
            delegate: recorder
        )
        try consumer.subscribe(["news"])
        _ = try await recorder.log.wait { events in
            events.contains { if case .assigned = $0 { true } else { false } } ? () : nil
        }
        try mock.setRoundTripTime(.seconds(600), ofBroker: 1)
        #expect(await consumer.close(deadline: .milliseconds(500)) == false)
        #expect(lines.events.contains { $0.facility == "CLOSE" && $0.level == .critical })
    }

    @Test
    func `after a fatal error the partitions are lost, and closing still works`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        let partition = KafkaTopicPartition(topic: topic, partition: 0)
        try await cluster.withConsumer(assigned: [partition: .beginning]) { consumer, recorder in
            _ = try await recorder.log.wait { $0.isEmpty ? nil : () }
            rd_kafka_test_fatal_error(
                try consumer.openClient().pointer,
                RD_KAFKA_RESP_ERR_FENCED_INSTANCE_ID,
                "for a test"
            )
            let error = try await recorder.log.wait { events in
                events.lazy.compactMap { event -> KafkaError? in
                    if case .failed(let error) = event, error.isFatal { error } else { nil }
                }.first
            }
            #expect(error.code.rawValue == "FENCED_INSTANCE_ID")
            #expect(recorder.log.events.contains { if case .lost([partition]) = $0 { true } else { false } })
            #expect(consumer.commit([partition: 1]) == [partition])
            #expect(await consumer.close(deadline: .seconds(5)))
        }
    }
}
