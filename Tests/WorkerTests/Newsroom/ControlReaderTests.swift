import NewsflashBasics
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@testable import NewsflashWorker

@Suite(.timeLimit(.minutes(4)))
struct ControlReaderTests {
    @Test func `a control topic whose offsets have gone back is read again from its beginning`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(isCompacted: true)
        let hold = ControlRecord(.pause, .all, by: .person("novak"), reason: "a test", at: Timestamp(seconds: 0))
        try await cluster.write([KafkaRecord(hold, topic: topic)])
        let stage = try LoopStage()
        let log = EventLog<LogEntry>()
        let control = try ControlReader(topic, stage, log)
        let reader = try KafkaReader(cluster.reader(recovery: .restart), delegate: control)
        // The state after a deletion: this is the next offset of the old topic.
        reader.start(control.partition, at: .at(99))
        #expect(await control.areOrdersKnown.wait() == true)
        #expect(control.fault == nil)
        try await waitUntil { stage.observer.snapshot.status?.pauses == [hold] }
        #expect(await reader.close())
        #expect(log.events.map(\.message).contains { $0.hasPrefix("the control topic has lost commands") })
        try await onThread { stage.thread.stop() }
    }

    @Test func `an old reload command is history if the topic is read from its beginning again`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(isCompacted: true)
        func reload(_ name: String) -> ControlOrder {
            .reload(ReloadOrder(by: name, reason: "a test", at: Timestamp(seconds: 0)))
        }
        try await cluster.write([KafkaRecord(reload("before"), topic: topic)])
        let stage = try LoopStage()
        let log = EventLog<LogEntry>()
        let control = try ControlReader(topic, stage, log)
        control.learn(KafkaWatermarks(low: 0, high: 0))
        #expect(await control.areOrdersKnown.wait() == true)
        let reader = try KafkaReader(cluster.reader(recovery: .restart), delegate: control)
        reader.start(control.partition, at: .at(99))
        try await log.wait { $0.contains { $0.message.hasPrefix("the control topic has lost commands") } ? () : nil }
        try await waitUntil { control.fault == nil }
        try await cluster.write([KafkaRecord(reload("after"), topic: topic)])
        let message = "this worker cannot read its configuration again"
        try await log.wait { $0.contains { $0.message == message } ? () : nil }
        #expect(log.events.filter { $0.message == message }.map { $0.metadata["by"] } == [.string("after")])
        #expect(await reader.close())
        try await onThread { stage.thread.stop() }
    }

    @Test(.needsRealKafka)
    func `commands of a recreated control topic are obeyed, and the log reports it once`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(isCompacted: true)
        let stage = try LoopStage()
        let log = EventLog<LogEntry>()
        let control = try ControlReader(topic, stage, log, client: cluster.client())
        try control.start()
        #expect(await control.areOrdersKnown.wait() == true)
        let admin = try KafkaAdmin(cluster.client())
        #expect(try await admin.deleteTopics([topic]).isEmpty)
        try await log.wait { $0.contains { $0.message.hasPrefix("the control topic does not exist") } ? () : nil }
        #expect(control.fault == nil)
        try await cluster.makeTopic(named: topic, isCompacted: true)
        let hold = ControlRecord(.pause, .all, by: .person("novak"), reason: "a test", at: Timestamp(seconds: 0))
        try await cluster.write([KafkaRecord(hold, topic: topic)])
        try await waitUntil { stage.observer.snapshot.status?.pauses == [hold] }
        #expect(await control.shutDown(within: .seconds(5)))
        #expect(try await stage.holdsAtEnd() == [hold])
        // It is logged once, however long the topic does not exist.
        #expect(log.events.filter { $0.message.hasPrefix("the control topic does not exist") }.count == 1)
    }

    @Test func `health names the reason until commands can be read, and the log names it once`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(isCompacted: true)
        let stage = try LoopStage()
        let log = EventLog<LogEntry>()
        let control = try ControlReader(topic, stage, log)
        let reader = try KafkaReader(cluster.reader(recovery: .restart), delegate: control)
        control.kafkaReader(reader, didReachEndOf: control.partition, offset: 0)
        #expect(control.fault == nil)
        let forbidden = KafkaError(.topicForbidden, "reading \(control.partition)")
        for _ in 0..<3 {
            control.kafkaReader(reader, didFail: forbidden, of: control.partition)
            control.kafkaReader(reader, didStart: control.partition, at: .beginning)
            #expect(control.fault?.contains("give the worker's user the right Read on the topic \(topic)") == true)
        }
        control.kafkaReader(reader, didReachEndOf: control.partition, offset: 0)
        #expect(control.fault == nil)
        // A leader moves. librdkafka continues automatically, without any report.
        control.kafkaReader(reader, didFail: KafkaError(.transport, "away"), of: control.partition)
        #expect(control.fault == nil)
        #expect(log.events.count == 2)
        control.kafkaReader(reader, didFail: KafkaError(.offsetOutOfRange, "gone"), of: control.partition)
        #expect(control.fault?.contains("has lost commands and is read again") == true)
        await reader.close()
        try await onThread { stage.thread.stop() }
    }
}

extension ControlReader {
    /// A reader without a cluster, unless the test has one: nobody listens on the port of tcpmux.
    fileprivate convenience init(
        _ topic: String,
        _ stage: LoopStage,
        _ log: EventLog<LogEntry>,
        client: KafkaConfiguration = KafkaConfiguration(bootstrapServers: "127.0.0.1:1", clientID: "tests")
    ) throws {
        let logger = Logger(label: "", handler: log)
        let context = try WorkerContext(logger: logger, inbox: stage.inbox) { configuration in
            configuration.kafka = client
            configuration.topics.control = topic
        }
        let logLevel = LogLevelSetter(logger)
        let reloader = RuleReloader(context, source: nil, logLevel: logLevel)
        self.init(context, reloader: reloader, logLevel: logLevel)
    }
}
