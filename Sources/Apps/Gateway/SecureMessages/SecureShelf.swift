import NewsEvents
import Publishing
import Timestamps

/// The secure stories that may be fetched, in bounded memory: beyond the limit the one that was heard of longest ago goes.
struct SecureShelf {
    /// A story is one of its topic, as for the worker.
    private struct Key: Hashable {
        var topic: String
        var story: String
    }

    private struct Entry {
        var story = SecureStory()
        var byteCount = 0
        /// Tells its last mention in ``order`` from earlier ones.
        var stamp: UInt64 = 0
    }

    private let gate: Gate
    private let byteLimit: Int
    private var stories: [Key: Entry] = [:]
    private var keysByID: [String: [Key]] = [:]
    /// The stories as they were heard of, oldest first; all but the last mention of each count for nothing.
    private var order: [(key: Key, stamp: UInt64)] = []
    /// Where the oldest mention is; what lies before is gone.
    private var first = 0
    private var lastStamp: UInt64 = 0
    /// What it takes in memory, about.
    private(set) var byteCount = 0

    /// Makes an empty shelf.
    ///
    /// - Parameters:
    ///   - gate: Says what goes out to readers, as it does to the worker.
    ///   - byteLimit: How much is kept.
    init(gate: Gate, byteLimit: Int) {
        self.gate = gate
        self.byteLimit = byteLimit
    }

    /// How many stories are kept.
    var count: Int { stories.count }

    /// Takes up an event of a source.
    ///
    /// A story is secure from its first secure event on, whatever later ones say and whatever became of that one. What the
    /// worker would not send, nobody may fetch.
    ///
    /// - Parameters:
    ///   - event: As read.
    ///   - topic: Where.
    ///   - arrival: When the record was written.
    mutating func take(_ event: NewsEvent, topic: String, arrival: Timestamp) {
        let key = Key(topic: topic, story: event.storyKey)
        guard event.delivery == .secure || stories[key] != nil else { return }
        var entry = stories[key] ?? Entry()
        let isNews =
            isAdmitted(event, arrival) && entry.story.take(event, deadline: gate.deadline(of: event), now: arrival)
        if isNews { keysByID[event.id, default: []].append(key) }
        byteCount -= entry.byteCount
        entry.byteCount = entry.story.byteCount + 2 * (key.topic.utf8.count + key.story.utf8.count)
        byteCount += entry.byteCount
        lastStamp += 1
        entry.stamp = lastStamp
        stories[key] = entry
        order.append((key, lastStamp))
        while byteCount > byteLimit, let oldest = popOldest() { remove(oldest) }
        tidyUp()
    }

    /// Looks for what an id stands for; ids are those of their sources, so several events may have one.
    ///
    /// - Parameters:
    ///   - id: As it came with a push.
    ///   - user: Who asks.
    ///   - now: The present.
    /// - Returns: What this user may have of it.
    func find(_ id: String, for user: String, now: Timestamp) -> SecureStory.Found? {
        for key in keysByID[id] ?? [] {
            if let found = stories[key]?.story.find(id, for: user, now: now) { return found }
        }
        return nil
    }

    /// Whether the worker sends it, at once or when its embargo is over. A kill counts even where it comes too late to be told.
    private func isAdmitted(_ event: NewsEvent, _ arrival: Timestamp) -> Bool {
        if event.kind == .kill { return true }
        guard case .admit = gate.decide(event, story: nil, digest: ContentDigest(value: 0), now: arrival) else {
            return false
        }
        if case .approval = gate.wait(on: event, since: arrival, now: arrival) { return false }
        return true
    }

    private mutating func popOldest() -> Key? {
        while first < order.count {
            let (key, stamp) = order[first]
            first += 1
            if stories[key]?.stamp == stamp { return key }
        }
        return nil
    }

    /// Forgets mentions that count for nothing; each step here was paid for by one of them.
    private mutating func tidyUp() {
        guard order.count > 2 * stories.count + 64 else { return }
        order.removeSubrange(..<first)
        first = 0
        order.removeAll { stories[$0.key]?.stamp != $0.stamp }
    }

    private mutating func remove(_ key: Key) {
        guard let entry = stories.removeValue(forKey: key) else { return }
        byteCount -= entry.byteCount
        for id in entry.story.ids {
            keysByID[id]?.removeAll { $0 == key }
            if keysByID[id]?.isEmpty == true { keysByID[id] = nil }
        }
    }
}
