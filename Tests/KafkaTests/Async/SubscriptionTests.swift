import NewsflashKafkaMock
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import NewsflashTopicPartitions
import Testing

@testable import NewsflashKafka

@Suite("reading as a sequence", .timeLimit(.minutes(4)))
struct SubscriptionTests {
    private func filledTopic(_ cluster: KafkaTestCluster, _ count: Int, bytes: Int = 2) async throws
        -> TopicPartition
    {
        let topic = try await cluster.makeTopic()
        try await cluster.write(
            (0..<count).map { number in
                let value = [UInt8(number / 256), UInt8(number % 256)] + [UInt8](repeating: 7, count: bytes - 2)
                return KafkaRecord(topic: topic, partition: 0, value: value)
            }
        )
        return TopicPartition(topic: topic, partition: 0)
    }

    @Test func `a subscription returns each message in order, and commits what the caller asks for`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let place = try await filledTopic(cluster, 1500)
        let configuration = cluster.consumer(group: cluster.uniqueName("group"))
        let subscription = try KafkaSubscription(configuration, from: [place: .beginning])
        var offsets: [Int64] = []
        for try await message in subscription {
            offsets.append(message.offset)
            #expect(subscription.commit(message))
            if offsets.count == 1200 { break }
        }
        #expect(offsets == Array(0..<1200))
        try await subscription.flushCommits()
        let confirmed = try await subscription.consumer.committedOffsets(of: [place])
        #expect(confirmed == [place: 1200])
        // An offset that was not handed out is refused, and an earlier one is ignored.
        #expect(subscription.commit([place: 1300]) == [place])
        #expect(subscription.commit([place: 3]).isEmpty)
        try await subscription.flushCommits()
        #expect(await subscription.close(deadline: .seconds(10)))
        try await cluster.withConsumer(assigned: [:], configuration) { consumer, _ in
            let confirmed = try await consumer.committedOffsets(of: [place])
            #expect(confirmed == [place: 1200])
        }
    }

    @Test func `a subscription reads ahead up to the limit until messages are released`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let place = try await filledTopic(cluster, 300, bytes: 1000)
        var configuration = cluster.consumer(group: cluster.uniqueName("group"))
        configuration.readAhead = KafkaReadAhead(byteLimit: 20_000)
        let subscription = try KafkaSubscription(configuration, from: [place: .beginning])
        var iterator = subscription.makeAsyncIterator()
        #expect(try await iterator.next(isolation: nil)?.offset == 0)
        try await waitUntil { subscription.consumer.isReadAheadUsedUp }
        #expect(subscription.consumer.readAheadInUse <= 20_000)
        var count = 1
        while count < 300, let message = try await iterator.next(isolation: nil) {
            #expect(message.offset == Int64(count))
            #expect(subscription.consumer.readAheadInUse <= 20_000)
            count += 1
        }
        #expect(await subscription.close(deadline: .seconds(10)))
        #expect(try await iterator.next(isolation: nil) == nil)
    }

    @Test func `reading ends with its task, and another task continues after the last message`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let place = try await filledTopic(cluster, 3)
        let subscription = try KafkaSubscription(
            cluster.consumer(group: cluster.uniqueName("group")),
            from: [place: .beginning]
        )
        let read = EventLog<Int64>()
        let first = Task { for try await message in subscription { read.append(message.offset) } }
        try await read.wait { $0.count == 3 ? () : nil }
        first.cancel()
        try await first.value
        let second = Task { for try await message in subscription { read.append(message.offset) } }
        try await cluster.write([KafkaRecord(topic: place.topic, partition: 0, value: [3])])
        try await read.wait { $0.count == 4 ? () : nil }
        #expect(await subscription.close(deadline: .seconds(10)))
        try await second.value
        #expect(read.events == [0, 1, 2, 3])
    }

    @Test func `closing waits for the message being processed, and commits processed messages`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let place = try await filledTopic(cluster, 10)
        let configuration = cluster.consumer(group: cluster.uniqueName("group"))
        let subscription = try KafkaSubscription(configuration, from: [place: .beginning])
        var iterator = subscription.makeAsyncIterator()
        let inHand = try #require(try await iterator.next(isolation: nil))
        let closing = Task { await subscription.close(deadline: .seconds(10)) }
        var other = subscription.makeAsyncIterator()
        while try await other.next(isolation: nil) != nil {}
        try await waitUntil { subscription.feed.isWaitingForReaders }
        // This succeeds only if closing waited, because the partition would be revoked otherwise.
        #expect(subscription.commit(inHand))
        #expect(await closing.value)
        #expect(!subscription.commit(inHand))
        try await cluster.withConsumer(assigned: [:], configuration) { consumer, _ in
            let confirmed = try await consumer.committedOffsets(of: [place])
            #expect(confirmed == [place: 1])
        }
    }

    @Test func `a subscription without a start offset throws, and then ends`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let place = try await filledTopic(cluster, 1)
        var configuration = cluster.consumer(group: cluster.uniqueName("group"))
        configuration.offsetReset = .error
        let subscription = try KafkaSubscription(configuration, from: [place: .committed])
        var iterator = subscription.makeAsyncIterator()
        let error = await #expect(throws: KafkaError.self) { try await iterator.next(isolation: nil) }
        #expect(error?.code == .noOffset)
        #expect(error?.isRetriable == false)
        #expect(try await iterator.next(isolation: nil) == nil)
        #expect(await subscription.close(deadline: .seconds(10)))
    }

    @Test
    func `a commit that the group cannot accept is made again`() async throws {
        let mock = try MockCluster()
        let cluster = KafkaTestCluster(of: mock)
        let place = try await filledTopic(cluster, 5)
        let troubles = EventLog<KafkaError>()
        let subscription = try KafkaSubscription(
            cluster.consumer(group: "group"),
            from: [place: .beginning],
            onTrouble: { troubles.append($0) }
        )
        var iterator = subscription.makeAsyncIterator()
        let message = try #require(try await iterator.next(isolation: nil))
        // librdkafka itself makes three attempts, and then reports that the commit failed.
        mock.pushErrors(Array(repeating: .coordinatorLoadInProgress, count: 4), to: .offsetCommit)
        #expect(subscription.commit(message))
        try await subscription.flushCommits()
        #expect(try await subscription.consumer.committedOffsets(of: [place]) == [place: 1])
        #expect(Set(troubles.events.map(\.code.rawValue)) == ["COORDINATOR_LOAD_IN_PROGRESS"])
        #expect(await subscription.close(deadline: .seconds(10)))
    }

    @Test func `waiting for commits throws if its task is cancelled`() async throws {
        let cluster = KafkaTestCluster(of: try MockCluster())
        let place = try await filledTopic(cluster, 2)
        let subscription = try KafkaSubscription(cluster.consumer(group: "group"), from: [place: .beginning])
        var iterator = subscription.makeAsyncIterator()
        try await subscription.flushCommits()
        // The group's answers are slower than the test.
        try cluster.mock?.setRoundTripTime(.seconds(3), ofBroker: 1)
        let message = try #require(try await iterator.next(isolation: nil))
        #expect(subscription.commit(message))
        let waiting = Task { () -> KafkaError? in
            do throws(KafkaError) {
                try await subscription.flushCommits()
                return nil
            } catch {
                return error
            }
        }
        waiting.cancel()
        #expect(await waiting.value?.code == .cancelled)
        try cluster.mock?.setRoundTripTime(.zero, ofBroker: 1)
        await subscription.close(deadline: .seconds(10))
    }
}
