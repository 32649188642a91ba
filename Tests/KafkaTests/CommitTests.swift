import NewsflashKafka
import NewsflashKafkaMock
import NewsflashKafkaTestCluster
import NewsflashTopicPartitions
import Testing

@Suite(.timeLimit(.minutes(4)))
struct CommitTests {
    @Test
    func `a second consumer of the group continues at the offset that the first committed`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        let partition = TopicPartition(topic: topic, partition: 0)
        let configuration = cluster.consumer(group: cluster.uniqueName("group"))
        try await cluster.write((0..<5).map { KafkaRecord(topic: topic, value: [$0]) })
        try await cluster.withConsumer(assigned: [partition: .beginning], configuration) { consumer, recorder in
            _ = try await recorder.messages(atLeast: 5)
            #expect(consumer.commit([partition: 3]).isEmpty)
            try await recorder.commit(of: [partition: 3])
            #expect(try await consumer.committedOffsets(of: [partition]) == [partition: 3])
        }
        try await cluster.withConsumer(assigned: [partition: .committed], configuration) { _, recorder in
            let messages = try await recorder.messages(atLeast: 2)
            #expect(messages.map(\.offset) == [3, 4])
        }
    }

    @Test
    func `a coordinator that moves while offsets are requested does not stop a partition`() async throws {
        let mock = try MockCluster()
        try mock.createTopic("news", partitions: 1)
        let cluster = KafkaTestCluster(of: mock)
        let partition = TopicPartition(topic: "news", partition: 0)
        try await cluster.write([KafkaRecord(topic: "news", value: [1])])
        mock.pushErrors([.notCoordinator, .coordinatorLoadInProgress, .notCoordinator], to: .offsetFetch)
        try await cluster.withConsumer(assigned: [partition: .committed], cluster.consumer(group: "g")) { _, recorder in
            let messages = try await recorder.messages(atLeast: 1)
            #expect(messages.map(\.offset) == [0])
        }
    }

    @Test
    func `an unavailable coordinator is asked again on revocation until it commits`() async throws {
        // librdkafka itself tries a commit a few times and then gives up.
        let away = [MockError](repeating: .coordinatorLoadInProgress, count: 8)
        #expect(try await answersToFarewell(meeting: away) == [nil])
    }

    @Test
    func `a commit on revocation that meets a new generation fails for good`() async throws {
        // Nobody waits for another attempt of the consumer then.
        #expect(try await answersToFarewell(meeting: [.rebalanceInProgress]) == [.notAssigned])
    }

    /// Gives a partition up while the coordinator fails.
    ///
    /// - Parameter errors: The coordinator's first answers to the commit that goes with it.
    /// - Returns: The errors of that commit, as the delegate gets them; `nil` if it succeeded.
    /// - Throws: `KafkaError` if the cluster cannot be used.
    private func answersToFarewell(meeting errors: [MockError]) async throws -> [KafkaError.Code?] {
        let mock = try MockCluster()
        try mock.createTopic("news", partitions: 1)
        let cluster = KafkaTestCluster(of: mock)
        let partition = TopicPartition(topic: "news", partition: 0)
        let recorder = ConsumerRecorder(answer: { _ in
            mock.pushErrors(errors, to: .offsetCommit)
            return [partition: 7]
        })
        try await cluster.withConsumer(
            assigned: [partition: .beginning],
            cluster.consumer(group: "g"),
            recorder: recorder
        ) { _, _ in
            _ = try await recorder.log.wait { $0.isEmpty ? nil : () }
        }
        return recorder.log.events.compactMap { event -> KafkaError.Code?? in
            if case .committed([partition: 7], let error) = event { .some(error?.code) } else { nil }
        }
    }

    @Test
    func `nothing is committed for a partition that the consumer does not own`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(partitions: 2)
        let ours = TopicPartition(topic: topic, partition: 0)
        let theirs = TopicPartition(topic: topic, partition: 1)
        try await cluster.withConsumer(assigned: [ours: .beginning]) { consumer, recorder in
            _ = try await recorder.log.wait { $0.isEmpty ? nil : () }
            #expect(consumer.commit([ours: 1, theirs: 1]) == [theirs])
            try await recorder.commit(of: [ours: 1])
            #expect(try await consumer.committedOffsets(of: [ours, theirs]) == [ours: 1])
        }
    }

    @Test(arguments: [false, true])
    func `a commit that still waits when its partition is revoked is sent with the answer`(byClosing: Bool)
        async throws
    {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        let partition = TopicPartition(topic: topic, partition: 0)
        var configuration = cluster.consumer(group: cluster.uniqueName("group"))
        // Commits wait until the group has settled, and this group never forms.
        configuration.assignmentStrategy = .cooperativeSticky
        try await cluster.withConsumer(assigned: [partition: .beginning], configuration) { consumer, recorder in
            _ = try await recorder.log.wait { $0.isEmpty ? nil : () }
            #expect(consumer.commit([partition: 1]).isEmpty)
            if byClosing { await consumer.close() } else { consumer.assign([:]) }
            let (offsets, error) = try await recorder.log.wait { events in
                events.lazy.compactMap { event in
                    if case .committed(let offsets, let error) = event { (offsets, error) } else { nil }
                }.first
            }
            #expect(offsets == [partition: 1])
            #expect(error == nil)
        }
    }

    @Test
    func `the delegate is asked for commits also when a caller removes partitions`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(partitions: 2)
        let first = TopicPartition(topic: topic, partition: 0)
        let second = TopicPartition(topic: topic, partition: 1)
        let recorder = ConsumerRecorder(answer: { _ in [first: 7] })
        try await cluster.withConsumer(assigned: [first: .beginning], recorder: recorder) { consumer, recorder in
            _ = try await recorder.log.wait { $0.isEmpty ? nil : () }
            consumer.assign([second: .beginning])
            try await recorder.commit(of: [first: 7])
            _ = try await recorder.log.wait { events in
                events.contains { if case .assigned([second]) = $0 { true } else { false } } ? () : nil
            }
            #expect(consumer.commit([first: 8]) == [first])
            #expect(consumer.assignment == [second])
        }
    }

    @Test
    func `a closed consumer refuses commits and reports it`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        let partition = TopicPartition(topic: topic, partition: 0)
        let consumer = try KafkaConsumer(
            cluster.consumer(group: cluster.uniqueName("group")),
            delegate: ConsumerRecorder()
        )
        #expect(await consumer.close())
        #expect(await consumer.close())
        #expect(consumer.commit([partition: 1]) == [partition])
        #expect(throws: KafkaError.self) { try consumer.subscribe([topic]) }
        await #expect(throws: KafkaError.self) { try await consumer.committedOffsets(of: [partition]) }
    }
}
