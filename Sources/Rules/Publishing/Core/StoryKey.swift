package import NewsflashEvents

/// The name under which the ledger keeps a story.
///
/// Tests, and replays to one tag, must not change the facts of the story that subscribers see. They have their own facts under
/// another name, in the same partition.
package enum StoryKey {
    private static let test = "test:"
    private static let replay = "replay "

    /// The key of an event's story.
    ///
    /// - Parameters:
    ///   - story: Its name.
    ///   - mode: Whether the event is live or a test.
    ///   - mark: The replay of the event, if it is one.
    /// - Returns: The name, with a prefix if the event is not for all subscribers.
    package static func of(_ story: String, mode: EventMode, replay mark: ReplayMark?) -> String {
        let key = mode == .test ? test + story : story
        guard let mark, mark.onlyTag != nil else { return key }
        return "\(replay)\(mark.id) \(key)"
    }

    /// The name of the story, which is also the key of its events in their topic.
    ///
    /// - Parameter key: The key of the ledger's record.
    /// - Returns: The key without its prefixes.
    package static func story(of key: String) -> Substring {
        var story = key[...]
        if story.hasPrefix(replay) {
            // The id of a replay has no space.
            let rest = story.dropFirst(replay.count)
            if let space = rest.firstIndex(of: " "), ReplayEnvelope.isID(String(rest[..<space])) {
                story = rest[rest.index(after: space)...]
            }
        }
        return story.hasPrefix(test) ? story.dropFirst(test.count) : story
    }
}

extension NewsEvent {
    /// See ``StoryKey``.
    package var storyKey: String { StoryKey.of(story, mode: mode, replay: replay) }

    /// Whether it is for subscribers: not a test, and not a replay to one tag.
    var isForReaders: Bool { mode == .live && replay?.onlyTag == nil }
}
