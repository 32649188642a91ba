import NewsflashEvents
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashTimestamps

/// Writes events like a desk.
enum Desk {
    static let source = "https://cms.example.org/desk"

    /// An event with a headline in two of the three languages; its text differs from that of every other revision.
    static func event(
        _ id: String,
        story: String? = nil,
        revision: Int64 = 1,
        kind: EventKind = .alert,
        category: String = "world",
        headline: String = "A bridge has opened"
    ) -> NewsEvent {
        NewsEvent(
            id: id,
            source: source,
            story: story ?? "story-of-\(id)",
            revision: revision,
            kind: kind,
            published: Timestamp.now(),
            categories: [category],
            language: "en",
            text: [
                EventText(language: "en", headline: "\(headline) (\(id))"),
                EventText(language: "cs", headline: "Most je otevřen (\(id))"),
            ]
        )
    }

    /// Alerts, each with its own story.
    static func alerts(_ count: Int, _ name: String = "alert") -> [NewsEvent] {
        (1...count).map { event("\(name)-\($0)") }
    }
}

extension Newsroom {
    /// Writes events in order, each to the partition of its story, and waits until the broker has them.
    func publish(_ events: [NewsEvent]) async throws {
        let records = events.map { event in
            KafkaRecord(
                topic: names.source,
                partition: partition(of: event.story),
                key: Array(event.story.utf8),
                value: EventEncoder.encode(event)
            )
        }
        try await cluster.write(records)
    }

    /// The partition of a story's events. Any function of the story is suitable.
    func partition(of story: String) -> Int32 {
        Int32(story.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % names.partitions)
    }
}
