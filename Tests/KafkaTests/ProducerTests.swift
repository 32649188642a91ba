import NewsflashKafka
import NewsflashKafkaMock
import NewsflashKafkaTestCluster
import Testing

@Suite(.timeLimit(.minutes(4)))
struct ProducerTests {
    private func withProducer(
        _ configuration: KafkaProducerConfiguration,
        _ body: (KafkaProducer, ProducerRecorder) async throws -> Void
    ) async throws {
        let recorder = ProducerRecorder()
        let producer = try KafkaProducer(configuration, delegate: recorder)
        do {
            try await body(producer, recorder)
        } catch {
            await producer.close(deadline: .seconds(5))
            throw error
        }
        await producer.close(deadline: .seconds(5))
    }

    @Test
    func `each record gets one report with its position`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        try await withProducer(KafkaProducerConfiguration(client: cluster.client())) { producer, recorder in
            producer.produce((0..<50).map { KafkaRecord(topic: topic, value: [1], id: $0 + 1000) })
            #expect(await producer.flush(deadline: .seconds(10)))
            let reports = recorder.reports.events
            #expect(reports.map(\.id) == (0..<50).map { $0 + 1000 })
            #expect(reports.map { try? $0.result.get().offset } == (0..<50).map { $0 })
            #expect(!reports.contains { !$0.mayBePersisted })
        }
    }

    @Test
    func `records whose linger is over are sent on request, each once`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        let configuration = KafkaProducerConfiguration(client: cluster.client(), linger: .microseconds(150))
        try await withProducer(configuration) { producer, recorder in
            for round in 0..<20 {
                let ids = (1...10).map { UInt64(round * 10 + $0) }
                producer.produce(ids.map { KafkaRecord(topic: topic, value: [1], id: $0) })
                producer.sendLingering()
                for id in ids {
                    let report = try await recorder.report(on: id)
                    #expect(report.error == nil)
                }
            }
            #expect(recorder.reports.events.count == 200)
            #expect(recorder.reports.events.map { try? $0.result.get().offset } == (0..<200).map { $0 })
        }
    }

    @Test
    func `a record that is too large fails alone`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        let client = cluster.client(["message.max.bytes": "2000"])
        try await withProducer(KafkaProducerConfiguration(client: client)) { producer, recorder in
            let large = [UInt8](repeating: 1, count: 5000)
            producer.produce([
                KafkaRecord(topic: topic, value: [1], id: 1), KafkaRecord(topic: topic, value: large, id: 2),
                KafkaRecord(topic: topic, value: [3], id: 3),
            ])
            let refused = try await recorder.report(on: 2)
            #expect(throws: KafkaError.self) { try refused.result.get() }
            #expect(refused.error?.code == .messageTooLarge)
            #expect(refused.error?.isRetriable == false)
            #expect(!refused.mayBePersisted)
            #expect(try await recorder.report(on: 1).error == nil)
            #expect(try await recorder.report(on: 3).error == nil)
        }
    }

    @Test
    func `records that do not fit into the queue fail and can be retried`() async throws {
        let client = KafkaConfiguration(bootstrapServers: "127.0.0.1:1", clientID: "tests")
        let configuration = KafkaProducerConfiguration(client: client, maximumQueued: 3)
        try await withProducer(configuration) { producer, recorder in
            producer.produce((0..<5).map { KafkaRecord(topic: "news", value: [1], id: $0) })
            let report = try await recorder.report(on: 4)
            #expect(report.error?.code == .queueFull)
            #expect(report.error?.isRetriable == true)
            #expect(await producer.close(deadline: .milliseconds(100)) == false)
            #expect(Set(recorder.reports.events.map(\.id)) == Set(0..<5))
        }
    }

    @Test
    func `records after closing are reported as failed`() async throws {
        let client = KafkaConfiguration(bootstrapServers: "127.0.0.1:1", clientID: "tests")
        try await withProducer(KafkaProducerConfiguration(client: client)) { producer, recorder in
            #expect(await producer.close())
            producer.produce([KafkaRecord(topic: "news", value: [1], id: 8)])
            let report = try await recorder.report(on: 8)
            #expect(report.error?.code == .closed)
            await #expect(throws: KafkaError.self) { try await producer.warm(topics: ["news"]) }
        }
    }

    @Test
    func `warming up reports a missing topic`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        // The mock creates requested topics, so it is set to deny one.
        let missing = cluster.uniqueName("missing")
        if let mock = cluster.mock {
            try mock.createTopic(missing, partitions: 1)
            mock.setError(.unknownTopicOrPartition, ofTopic: missing)
        }
        try await withProducer(KafkaProducerConfiguration(client: cluster.client())) { producer, recorder in
            let error = await #expect(throws: KafkaError.self) { try await producer.warm(topics: [topic, missing]) }
            #expect(error?.code == .unknownTopicOrPartition)
            #expect(error?.message.contains(missing) == true)
            #expect(error?.message.contains("\"\(topic)\"") == false)
            try await producer.warm(topics: [topic])
            producer.produce([KafkaRecord(topic: topic, value: [1], id: 1)])
            #expect(try await recorder.report(on: 1).error == nil)
        }
    }

    @Test
    func `after a fatal error unconfirmed records fail, and later ones are written`() async throws {
        let mock = try MockCluster()
        try mock.createTopic("news", partitions: 1)
        let lines = EventLog<KafkaLogLine>()
        let client = KafkaConfiguration(
            bootstrapServers: mock.bootstrapServers,
            clientID: "tests",
            log: { lines.append($0) }
        )
        try await withProducer(KafkaProducerConfiguration(client: client)) { producer, recorder in
            try await producer.warm(topics: ["news"])
            producer.produce([KafkaRecord(topic: "news", value: [1], id: 1)])
            #expect(try await recorder.report(on: 1).error == nil)
            mock.pushErrors([.outOfOrderSequence], to: .produce)
            producer.produce([KafkaRecord(topic: "news", value: [2], id: 2)])
            let failed = try await recorder.report(on: 2)
            #expect(failed.error != nil)
            _ = try await lines.wait { $0.first { $0.facility == "PRODUCER" } }
            #expect(producer.restarts == 1)
            producer.produce([KafkaRecord(topic: "news", value: [3], id: 3)])
            #expect(try await recorder.report(on: 3).error == nil)
            #expect(recorder.errors.events.contains { $0.isFatal })
            #expect(recorder.reports.events.map(\.id) == [1, 2, 3])
        }
    }

    @Test
    func `a producer without the right to begin reports it, and begins once it has the right`() async throws {
        let mock = try MockCluster()
        try mock.createTopic("news", partitions: 1)
        mock.pushErrors(Array(repeating: .clusterAuthorizationFailed, count: 3), to: .initProducerID)
        let lines = EventLog<KafkaLogLine>()
        let client = KafkaConfiguration(
            bootstrapServers: mock.bootstrapServers,
            clientID: "tests",
            log: { lines.append($0) }
        )
        try await withProducer(KafkaProducerConfiguration(client: client)) { producer, recorder in
            producer.produce([KafkaRecord(topic: "news", value: [1], id: 1)])
            #expect(try await recorder.report(on: 1).error != nil)
            let fatal = try await recorder.errors.wait { $0.first { $0.isFatal } }
            #expect(fatal.code == .clusterForbidden)
            #expect(fatal.meansForbidden)
            try await lines.wait { lines in lines.count { $0.facility == "PRODUCER" } >= 3 ? () : nil }
            producer.produce([KafkaRecord(topic: "news", value: [2], id: 2)])
            #expect(try await recorder.report(on: 2).error == nil)
            #expect(producer.restarts == 3)
        }
    }

    @Test
    func `a broker that stops and returns costs time but no record`() async throws {
        let mock = try MockCluster()
        try mock.createTopic("news", partitions: 1)
        let client = KafkaConfiguration(bootstrapServers: mock.bootstrapServers, clientID: "tests")
        try await withProducer(KafkaProducerConfiguration(client: client)) { producer, recorder in
            try await producer.warm(topics: ["news"])
            try await mock.withoutBroker {
                producer.produce([KafkaRecord(topic: "news", value: [1], id: 1)])
                _ = try await recorder.errors.wait { $0.first }
            }
            #expect(try await recorder.report(on: 1).error == nil)
        }
    }
}

extension KafkaDeliveryReport {
    fileprivate var error: KafkaError? {
        if case .failure(let error) = result { error } else { nil }
    }
}
