import Kafka
import Locks
import NewsEvents
import Publishing
import Timestamps
import Worker

/// A complete dead letter: the original with its headers, and the headers of newsflash.
struct DeadLetterBody: Sendable {
    let key: [UInt8]?
    let value: [UInt8]?
    let headers: [KafkaHeader]

    /// The headers of the original.
    var ownHeaders: [KafkaHeader] {
        headers.filter { !$0.name.hasPrefix(DeadLetter.headerPrefix) && !$0.name.hasPrefix(RedriveHeader.prefix) }
    }

    /// The original as input of a rehearsal.
    var rehearsed: RehearsalRecord {
        RehearsalRecord(
            key: key,
            value: value,
            headers: ownHeaders.map { EventHeader(name: $0.name, value: $0.value) }
        )
    }
}

/// Reads complete dead letters.
enum LetterBodies {
    /// Reads dead letters.
    ///
    /// - Parameters:
    ///   - places: The positions.
    ///   - settings: The settings with the topic.
    /// - Returns: The dead letters that still exist.
    /// - Throws: ``CommandError`` if the topic cannot be read.
    static func read(
        _ places: [DeadLetterPosition],
        _ settings: TopicSettings
    ) async throws(CommandError) -> [DeadLetterPosition: DeadLetterBody] {
        guard !places.isEmpty else { return [:] }
        let wanted = Set(places)
        var begins: [KafkaTopicPartition: Int64] = [:]
        var ends: [KafkaTopicPartition: Int64] = [:]
        for place in places {
            let partition = KafkaTopicPartition(topic: settings.topics.deadLetters, partition: place.partition)
            begins[partition] = min(begins[partition] ?? place.offset, place.offset)
            ends[partition] = max(ends[partition] ?? 0, place.offset + 1)
        }
        let bodies = Locked<[DeadLetterPosition: DeadLetterBody]>([:])
        let topics = [settings.topics.deadLetters]
        _ = try await TopicScan(settings.kafka, topics: topics, from: .offsets(begins), to: .offsets(ends)).run {
            messages in
            for message in messages {
                let place = DeadLetterPosition(message)
                guard wanted.contains(place) else { continue }
                let body = DeadLetterBody(key: message.key, value: message.value, headers: message.headers)
                bodies.withLock { $0[place] = body }
            }
            return true
        }
        return bodies.withLock { $0 }
    }
}
