import NewsflashBasics
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import NewsflashTopicPartitions
import Testing

/// Two members of a group that read through async sequences.
/// The mock takes three seconds to form a group and more to change it.
@Suite("subscriptions that share a group", .timeLimit(.minutes(4)))
struct SubscriptionGroupTests {
    private static let partitions = 4

    /// A message that a member has processed.
    private struct Done: Sendable, Equatable {
        var member: Int
        var place: TopicPartition
        var offset: Int64
    }

    /// Reads and processes messages until the subscription is closed.
    private func work(_ member: Int, _ subscription: KafkaSubscription, _ log: EventLog<Done>) -> Task<Void, any Error>
    {
        Task {
            for try await message in subscription {
                log.append(Done(member: member, place: message.topicPartition, offset: message.offset))
                subscription.commit(message)
            }
        }
    }

    private func write(_ count: Int, to topic: String, _ cluster: KafkaTestCluster) async throws {
        try await cluster.write(
            (0..<count).map { KafkaRecord(topic: topic, partition: Int32($0 % Self.partitions), value: [1]) }
        )
    }

    @Test(arguments: [KafkaConsumerConfiguration.AssignmentStrategy.range, .cooperativeSticky])
    func `a member leaves: nothing is lost, and only processed messages were committed`(
        strategy: KafkaConsumerConfiguration.AssignmentStrategy
    ) async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(partitions: Self.partitions)
        let places = (0..<Self.partitions).map { TopicPartition(topic: topic, partition: Int32($0)) }
        var configuration = cluster.consumer(group: cluster.uniqueName("group"))
        configuration.assignmentStrategy = strategy
        let log = EventLog<Done>()
        let staying = try KafkaSubscription(configuration, topics: [topic])
        let going = try KafkaSubscription(configuration, topics: [topic])
        let stays = work(1, staying, log)
        let goes = work(2, going, log)
        // Both have messages, so both are members.
        var written = 0
        while !Set(log.events.map(\.member)).isSuperset(of: [1, 2]) {
            try await write(40, to: topic, cluster)
            written += 40
            try await log.wait { [written] in Set($0.map { "\($0.place) \($0.offset)" }).count == written ? () : nil }
        }
        // Leaves while it is working.
        try await write(400, to: topic, cluster)
        written += 400
        #expect(await going.close(deadline: .seconds(15)))
        try await goes.value
        let doneThen = log.events
        let committedThen = try await staying.consumer.committedOffsets(of: places)
        for (place, next) in committedThen {
            let done = Set(doneThen.filter { $0.place == place }.map(\.offset))
            // The remaining member has only added to this set since then.
            let doneSince = Set(log.events.filter { $0.place == place }.map(\.offset))
            #expect(done.union(doneSince).isSuperset(of: 0..<next), "\(place)")
        }
        try await log.wait { [written] in Set($0.map { "\($0.place) \($0.offset)" }).count == written ? () : nil }
        // The group may still be changing. A message is processed and committed again if its partition was revoked
        // before the group confirmed it.
        try await waitUntil {
            do throws(KafkaError) {
                try await staying.flushCommits()
            } catch {
                try #require(error.code == .notAssigned)
            }
            return try await staying.consumer.committedOffsets(of: places).values.reduce(0, +) == Int64(written)
        }
        #expect(await staying.close(deadline: .seconds(15)))
        try await stays.value
        try await cluster.withConsumer(assigned: [:], configuration) { consumer, _ in
            let committed = try await consumer.committedOffsets(of: places)
            #expect(committed.values.reduce(0, +) == Int64(written))
        }
    }

    @Test func `the other member processes a message that its reader had not finished when it left`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(partitions: Self.partitions)
        let configuration = cluster.consumer(group: cluster.uniqueName("group"))
        let first = try KafkaSubscription(configuration, topics: [topic])
        try await write(Self.partitions * 3, to: topic, cluster)
        // Processes one of three messages, and leaves while it works on another.
        var done: [TopicPartition: Int64] = [:]
        var inHand: KafkaMessage?
        for try await message in first {
            if done[message.topicPartition] == nil {
                done[message.topicPartition] = message.offset
                first.commit(message)
            } else if done.count == Self.partitions {
                inHand = message
                break
            }
        }
        #expect(await first.close(deadline: .seconds(15)))
        let left = try #require(inHand)
        #expect(!first.commit(left))
        let second = try KafkaSubscription(configuration, topics: [topic])
        let log = EventLog<Done>()
        let reads = work(2, second, log)
        try await log.wait { $0.count == Self.partitions * 2 ? () : nil }
        #expect(log.events.contains(Done(member: 2, place: left.topicPartition, offset: left.offset)))
        #expect(Set(log.events.map(\.offset)) == [1, 2])
        #expect(await second.close(deadline: .seconds(15)))
        try await reads.value
    }
}
