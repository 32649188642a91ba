/// The events that an order pauses or resumes.
package enum PauseScope: Hashable, Sendable {
    case all
    /// The events of one source, as in their `source`.
    case source(String)
    /// The events of one topic, with any source.
    case topic(String)
    /// The events of one story that wait because their embargo was dropped; only a release can have a story.
    case story(String)

    /// The source; `nil` for every other scope.
    package var source: String? {
        if case .source(let source) = self { source } else { nil }
    }

    /// The topic; `nil` for every other scope.
    package var topic: String? {
        if case .topic(let topic) = self { topic } else { nil }
    }

    /// The story; `nil` for every other scope.
    package var story: String? {
        if case .story(let story) = self { story } else { nil }
    }

    /// Its name in keys of the control topic.
    package var key: String {
        switch self {
        case .all: "all"
        case .source(let source): "source \(source)"
        case .topic(let topic): "topic \(topic)"
        case .story(let story): "story \(story)"
        }
    }

    /// The scope with a name; `nil` if no scope has it.
    ///
    /// - Parameter key: A value of ``key``.
    package init?(key: String) {
        if key == "all" {
            self = .all
        } else if key.hasPrefix("source "), key.utf8.count > 7 {
            self = .source(String(key.dropFirst(7)))
        } else if key.hasPrefix("topic "), key.utf8.count > 6 {
            self = .topic(String(key.dropFirst(6)))
        } else if key.hasPrefix("story "), key.utf8.count > 6 {
            self = .story(String(key.dropFirst(6)))
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
        case .story(let story): "story \(story)"
        }
    }
}
