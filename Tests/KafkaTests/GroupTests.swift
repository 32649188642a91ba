import NewsflashBasics
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashTopicPartitions
import Testing

/// Members of groups. The mock takes three seconds to form one and more to change it.
@Suite(.timeLimit(.minutes(4)))
struct GroupTests {
    @Test
    func `closing asks the delegate for offsets and commits exactly those`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(partitions: 2)
        let partitions = (0..<2).map { TopicPartition(topic: topic, partition: $0) }
        let stranger = TopicPartition(topic: topic, partition: 9)
        try await cluster.write(
            (0..<10).map { KafkaRecord(topic: topic, partition: Int32($0 % 2), value: [UInt8($0)]) }
        )
        let configuration = cluster.consumer(group: cluster.uniqueName("group"))
        let recorder = ConsumerRecorder(answer: { _ in [partitions[0]: 4, stranger: 1] })
        let consumer = try KafkaConsumer(configuration, delegate: recorder)
        try consumer.subscribe([topic])
        _ = try await recorder.messages(atLeast: 10)
        #expect(consumer.assignment == partitions)
        #expect(await consumer.close(deadline: .seconds(10)))
        let events = recorder.log.events
        #expect(
            events.contains { event in if case .revoked(let all) = event { all.sorted() == partitions } else { false } }
        )
        try await recorder.commit(of: [partitions[0]: 4])
        #expect(consumer.assignment.isEmpty)
        try await cluster.withConsumer(assigned: [:], configuration) { consumer, _ in
            let committed = try await consumer.committedOffsets(of: partitions)
            #expect(committed == [partitions[0]: 4])
        }
    }

    @Test(arguments: [KafkaConsumerConfiguration.AssignmentStrategy.range, .cooperativeSticky])
    func `two members share the partitions, and nothing is lost when one leaves`(
        strategy: KafkaConsumerConfiguration.AssignmentStrategy
    ) async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(partitions: 4)
        var configuration = cluster.consumer(group: cluster.uniqueName("group"))
        configuration.assignmentStrategy = strategy
        let done = DoneOffsets()
        let stays = CommittingMember(done)
        let goes = CommittingMember(done)
        let staying = try KafkaConsumer(configuration, delegate: stays)
        let going = try KafkaConsumer(configuration, delegate: goes)
        try staying.subscribe([topic])
        try going.subscribe([topic])
        try await done.log.wait { events in
            events.contains { $0 == "shared" } ? () : nil
        }
        try await write(0..<100, to: topic, cluster)
        try await done.wait(forValues: 0..<100)
        let timesAlone = done.timesAlone
        #expect(await going.close(deadline: .seconds(15)))
        // Earlier, a partition could be read, revoked while its commit is refused, and read again after the end.
        try await done.log.wait { events in
            events.count { $0 == "alone" } > timesAlone ? () : nil
        }
        try await write(100..<200, to: topic, cluster)
        try await done.wait(forValues: 100..<200)
        #expect(staying.assignment.count == 4)
        #expect(await staying.close(deadline: .seconds(15)))
        #expect(stays.losses.isEmpty)
        #expect(goes.losses.isEmpty)
        let partitions = (0..<4).map { TopicPartition(topic: topic, partition: $0) }
        try await cluster.withConsumer(assigned: [:], configuration) { consumer, _ in
            let committed = try await consumer.committedOffsets(of: partitions)
            #expect(committed.values.reduce(0, +) == 200)
        }
    }

    @Test
    func `a member that commits continuously loses nothing when another joins cooperatively`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(partitions: 4)
        var configuration = cluster.consumer(group: cluster.uniqueName("group"))
        configuration.assignmentStrategy = .cooperativeSticky
        let done = DoneOffsets()
        let first = CommittingMember(done)
        let second = CommittingMember(done)
        let early = try KafkaConsumer(configuration, delegate: first)
        let late = try KafkaConsumer(configuration, delegate: second)
        try early.subscribe([topic])
        try await write(0..<4, to: topic, cluster)
        try await done.wait(forValues: 0..<4)
        try late.subscribe([topic])
        let writing = Task { try await writeSteadily(to: topic, cluster) }
        defer { writing.cancel() }
        try await done.log.wait { events in events.contains { $0 == "shared" } ? () : nil }
        writing.cancel()
        _ = await writing.result
        #expect(await early.close(deadline: .seconds(15)))
        #expect(await late.close(deadline: .seconds(15)))
        #expect(first.losses.isEmpty)
        #expect(second.losses.isEmpty)
    }

    /// Writes one record after another, each after the previous one is confirmed.
    private func writeSteadily(to topic: String, _ cluster: KafkaTestCluster) async throws {
        let recorder = ProducerRecorder()
        let producer = try KafkaProducer(KafkaProducerConfiguration(client: cluster.client()), delegate: recorder)
        var id: UInt64 = 0
        while !Task.isCancelled {
            id += 1
            producer.produce([KafkaRecord(topic: topic, partition: Int32(id % 4), value: [200], id: id)])
            _ = try? await recorder.report(on: id)
        }
        await producer.close()
    }

    private func write(_ values: Range<UInt8>, to topic: String, _ cluster: KafkaTestCluster) async throws {
        try await cluster.write(values.map { KafkaRecord(topic: topic, partition: Int32($0 % 4), value: [$0]) })
    }
}

