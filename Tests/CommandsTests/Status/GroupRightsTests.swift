import NewsflashKafka
import NewsflashKafkaMock
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// `newsflash status --group` with a user who lacks rights: what cannot be read is unknown, not well.
@Suite(.timeLimit(.minutes(3)), .needsRealKafka, .needsOpenSSL)
struct GroupRightsTests {
    /// The state of a group whose source has one record, with some operations allowed on one topic.
    private func state(
        allowing operations: [AccessList.Operation],
        on topic: (CheckedNewsroom) -> String
    ) async throws -> (group: GroupSnapshot, topic: String) {
        let cluster = try await SecureCluster.shared()
        let sasl = SecureCluster.PasswordMechanism.plain.sasl(SecureCluster.password)
        let newsroom = try CheckedNewsroom(cluster.client(at: .sasl, .sasl(sasl, tls: cluster.tls)))
        let plan = TopicPlan(offline: newsroom.needed, partitions: 2, replicationFactor: 1)
        try await TopicSetup.create(plan.creations, at: cluster.client())
        try await newsroom.awaitTopics(at: cluster.client())
        let settings = newsroom.configuration
        let topic = topic(newsroom)
        let producer = try KafkaProducer(KafkaProducerConfiguration(client: cluster.client()))
        for topic in [settings.source.topic, settings.topics.outcomes, settings.topics.control] {
            try await producer.send(KafkaRecord(topic: topic, partition: 0, key: [1], value: [1]))
        }
        #expect(await producer.close(deadline: .seconds(5)))
        try await cluster.allowOnly(operations, with: .topic(topic))
        let group = try await GroupSnapshot.query(TopicSettings(settings))
        try await cluster.allowEverything(with: .topic(topic))
        return (group, topic)
    }

    @Test(arguments: [AccessList.Operation.describe, .alterConfigs])
    func `outcomes that may not be read are unknown, with the missing right`(
        operation: AccessList.Operation
    ) async throws {
        let (group, topic) = try await state(allowing: [operation]) { $0.configuration.topics.outcomes }
        #expect(!group.isWell)
        #expect(group.unknown.map(\.topic) == [topic])
        #expect(group.lines(.plain).contains("  outcomes   newest: unknown"))
        let line = try #require(group.lines(.plain).last)
        #expect(line.hasPrefix("  unknown    \(topic): "))
        #expect(line.contains(operation == .describe ? "the right Read on the topic \(topic)" : "may not see it"))
    }

    @Test func `pauses that may not be read are unknown, with the missing right`() async throws {
        let (group, topic) = try await state(allowing: [.describe]) { $0.configuration.topics.control }
        #expect(!group.isWell)
        #expect(group.pauses == nil)
        #expect(group.partitions.map(\.records) == [1, 0])
        #expect(group.lines(.plain).contains("  pauses     unknown"))
        #expect(group.unknown.map(\.topic) == [topic])
        #expect(group.lines(.plain).last?.contains("the right Read on the topic \(topic)") == true)
    }

    @Test func `the lag of a source that may not be read has an unknown age`() async throws {
        let (group, topic) = try await state(allowing: [.describe]) { $0.configuration.source.topic }
        #expect(!group.isWell)
        #expect(group.partitions.map(\.records) == [1, 0])
        #expect(group.lines(.plain).contains("  lag        1 record, the age of the oldest is unknown"))
        #expect(group.unknown.map(\.topic) == [topic])
    }

    @Test func `the number of workers is unknown, not zero, if our user may not see the group`() async throws {
        let cluster = try await SecureCluster.shared()
        let sasl = SecureCluster.PasswordMechanism.plain.sasl(SecureCluster.password)
        let newsroom = try CheckedNewsroom(cluster.client(at: .sasl, .sasl(sasl, tls: cluster.tls)))
        let settings = TopicSettings(newsroom.configuration)
        #expect(try await GroupMembers.count(settings).get() == 0)
        try await cluster.allowOnly([.alterConfigs], with: .group(settings.group))
        let count = await GroupMembers.count(settings)
        try await cluster.allowEverything(with: .group(settings.group))
        let error = try #require(throws: OperationError.self) { try count.get() }
        #expect(error.description.contains("the right Describe on the group \(settings.group)"), "\(error)")
        try await cluster.allowOnly([.describe], with: .group(settings.group))
        let allowed = await GroupMembers.count(settings)
        try await cluster.allowEverything(with: .group(settings.group))
        #expect(try allowed.get() == 0)
    }
}
