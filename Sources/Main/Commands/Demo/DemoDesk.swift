import HubEmulator
import Kafka
import NewsEvents

/// The desk behind the console: what someone writes there goes into Kafka, and through the worker to the phones.
struct DemoDesk: NewsDesk {
    let facts: NewsroomFacts
    let producer: KafkaProducer
    let topic: String

    func publish(_ event: [UInt8]) async -> String? {
        switch EventDecoder(defaultSource: "urn:demo:console").decode(bytes: event) {
        case .event(let event, _):
            let key = Array(event.story.utf8)
            producer.produce([KafkaRecord(topic: topic, key: key, value: EventEncoder.encode(event))])
            let isTaken = await producer.flush(deadline: .seconds(10))
            return isTaken ? nil : "the topic did not take it within 10 seconds; it may come all the same"
        case .rejected(let rejection): return "\(rejection.reason.rawValue): \(rejection.detail)"
        case .tombstone: return "the event has no bytes"
        }
    }
}
