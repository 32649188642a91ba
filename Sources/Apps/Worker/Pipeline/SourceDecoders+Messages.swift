import Kafka
import NewsEvents
import Publishing

extension SourceDecoders {
    /// Reads a message where it lies.
    func decode(_ message: KafkaMessage) -> DecodeOutcome {
        let headers = message.headers.map { EventHeader(name: $0.name, value: $0.value) }
        let decoder = self[message.topic]
        return message.withValue { decoder.decode(value: $0, headers: headers) }
    }

    /// Reads a copy of a message of a topic.
    func decode(_ copy: RecordCopy, of topic: String) -> DecodeOutcome {
        let headers = copy.headers.map { EventHeader(name: $0.name, value: $0.value) }
        return self[topic].decode(bytes: copy.value, headers: headers)
    }
}