/// The offsets that the members of a group have processed together.
private final class DoneOffsets: Sendable {
    let log = EventLog<String>()
    private let owned = Locked<[ObjectIdentifier: Int]>([:])

    func wait(forValues values: Range<UInt8>) async throws {
        try await log.wait { events in
            Set(events).isSuperset(of: values.map { "value \($0)" }) ? () : nil
        }
    }

    /// The number of times one member had all partitions and the other none.
    var timesAlone: Int { log.events.count { $0 == "alone" } }

    /// Records how many partitions a member has, when two share all four, and when one has all of them.
    func owns(_ count: Int, _ member: AnyObject) {
        let counts = owned.withLock { owned in
            owned[ObjectIdentifier(member)] = count
            return owned.values.sorted()
        }
        if counts == [2, 2] { log.append("shared") }
        if counts == [0, 4] { log.append("alone") }
    }
}

/// A member that commits each batch at once.
private final class CommittingMember: KafkaConsumerDelegate {
    private let done: DoneOffsets
    private let next = Locked<[TopicPartition: Int64]>([:])
    private let owned = Locked<Set<TopicPartition>>([])
    private let lost = Locked<[TopicPartition]>([])

    init(_ done: DoneOffsets) {
        self.done = done
    }

    var losses: [TopicPartition] { lost.withLock { $0 } }

    func kafkaConsumer(_ consumer: KafkaConsumer, didReceive messages: [KafkaMessage]) {
        var offsets: [TopicPartition: Int64] = [:]
        for message in messages {
            offsets[message.topicPartition] = message.offset + 1
            done.log.append("value \(message.value?.first ?? 0)")
        }
        next.withLock { [offsets] in $0.merge(offsets) { $1 } }
        consumer.commit(offsets)
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didAssign partitions: [TopicPartition]) {
        done.owns(
            owned.withLock {
                $0.formUnion(partitions); return $0.count
            },
            self
        )
    }

    func kafkaConsumer(
        _ consumer: KafkaConsumer,
        willRevoke partitions: [TopicPartition],
        deadline: Duration
    ) -> [TopicPartition: Int64] {
        done.owns(
            owned.withLock {
                $0.subtract(partitions); return $0.count
            },
            self
        )
        return next.withLock { next in
            let leaving = next.filter { partitions.contains($0.key) }
            for partition in partitions { next[partition] = nil }
            return leaving
        }
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didLose partitions: [TopicPartition]) {
        lost.withLock { $0 += partitions }
    }

    func kafkaConsumer(
        _ consumer: KafkaConsumer,
        didCommit offsets: [TopicPartition: Int64],
        error: KafkaError?
    ) {}

    func kafkaConsumer(_ consumer: KafkaConsumer, didFail error: KafkaError) {}
}
