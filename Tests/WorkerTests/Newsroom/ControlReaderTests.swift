import Kafka
import KafkaTestCluster
import Locks
import Publishing
import StructuredLog
import TestSupport
import Testing
import Timestamps

@testable import Worker

@Suite(.timeLimit(.minutes(4)))
struct ControlReaderTests {
    @Test func `a control topic whose offsets have gone back is read again from its beginning`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(isCompacted: true)
        let hold = ControlRecord(.hold, .all, by: .person("novak"), reason: "a test", at: Timestamp(seconds: 0))
        try await cluster.write([KafkaRecord(hold, topic: topic)])
        let stage = try LoopStage()
        let log = EventLog<LogEntry>()
        let control = try ControlReader(topic, stage, log)
        let reader = try KafkaReader(cluster.reader(), delegate: control)
        // As after a deletion: this is the next offset of the old topic.
        reader.start(control.partition, at: .at(99))
        #expect(await control.areOrdersKnown.wait() == true)
        #expect(control.fault == nil)
        #expect(await reader.close())
        #expect(log.events.map(\.message).contains { $0.hasPrefix("the control topic has lost orders") })
        #expect(try await stage.holdsAtEnd() == [hold])
    }
}

extension ControlReader {
    fileprivate convenience init(_ topic: String, _ stage: LoopStage, _ log: EventLog<LogEntry>) throws {
        let logger = Logger(label: "", handler: ControlLogRecorder(log: log))
        let connection = "Endpoint=sb://a.b/;SharedAccessKeyName=c;SharedAccessKey=a2V5"
        let configuration = try SoundConfiguration.read(
            environment: ["NEWSFLASH_HUB_CONNECTION_STRING": connection]
        )
        let logLevel = LogLevelSetter(logger)
        let reloader = RuleReloader(
            nil,
            rules: configuration.rules,
            secure: configuration.secure,
            adopt: { _ in },
            logLevel: logLevel,
            metrics: ReloadMetrics(WorkerMetrics(hubs: ["newsroom"]).registry),
            logger: logger
        )
        self.init(topic: topic, loop: stage.loop, reloader: reloader, logLevel: logLevel, logger: logger)
    }
}

/// Keeps what a part of the worker logs.
struct ControlLogRecorder: LogHandler {
    let log: EventLog<LogEntry>

    func log(_ entry: LogEntry) { log.append(entry) }
}
