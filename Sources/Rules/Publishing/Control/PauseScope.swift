package import NewsflashTopicPartitions

/// The events that an order pauses or resumes.
package enum PauseScope: Hashable, Sendable {
    case all
    /// The events of one source, as in their `source`.
    case source(String)
    /// The events of one topic, with any source.
    case topic(String)
    /// One event that waits for a person; only a resume can have an event.
    case event(ResumedEvent)

    /// The source; `nil` for every other scope.
    package var source: String? {
        if case .source(let source) = self { source } else { nil }
    }

    /// The topic; `nil` for every other scope.
    package var topic: String? {
        if case .topic(let topic) = self { topic } else { nil }
    }

    /// The event; `nil` for every other scope.
    package var event: ResumedEvent? {
        if case .event(let event) = self { event } else { nil }
    }

    /// Whether it covers the event of a record.
    func covers(_ source: String, in partition: TopicPartition, at offset: Int64) -> Bool {
        switch self {
        case .all: true
        case .source(let covered): covered == source
        case .topic(let topic): topic == partition.topic
        case .event(let event): event.partition == partition && event.offset == offset
        }
    }

    /// Its name in keys of the control topic.
    package var key: String {
        switch self {
        case .all: "all"
        case .source(let source): "source \(source)"
        case .topic(let topic): "topic \(topic)"
        case .event(let event): "event \(event.partition) \(event.offset)"
        }
    }

    /// The scope with a name; `nil` if no scope has it, and for an event, of which the name contains only the position.
    ///
    /// - Parameter key: A value of ``key``.
    package init?(key: String) {
        if key == "all" {
            self = .all
        } else if key.hasPrefix("source "), key.utf8.count > 7 {
            self = .source(String(key.dropFirst(7)))
        } else if key.hasPrefix("topic "), key.utf8.count > 6 {
            self = .topic(String(key.dropFirst(6)))
        } else {
            return nil
        }
    }
}

extension PauseScope: CustomStringConvertible {
    package var description: String {
        switch self {
        case .all: "all sources"
        case .source(let source): source
        case .topic(let topic): "topic \(topic)"
        case .event(let event): "event \(event.id) of story \(event.story)"
        }
    }
}

/// The event of a resume, with the position of its record, which is unique.
package struct ResumedEvent: Hashable, Sendable {
    package var id: String
    package var story: String
    package var partition: TopicPartition
    package var offset: Int64

    package init(id: String, story: String, partition: TopicPartition, offset: Int64) {
        self.id = id
        self.story = story
        self.partition = partition
        self.offset = offset
    }
}
