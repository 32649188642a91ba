import NewsflashKafkaMock
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import NewsflashTopicPartitions
import Testing

@testable import NewsflashKafka

@Suite("a send that returns when it is confirmed", .timeLimit(.minutes(4)))
struct SendTests {
    private func withProducer(
        _ configuration: KafkaProducerConfiguration,
        _ body: (KafkaProducer) async throws -> Void
    ) async throws {
        let producer = try KafkaProducer(configuration)
        do {
            try await body(producer)
        } catch {
            await producer.close(deadline: .seconds(5))
            throw error
        }
        await producer.close(deadline: .seconds(5))
    }

    private let nowhere = KafkaConfiguration(bootstrapServers: "127.0.0.1:1", clientID: "tests")

    @Test func `a send returns the position of the record`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(partitions: 2)
        try await withProducer(KafkaProducerConfiguration(client: cluster.client())) { producer in
            let place = TopicPartition(topic: topic, partition: 1)
            for offset in 0..<3 as Range<Int64> {
                let delivery = try await producer.send(KafkaRecord(topic: topic, partition: 1, value: [1], id: 9))
                #expect(delivery == KafkaDelivery(topicPartition: place, offset: offset))
            }
        }
        try await cluster.withConsumer(assigned: [.init(topic: topic, partition: 1): .beginning]) { _, recorder in
            let messages = try await recorder.messages(atLeast: 3)
            #expect(messages.map(\.offset) == [0, 1, 2])
        }
    }

    @Test func `a thousand tasks can send at once`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        try await withProducer(KafkaProducerConfiguration(client: cluster.client(), maximumQueued: 100)) { producer in
            let offsets = try await withThrowingTaskGroup(of: Int64.self) { group in
                for number in 0..<1000 {
                    group.addTask {
                        try await producer.send(KafkaRecord(topic: topic, value: [UInt8(number % 256)])).offset
                    }
                }
                return try await group.reduce(into: Set<Int64>()) { $0.insert($1) }
            }
            #expect(offsets == Set(0..<1000))
        }
    }

    @Test func `records keep their order, also more of them than fit into the queue`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        try await withProducer(KafkaProducerConfiguration(client: cluster.client(), maximumQueued: 50)) { producer in
            let results = await producer.send(
                (0..<2000).map { KafkaRecord(topic: topic, value: [UInt8($0 / 256), UInt8($0 % 256)]) }
            )
            #expect(results.map { try? $0.get().offset } == (0..<2000).map { $0 })
        }
        try await cluster.withConsumer(assigned: [.init(topic: topic, partition: 0): .beginning]) { _, recorder in
            let values = try await recorder.messages(atLeast: 2000).map(\.value)
            let numbers = values.map { value in value.map { Int($0[0]) * 256 + Int($0[1]) } }
            #expect(numbers == Array(0..<2000))
        }
    }

    @Test func `a send that waits for room is flushed with the others`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        let producer = try KafkaProducer(KafkaProducerConfiguration(client: cluster.client(), maximumQueued: 10))
        let ends = EventLog<[Int64?]>()
        let sending = Task {
            let results = await producer.send((0..<500).map { _ in KafkaRecord(topic: topic, value: [1]) })
            ends.append(results.map { try? $0.get().offset })
        }
        // A fast broker may have confirmed all of them before the first check.
        try await waitUntil { producer.withState { $0.sends.countUnderWay } > 0 || !ends.events.isEmpty }
        #expect(await producer.close(deadline: .seconds(20)))
        await sending.value
        #expect(ends.events == [(0..<500).map { $0 }])
    }

    @Test func `only the record that is too large fails`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        let client = cluster.client(["message.max.bytes": "2000"])
        try await withProducer(KafkaProducerConfiguration(client: client)) { producer in
            let large = KafkaRecord(topic: topic, value: Array(repeating: 1, count: 5000))
            let error = await #expect(throws: KafkaError.self) { try await producer.send(large) }
            #expect(error?.code == .messageTooLarge)
            #expect(error?.isRetriable == false)
            #expect(error?.mayBePersisted == false)
            let results = await producer.send([.init(topic: topic, value: [1]), large, .init(topic: topic, value: [2])])
            #expect(results.map { try? $0.get().offset } == [0, nil, 1])
            #expect(await producer.send([]).isEmpty)
        }
    }

    @Test func `a delegate receives reports on its own records only, not on those of a send`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        let recorder = ProducerRecorder()
        let producer = try KafkaProducer(KafkaProducerConfiguration(client: cluster.client()), delegate: recorder)
        producer.produce([KafkaRecord(topic: topic, value: [1], id: 1)])
        try await producer.send(KafkaRecord(topic: topic, value: [2], id: 1))
        producer.produce([KafkaRecord(topic: topic, value: [3], id: 2)])
        _ = try await recorder.report(on: 2)
        await producer.close()
        #expect(recorder.reports.events.map(\.id) == [1, 2])
    }

    @Test func `a send with a closed producer fails at once`() async throws {
        let producer = try KafkaProducer(KafkaProducerConfiguration(client: nowhere))
        await producer.close()
        let error = await #expect(throws: KafkaError.self) {
            try await producer.send(KafkaRecord(topic: "news", value: [1]))
        }
        #expect(error?.code == .closed)
        #expect(error?.mayBePersisted == false)
    }

    @Test func `a send ends when the producer closes, also while it waits for room`() async throws {
        let producer = try KafkaProducer(KafkaProducerConfiguration(client: nowhere, maximumQueued: 2))
        async let results = producer.send((0..<5).map { _ in KafkaRecord(topic: "news", value: [1]) })
        try await waitUntil { producer.withState { $0.sends.countUnderWay } == 2 }
        #expect(await producer.close(deadline: .milliseconds(50)) == false)
        let errors = await results.map { result in #expect(throws: KafkaError.self) { try result.get() } }
        #expect(errors.count == 5)
        #expect(!errors.contains { $0 == nil })
    }

    @Test func `a cancelled send reports whether the record may have been written`() async throws {
        let producer = try KafkaProducer(KafkaProducerConfiguration(client: nowhere, maximumQueued: 1))
        func send() -> Task<KafkaError?, Never> {
            Task {
                do throws(KafkaError) {
                    try await producer.send(KafkaRecord(topic: "news", value: [1]))
                    return nil
                } catch {
                    return error
                }
            }
        }
        let first = send()
        try await waitUntil { producer.withState { $0.sends.countUnderWay } == 1 }
        let second = send()
        second.cancel()
        let waited = await second.value
        #expect(waited?.code == .cancelled)
        #expect(waited?.mayBePersisted == false)
        first.cancel()
        let underWay = await first.value
        #expect(underWay?.code == .cancelled)
        #expect(underWay?.mayBePersisted == true)
        await producer.close(deadline: .milliseconds(50))
    }

    @Test
    func `a send fails with a fatal error, and the next one is written`() async throws {
        let mock = try MockCluster()
        try mock.createTopic("news", partitions: 1)
        let client = KafkaConfiguration(bootstrapServers: mock.bootstrapServers, clientID: "tests")
        try await withProducer(KafkaProducerConfiguration(client: client)) { producer in
            try await producer.warm(topics: ["news"])
            try await producer.send(KafkaRecord(topic: "news", value: [1]))
            mock.pushErrors([.outOfOrderSequence], to: .produce)
            let error = await #expect(throws: KafkaError.self) {
                try await producer.send(KafkaRecord(topic: "news", value: [2]))
            }
            #expect(error != nil)
            // The producer is replaced a moment later; until then the error is retriable.
            try await waitUntil {
                do throws(KafkaError) {
                    try await producer.send(KafkaRecord(topic: "news", value: [3]))
                    return true
                } catch {
                    try #require(error.isRetriable)
                    return false
                }
            }
            #expect(producer.restarts == 1)
        }
    }
}
