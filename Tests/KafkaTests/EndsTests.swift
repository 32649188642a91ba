import NewsflashKafka
import NewsflashKafkaMock
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import NewsflashTopicPartitions
import Testing

/// The ends of partitions with several leaders.
@Suite(.timeLimit(.minutes(4)))
struct EndsTests {
    @Test
    func `a leader that does not answer does not hide the answers of others`() async throws {
        let mock = try MockCluster(brokers: 2)
        let cluster = KafkaTestCluster(of: mock)
        let topic = try await cluster.makeTopic(partitions: 3)
        let places = (0..<3).map { TopicPartition(topic: topic, partition: $0) }
        for place in places { try mock.setLeader(place.partition == 1 ? 2 : 1, of: place) }
        try await cluster.write(places.map { KafkaRecord(topic: topic, partition: $0.partition, value: [1]) })
        try await cluster.withConsumer(assigned: [:]) { consumer, _ in
            #expect(try await consumer.ends(of: places) == [places[0]: 1, places[1]: 1, places[2]: 1])
            try mock.setRoundTripTime(.seconds(60), ofBroker: 2)
            let ends = try await consumer.ends(of: places, timeout: .seconds(2))
            #expect(ends == [places[0]: 1, places[2]: 1])
            await #expect(throws: KafkaError.self) {
                try await consumer.ends(of: [places[1]], timeout: .milliseconds(500))
            }
        }
    }
    @Test
    func `a reader gets the ends from the new leader after the one that it knew has died`() async throws {
        let mock = try MockCluster(brokers: 2)
        let cluster = KafkaTestCluster(of: mock)
        let partition = TopicPartition(topic: try await cluster.makeTopic(), partition: 0)
        try mock.setLeader(2, of: partition)
        try await cluster.withReader { reader, _ in
            func ends() async throws -> KafkaWatermarks {
                try await onThread { Result { try reader.blockingWatermarks(of: partition, timeout: .seconds(5)) } }
                    .get()
            }
            #expect(try await ends() == KafkaWatermarks(low: 0, high: 0))
            try mock.stopBroker(2)
            try mock.setLeader(1, of: partition)
            // The first request may meet the dead broker, before the client has noticed that its connection is closed.
            let later = try await waitFor { try? await ends() }
            #expect(later == KafkaWatermarks(low: 0, high: 0))
        }
    }
}
