import NewsflashKafka
import NewsflashKafkaMock
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

@Suite(.timeLimit(.minutes(4)))
struct AdminTests {
    @Test
    func `topics are listed with their partitions and leaders`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let name = try await cluster.makeTopic(partitions: 3)
        let admin = try KafkaAdmin(cluster.client())
        let topic = try #require(try await admin.topics().first { $0.name == name })
        #expect(topic.partitions.map(\.number) == [0, 1, 2])
        #expect(topic.partitions.allSatisfy { $0.leader == 1 && $0.replicas == [1] && $0.inSyncReplicas == [1] })
        #expect(try await admin.topic(name) == topic)
    }

    @Test
    func `the ends of partitions and the offsets of groups are read without joining a group`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(partitions: 2)
        let partitions = (0..<2).map { TopicPartition(topic: topic, partition: $0) }
        try await cluster.write((0..<3).map { KafkaRecord(topic: topic, partition: 0, value: [$0]) })
        let group = cluster.uniqueName("group")
        let admin = try KafkaAdmin(cluster.client())
        #expect(try await admin.watermarks(of: partitions[0]) == KafkaWatermarks(low: 0, high: 3))
        try await admin.alterOffsets(ofGroup: group, to: [partitions[0]: 2])
        #expect(try await admin.committedOffsets(ofGroup: group, partitions: partitions) == [partitions[0]: 2])
    }

    @Test
    func `a group whose coordinator moves is asked again for its offsets`() async throws {
        let mock = try MockCluster()
        try mock.createTopic("news", partitions: 1)
        let admin = try KafkaAdmin(KafkaTestCluster(of: mock).client())
        mock.pushErrors(.init(repeating: .notCoordinator, count: 5) + [.coordinatorLoadInProgress], to: .offsetFetch)
        let partition = TopicPartition(topic: "news", partition: 0)
        #expect(try await admin.committedOffsets(ofGroup: "g", partitions: [partition]) == [:])
    }

    @Test
    func `an unreachable cluster is reported as an error within the timeout`() async throws {
        let admin = try KafkaAdmin(KafkaConfiguration(bootstrapServers: "127.0.0.1:1", clientID: "tests"))
        let error = await #expect(throws: KafkaError.self) { try await admin.topics(timeout: .seconds(1)) }
        #expect(error?.isRetriable == true)
        let failure = try #require(error?.connectionFailure)
        #expect(failure.contains("Connection refused"))
        #expect(error?.message.hasSuffix("; the connection says: \(failure)") == true)
    }

    @Test(.needsRealKafka)
    func `topics are created with their settings, grow, and are refused one by one`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let admin = try KafkaAdmin(cluster.client())
        let name = cluster.uniqueName("made")
        let topic = KafkaNewTopic(
            name: name,
            partitions: 2,
            replicationFactor: 1,
            configuration: ["cleanup.policy": "compact"]
        )
        #expect(try await admin.createTopics([topic]).isEmpty)
        try await cluster.awaitTopic(name, partitions: 2)
        #expect(try await admin.configuration(ofTopic: name)["cleanup.policy"] == "compact")
        try await admin.growTopic(name, to: 3)
        let other = KafkaNewTopic(name: name + "-2", partitions: 1, replicationFactor: 1)
        let errors = try await admin.createTopics([topic, other])
        #expect(errors.keys.sorted() == [name])
        #expect(errors[name]?.code == .topicExists)
        await #expect(throws: KafkaError.self) { try await admin.growTopic(name, to: 1) }
        #expect(try await admin.topic(cluster.uniqueName("never")) == nil)
    }

    @Test(.needsRealKafka)
    func `topics are deleted, and a missing topic is named`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let admin = try KafkaAdmin(cluster.client())
        let topic = try await cluster.makeTopic()
        let missing = cluster.uniqueName("never")
        let refused = try await admin.deleteTopics([topic, missing])
        #expect(refused.mapValues(\.code) == [missing: .unknownTopicOrPartition])
        #expect(try await admin.deleteTopics([topic])[topic]?.code == .unknownTopicOrPartition)
    }

    @Test func `offsets are found by time, also if the cluster has no later record`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        let partition = TopicPartition(topic: topic, partition: 0)
        let start = Timestamp(seconds: 1_700_000_000)
        try await cluster.write(
            (0..<5).map { KafkaRecord(topic: topic, value: [0], timestamp: start + .seconds($0 * 10)) }
        )
        let admin = try KafkaAdmin(cluster.client())
        #expect(try await admin.offsets(of: [partition], at: start + .seconds(15)) == [partition: 2])
        #expect(try await admin.offsets(of: [partition], at: start - .seconds(500)) == [partition: 0])
        #expect(try await admin.offsets(of: [partition], at: start + .seconds(500)) == [partition: 5])
    }

    @Test func `the ends and the offsets by time of many partitions are requested at once`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(partitions: 3)
        let partitions = (0..<3).map { TopicPartition(topic: topic, partition: $0) }
        let start = Timestamp(seconds: 1_700_000_000)
        // The second partition is empty; the third has no record as late as that.
        try await cluster.write(
            [(0, 0), (0, 10), (2, 0), (2, 1), (2, 2)].map { partition, second in
                KafkaRecord(topic: topic, partition: partition, value: [0], timestamp: start + .seconds(second))
            }
        )
        let admin = try KafkaAdmin(cluster.client())
        let watermarks = try await admin.watermarks(of: partitions)
        #expect(
            watermarks == [
                partitions[0]: KafkaWatermarks(low: 0, high: 2), partitions[1]: KafkaWatermarks(low: 0, high: 0),
                partitions[2]: KafkaWatermarks(low: 0, high: 3),
            ]
        )
        let offsets = try await admin.offsets(of: partitions, at: start + .seconds(5))
        #expect(offsets == [partitions[0]: 1, partitions[1]: 0, partitions[2]: 3])
    }
}
