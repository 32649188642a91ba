import NewsflashEvents
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaMock
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashTimestamps
import Testing

@testable import NewsflashWorker

/// Errors of Kafka, and clusters that are not set up correctly.
@Suite(.timeLimit(.minutes(4)))
struct KafkaFaultTests {
    @Test
    func `an error that is not repeated is forgotten after a minute`() async throws {
        let log = EventLog<LogEntry>()
        let logger = Logger(label: "", handler: log)
        let forwarder = KafkaEventForwarder(try WorkerContext(logger: logger))
        // Nobody listens on the port of tcpmux.
        let client = KafkaConfiguration(bootstrapServers: "127.0.0.1:1", clientID: "tests")
        let producer = try KafkaProducer(KafkaProducerConfiguration(client: client), delegate: forwarder)
        try await log.wait { entries in entries.contains { $0.level == .error } ? () : nil }
        await producer.close(deadline: .zero)
        let now = Timestamp.now()
        #expect(!forwarder.presentFaults(at: now).isEmpty)
        #expect(forwarder.presentFaults(at: now + .seconds(61)).isEmpty)
    }

    @Test
    func `a worker without its topics waits for them, and names the remedy`() async throws {
        try await Newsroom.open { newsroom in
            var configuration = newsroom.configuration
            let topic = newsroom.cluster.uniqueName("late")
            configuration.source.topic = topic
            // The mock creates requested topics, unless it is set to refuse.
            newsroom.cluster.mock?.setError(.unknownTopicOrPartition, ofTopic: topic)
            async let starting = newsroom.startWorker(configuration)
            let complaint = try await newsroom.log.wait { entries in
                entries.first { $0.message == "the worker waits for Kafka and its topics" }
            }
            let detail = "\(complaint.metadata["detail"].map { "\($0)" } ?? "")"
            #expect(detail.contains(topic))
            #expect(detail.contains("newsflash topics apply"))
            newsroom.cluster.mock?.setError(.none, ofTopic: topic)
            if KafkaTestCluster.isReal { try await newsroom.cluster.makeTopic(named: topic) }
            let worker = try await starting
            await worker.stop()
        }
    }

    @Test
    func `a worker stops at once while it waits for its topics`() async throws {
        try await Newsroom.open { newsroom in
            var configuration = newsroom.configuration
            let topic = newsroom.cluster.uniqueName("never")
            configuration.source.topic = topic
            newsroom.cluster.mock?.setError(.unknownTopicOrPartition, ofTopic: topic)
            let wanted = configuration
            let starting = Task { try await newsroom.startWorker(wanted) }
            try await newsroom.log.wait { entries in
                entries.contains { $0.message == "the worker waits for Kafka and its topics" } ? () : nil
            }
            starting.cancel()
            let error = await #expect(throws: WorkerStartError.self) { try await starting.value }
            #expect(error?.code == .cancelled)
        }
    }

    @Test
    func `a dead letter that is too large for its topic is written without its value, without delay`() async throws {
        try await Newsroom.open { newsroom in
            var configuration = newsroom.configuration
            configuration.kafka.properties["message.max.bytes"] = "4000"
            let bytes = Array(repeating: UInt8(ascii: "x"), count: 9000)
            let large = KafkaRecord(topic: newsroom.names.source, partition: 0, key: [7], value: bytes)
            try await newsroom.withWorker(configuration) { _ in
                try await newsroom.cluster.write([large])
                try await newsroom.publish([Desk.event("good-news")])
                _ = try await newsroom.finalOutcomes(2)
            }
            try await newsroom.readToTheEnd()
            let letter = try #require(newsroom.deadLetters.first)
            #expect(letter.value == nil)
            #expect(letter.key == [7])
            let detail = letter.headers.last { $0.name == "newsflash-dlq-detail" }?.value ?? []
            #expect(String(decoding: detail, as: UTF8.self).hasSuffix("\(newsroom.names.source)[0] offset 0"))
            #expect(newsroom.hub.pushes.compactMap { $0.property("id") } == ["good-news"])
            let progress = try await newsroom.progress()
            #expect(progress.committed == progress.ends)
        }
    }
}
