package import NewsEvents

/// Under which name the ledger keeps a story.
///
/// What tests do to a story, and orders to tell it to a tag alone, must not change what readers are told of it: each has a
/// memory of its own beside the readers', in the same partition.
package enum StoryKey {
    private static let test = "test:"
    private static let replay = "replay "

    /// The key of an event's story.
    ///
    /// - Parameters:
    ///   - story: Its name.
    ///   - mode: For readers or for a test.
    ///   - mark: The order that told it again, if one did.
    /// - Returns: The name, with a mark before it where it is not for readers.
    package static func of(_ story: String, mode: EventMode, replay mark: ReplayMark?) -> String {
        let key = mode == .test ? test + story : story
        guard let mark, mark.onlyTag != nil else { return key }
        return "\(replay)\(mark.id) \(key)"
    }

    /// The name of the story, which is the key of its events in their topic as well.
    ///
    /// - Parameter key: What the ledger's record has.
    /// - Returns: The key without its marks.
    package static func story(of key: String) -> Substring {
        var story = key[...]
        if story.hasPrefix(replay) {
            // An order's id has no space.
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

    /// Whether readers get it: a test is for no reader, and neither is what an order tells to one tag alone.
    var isForReaders: Bool { mode == .live && replay?.onlyTag == nil }
}
