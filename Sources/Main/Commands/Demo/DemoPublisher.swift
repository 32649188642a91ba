import HubEmulator
import Kafka
import NewsEvents

/// The desk of the console: news written there goes to Kafka, and through the worker to the phones.
struct DemoPublisher: NewsPublisher {
    let facts: NewsroomFacts
    let producer: KafkaProducer
    let topic: String

    func publish(_ event: [UInt8]) async -> String? {
        switch EventDecoder(defaultSource: "urn:demo:console").decode(bytes: event) {
        case .event(let event, _):
            let key = Array(event.story.utf8)
            producer.produce([KafkaRecord(topic: topic, key: key, value: EventEncoder.encode(event))])
            let isTaken = await producer.flush(deadline: .seconds(10))
            return isTaken ? nil : "Kafka did not confirm the event within 10 seconds; it may still be published"
        case .rejected(let rejection): return "\(rejection.reason.rawValue): \(rejection.detail)"
        case .tombstone: return "the event has no bytes"
        }
    }
}
