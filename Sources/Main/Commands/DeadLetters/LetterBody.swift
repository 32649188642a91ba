import Kafka
import Locks
import NewsEvents
import Publishing
import Timestamps
import Worker

/// A dead letter whole: the original with its headers, and ours.
struct LetterBody: Sendable {
    let key: [UInt8]?
    let value: [UInt8]?
    let headers: [KafkaHeader]

    /// The headers that the original had.
    var ownHeaders: [KafkaHeader] {
        headers.filter { !$0.name.hasPrefix(DeadLetter.headerPrefix) && !$0.name.hasPrefix(RedriveHeader.prefix) }
    }

    /// The original for a rehearsal.
    var rehearsed: RehearsalRecord {
        RehearsalRecord(
            key: key,
            value: value,
            headers: ownHeaders.map { EventHeader(name: $0.name, value: $0.value) }
        )
    }
}

/// Reads dead letters whole, once it is known which ones matter.
enum LetterBodies {
    /// Reads letters.
    ///
    /// - Parameters:
    ///   - places: Which ones.
    ///   - settings: Name the topic.
    /// - Returns: Those that are still there.
    /// - Throws: ``CommandError`` where the topic cannot be read.
    static func read(
        _ places: [LetterPlace],
        _ settings: TopicSettings
    ) async throws(CommandError) -> [LetterPlace: LetterBody] {
        guard !places.isEmpty else { return [:] }
        let wanted = Set(places)
        var begins: [KafkaTopicPartition: Int64] = [:]
        var ends: [KafkaTopicPartition: Int64] = [:]
        for place in places {
            let partition = KafkaTopicPartition(topic: settings.topics.deadLetters, partition: place.partition)
            begins[partition] = min(begins[partition] ?? place.offset, place.offset)
            ends[partition] = max(ends[partition] ?? 0, place.offset + 1)
        }
        let bodies = Locked<[LetterPlace: LetterBody]>([:])
        let topics = [settings.topics.deadLetters]
        _ = try await TopicScan(settings.kafka, topics: topics, from: .offsets(begins), to: .offsets(ends)).run {
            messages in
            for message in messages {
                let place = LetterPlace(message)
                guard wanted.contains(place) else { continue }
                let body = LetterBody(key: message.key, value: message.value, headers: message.headers)
                bodies.withLock { $0[place] = body }
            }
            return true
        }
        return bodies.withLock { $0 }
    }
}
