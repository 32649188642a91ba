import Kafka
import KafkaTestCluster
import Publishing
import StructuredLog
import TestSupport
import Testing
import Timestamps

@testable import Worker

@Suite(.timeLimit(.minutes(4)))
struct ControlWriterTests {
    private static func hold(_ source: String) -> ControlRecord {
        ControlRecord(.hold, .source(source), by: .brake, reason: "a test", at: Timestamp(seconds: 0))
    }

    @Test func `an order is reported with its offset, or as not written, and every report is passed on`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(isCompacted: true)
        let changes = EventLog<ControlChange>()
        let log = EventLog<LogEntry>()
        let recorder = ProducerRecorder()
        let writer = ControlWriter(
            topic: topic,
            next: recorder,
            logger: Logger(label: "", handler: ControlLogRecorder(log: log)),
            report: { changes.append($0) }
        )
        let producer = try KafkaProducer(KafkaProducerConfiguration(client: cluster.client()), delegate: writer)
        let orders = ["a", "b"].map { Self.hold($0) }
        let records = orders.map { writer.record(of: $0) }
        for record in records {
            producer.produce([KafkaRecord(topic: topic, key: [1], value: [1], id: 1), record])
            _ = try await recorder.report(on: record.id)
        }
        #expect(changes.events == [.written(orders[0], at: 1), .written(orders[1], at: 3)])
        let refused = writer.record(of: orders[0])
        let failure = KafkaDeliveryReport(
            id: refused.id,
            result: .failure(KafkaError(.messageTimedOut, "nobody answers")),
            mayBePersisted: false
        )
        writer.kafkaProducer(producer, didDeliver: [failure])
        writer.kafkaProducer(producer, didDeliver: [failure])
        #expect(changes.events.dropFirst(2) == [.written(orders[0], at: nil)])
        #expect(try await recorder.report(on: refused.id).id == refused.id)
        #expect(log.events.map(\.message) == ["the order of a volume limit was not written: only this worker obeys it"])
        await producer.close(deadline: .seconds(5))
    }
}
