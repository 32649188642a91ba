import NewsflashKafka
import NewsflashKafkaMock
import NewsflashKafkaTestCluster
import NewsflashTopicPartitions
import Testing

/// Coordinators that do not return the group's committed offsets, which librdkafka requests only once.
@Suite(.timeLimit(.minutes(4)))
struct StartOffsetTests {
    private let news = (0..<2).map { TopicPartition(topic: "news", partition: $0) }

    private func cluster() async throws -> (MockCluster, KafkaTestCluster) {
        let mock = try MockCluster(brokers: 2)
        try mock.createTopic("news", partitions: 2)
        for partition in news { try mock.setLeader(1, of: partition) }
        try mock.setCoordinator(2, ofGroup: "g")
        let cluster = KafkaTestCluster(of: mock)
        try await cluster.write(
            (0..<6).map { KafkaRecord(topic: "news", partition: Int32($0 % 2), value: [UInt8($0)]) }
        )
        return (mock, cluster)
    }

    /// A coordinator that does not answer requests for committed offsets, and the configuration of its members.
    private func movingCoordinator(
        _ strategy: KafkaConsumerConfiguration.AssignmentStrategy
    ) async throws -> (MockCluster, KafkaConsumerConfiguration) {
        let (mock, cluster) = try await cluster()
        mock.pushErrors([MockError](repeating: .notCoordinator, count: 2000), to: .offsetFetch)
        var configuration = cluster.consumer(group: "g")
        configuration.assignmentStrategy = strategy
        return (mock, configuration)
    }

    private func report(_ recorder: ConsumerRecorder) async throws -> KafkaError {
        try await recorder.log.wait { events in
            events.lazy.compactMap { event -> KafkaError? in
                if case .failed(let error) = event, error.message.contains("left off") { error } else { nil }
            }.first
        }
    }

    private func values(_ messages: [KafkaMessage]) -> [UInt8] {
        messages.compactMap { $0.value?.first }.sorted()
    }

    @Test(arguments: [KafkaConsumerConfiguration.AssignmentStrategy.range, .cooperativeSticky])
    func `partitions are read as soon as a moving coordinator answers, however long it took`(
        strategy: KafkaConsumerConfiguration.AssignmentStrategy
    ) async throws {
        let (mock, configuration) = try await movingCoordinator(strategy)
        defer { withExtendedLifetime(mock) {} }
        let recorder = ConsumerRecorder()
        let consumer = try KafkaConsumer(configuration, delegate: recorder)
        try consumer.subscribe(["news"])
        let error = try await report(recorder)
        #expect(error.code.rawValue == "NOT_COORDINATOR")
        #expect(error.message.contains("news[0], news[1] will not be read until the coordinator of the group answers"))
        #expect(consumer.assignment == news)
        #expect(recorder.messages.isEmpty)
        mock.clearErrors(of: .offsetFetch)
        let messages = try await recorder.messages(atLeast: 6)
        #expect(values(messages) == Array(0..<6))
        #expect(await consumer.close(deadline: .seconds(10)))
    }

    @Test(arguments: [KafkaConsumerConfiguration.AssignmentStrategy.range, .cooperativeSticky])
    func `partitions can be revoked without an error before the coordinator answers`(
        strategy: KafkaConsumerConfiguration.AssignmentStrategy
    ) async throws {
        let (mock, configuration) = try await movingCoordinator(strategy)
        defer { withExtendedLifetime(mock) {} }
        let recorder = ConsumerRecorder()
        let consumer = try KafkaConsumer(configuration, delegate: recorder)
        try consumer.subscribe(["news"])
        _ = try await report(recorder)
        #expect(await consumer.close(deadline: .seconds(10)))
        let events = recorder.log.events
        #expect(events.contains { if case .revoked(let all) = $0 { all.sorted() == news } else { false } })
        let faults = events.compactMap { if case .failed(let error) = $0 { error.message } else { nil } }
        #expect(!faults.contains { $0.contains("giving up") })
        #expect(recorder.messages.isEmpty)
    }

    @Test(arguments: [KafkaConsumerConfiguration.AssignmentStrategy.range, .cooperativeSticky])
    func `a partition that moves before the coordinator answers is read by its next owner alone`(
        strategy: KafkaConsumerConfiguration.AssignmentStrategy
    ) async throws {
        let (mock, configuration) = try await movingCoordinator(strategy)
        defer { withExtendedLifetime(mock) {} }
        let recorders = [ConsumerRecorder(), ConsumerRecorder()]
        let first = try KafkaConsumer(configuration, delegate: recorders[0])
        try first.subscribe(["news"])
        _ = try await report(recorders[0])
        let second = try KafkaConsumer(configuration, delegate: recorders[1])
        try second.subscribe(["news"])
        _ = try await recorders[1].log.wait { events in
            events.contains { if case .assigned(let all) = $0 { all.count == 1 } else { false } } ? () : nil
        }
        mock.clearErrors(of: .offsetFetch)
        for recorder in recorders {
            let messages = try await recorder.messages(atLeast: 3)
            #expect(Set(messages.map(\.topicPartition)).count == 1)
            #expect(messages.count == 3)
        }
        for consumer in [first, second] { #expect(await consumer.close(deadline: .seconds(15))) }
        // The earlier owner does not read it later either.
        #expect(recorders.map(\.messages.count) == [3, 3])
        let faults = recorders[0].log.events.compactMap {
            if case .failed(let error) = $0 { error.message } else { nil }
        }
        #expect(!faults.contains { $0.contains("giving up") })
    }

    @Test
    func `an unresponsive coordinator stops no other partition, and none is read twice when it answers`() async throws {
        let (mock, cluster) = try await cluster()
        try mock.setRoundTripTime(.seconds(600), ofBroker: 2)
        let configuration = cluster.consumer(group: "g", ["socket.timeout.ms": "1000"])
        try await cluster.withConsumer(
            assigned: [news[0]: .beginning, news[1]: .committed],
            configuration
        ) { consumer, recorder in
            let early = try await recorder.messages(atLeast: 3)
            #expect(Set(early.map(\.topicPartition)) == [news[0]])
            let error = try await report(recorder)
            #expect(error.partition == news[1])
            try mock.setRoundTripTime(.zero, ofBroker: 2)
            let messages = try await recorder.messages(atLeast: 6)
            #expect(values(messages) == Array(0..<6))
            try await cluster.write(news.map { KafkaRecord(topic: "news", partition: $0.partition, value: [9]) })
            #expect(values(try await recorder.messages(atLeast: 8)) == Array(0..<6) + [9, 9])
        }
    }
}
