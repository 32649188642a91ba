import Kafka
import NewsEvents
import Publishing

/// A record of the source with what it says, as the reader's thread hands it over.
struct ReadRecord: Sendable {
    let message: KafkaMessage
    let content: DecodeOutcome
    /// Of an event.
    let digest: ContentDigest?

    /// Reads a message.
    ///
    /// - Parameters:
    ///   - message: As it came.
    ///   - decode: Tells what it says.
    init(_ message: KafkaMessage, _ decode: (KafkaMessage) -> DecodeOutcome) {
        self.message = message
        content = decode(message)
        if case .event(let event, warnings: _) = content { digest = ContentDigest(of: event) } else { digest = nil }
    }
}
