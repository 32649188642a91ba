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
struct ControlWriterTests {
    private static func hold(_ source: String) -> ControlRecord {
        ControlRecord(.pause, .source(source), by: .volumeLimit, reason: "a test", at: Timestamp(seconds: 0))
    }

    @Test func `a command is written and reported with its offset, and every report is passed on`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(isCompacted: true)
        let stage = try WriterStage(topic: topic, client: cluster.client())
        let orders = ["a", "b"].map { Self.hold($0) }
        for (number, order) in orders.enumerated() {
            stage.producer.produce([KafkaRecord(topic: topic, key: [1], value: [1], id: UInt64(number + 1))])
            _ = try await stage.recorder.report(on: UInt64(number + 1))
            stage.writer.write(order)
            try await waitUntil { stage.changes.count > number }
        }
        #expect(stage.changes == [.written(orders[0], at: 1), .written(orders[1], at: 3)])
        try await stage.recorder.reports.wait { $0.count == 4 ? () : nil }
        #expect(stage.log.events.isEmpty && stage.writer.faults.isEmpty)
        await stage.producer.close(deadline: .seconds(5))
    }

    @Test
    func `a command that was not written is written again until it is, and reported once`() async throws {
        let stage = try WriterStage()
        let order = Self.hold("a")
        stage.writer.write(order)
        stage.refuse(1)
        // A second report belongs to no command any more.
        stage.refuse(1)
        #expect(stage.changes == [.written(order, at: nil)])
        #expect(stage.writer.faults.count == 1)
        #expect(stage.writer.faults.first?.hasPrefix("the pause of a by its volume limit cannot be written") == true)
        for number in [2, 3] as [UInt64] {
            stage.delays.events.last?.work()
            stage.refuse(number)
        }
        #expect(stage.delays.events.map(\.delay) == [.seconds(1), .seconds(2), .seconds(4)])
        #expect(stage.log.events.map(\.level) == [.error])
        stage.delays.events.last?.work()
        stage.report(4, .success(KafkaDeliveryReport.Place(partition: 0, offset: 7)))
        #expect(stage.changes == [.written(order, at: nil), .written(order, at: 7)])
        #expect(stage.writer.faults.isEmpty)
        #expect(stage.log.events.map(\.level) == [.error, .notice])
        await stage.producer.close(deadline: .zero)
    }

    @Test func `a command is not written again after a later one for its scope, or after closing`() async throws {
        let stage = try WriterStage()
        let (order, other) = (Self.hold("a"), Self.hold("b"))
        stage.writer.write(order)
        stage.writer.write(other)
        stage.refuse(1)
        stage.refuse(2)
        #expect(stage.writer.faults.count == 2)
        let release = ControlRecord(.resume, order.scope, by: .person("novak"), reason: "", at: Timestamp(seconds: 5))
        stage.writer.read(.order(release, at: 5))
        #expect(stage.writer.faults.count == 1)
        stage.writer.close()
        #expect(stage.writer.faults.isEmpty)
        for delay in stage.delays.events { delay.work() }
        // Nothing was written again, so no command waits for this report.
        stage.refuse(3)
        #expect(stage.changes == [.written(order, at: nil), .written(other, at: nil)])
        await stage.producer.close(deadline: .zero)
    }
}

/// A writer whose waits a test ends. The test also acts as its brokers.
private final class WriterStage: Sendable {
    let inbox = PublishingInbox()
    private let earlier = Locked<[ControlChange]>([])
    let log = EventLog<LogEntry>()
    let delays = EventLog<(delay: Duration, work: @Sendable () -> Void)>()
    let recorder = ProducerRecorder()
    let writer: ControlWriter
    let producer: KafkaProducer

    /// Nobody listens on the port of tcpmux.
    init(
        topic: String = "control",
        client: KafkaConfiguration = KafkaConfiguration(bootstrapServers: "127.0.0.1:1", clientID: "tests")
    ) throws {
        writer = ControlWriter(
            topic: topic,
            next: recorder,
            inbox: inbox,
            logger: Logger(label: "", handler: log),
            later: { [delays] delay, work in delays.append((delay, work)) }
        )
        producer = try KafkaProducer(KafkaProducerConfiguration(client: client), delegate: writer)
        writer.open(producer)
    }

    /// The changes that the publishing thread would receive.
    var changes: [ControlChange] {
        let changes = inbox.dequeue().arrivals.compactMap { arrival in
            if case .controlled(let change) = arrival { change } else { nil }
        }
        return earlier.withLock { earlier in
            earlier += changes
            return earlier
        }
    }

    /// Reports on the command that was written as number `number`.
    func report(_ number: UInt64, _ result: Result<KafkaDeliveryReport.Place, KafkaError>) {
        let report = KafkaDeliveryReport(id: ControlWriter.firstID + number, result: result, mayBePersisted: false)
        writer.kafkaProducer(producer, didDeliver: [report])
    }

    func refuse(_ number: UInt64) { report(number, .failure(KafkaError(.messageTimedOut, "nobody answers"))) }
}
