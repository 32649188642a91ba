package import NewsEvents

/// Which events a hub takes.
package struct HubRole: Sendable, Equatable {
    /// The hub's name, as planned requests have it.
    package var name: String
    /// ``EventMode/live`` for readers' devices; ``EventMode/test`` for a hub that takes events of that mode and nothing else.
    package var mode: EventMode

    package init(_ name: String, mode: EventMode = .live) {
        self.name = name
        self.mode = mode
    }
}

extension NewsEvent {
    /// Under which name the ledger keeps its story: what tests do to a story, and orders to tell it to a tag alone, must not
    /// change what readers are told of it.
    package var storyKey: String {
        let key = mode == .test ? "test:" + story : story
        guard let replay, replay.onlyTag != nil else { return key }
        return "replay \(replay.id) \(key)"
    }

    /// Whether readers get it: a test is for no reader, and neither is what an order tells to one tag alone.
    var isForReaders: Bool { mode == .live && replay?.onlyTag == nil }
}
