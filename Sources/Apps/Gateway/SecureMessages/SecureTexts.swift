import NewsEvents
import NotificationHubs
import Publishing
import Rendering
import Timestamps

/// The secure stories that may be fetched, in bounded memory: beyond the limit the one that was heard of longest ago goes.
///
/// Nothing is decided here: the worker's outcomes say what was sent, and to whom.
struct SecureTexts {
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
    private let tokens: SecureTokens
    private let hubs: Set<String>
    private let byteLimit: Int
    private var stories: [Key: Entry] = [:]
    private var keysByToken: [String: [Key]] = [:]
    /// The stories as they were heard of, oldest first; all but the last mention of each count for nothing.
    private var order: [(key: Key, stamp: UInt64)] = []
    /// The index of the oldest mention in ``order``; earlier ones are gone.
    private var first = 0
    private var lastStamp: UInt64 = 0
    /// About the bytes that it takes in memory.
    private(set) var byteCount = 0

    /// Makes an empty store.
    ///
    /// - Parameters:
    ///   - gate: Says when an event's life ends.
    ///   - tokens: Makes the tokens of events; without a key nothing is found.
    ///   - hubs: The labels of the hubs for subscribers.
    ///   - byteLimit: How much is kept.
    init(gate: Gate, tokens: SecureTokens, hubs: Set<String>, byteLimit: Int) {
        self.gate = gate
        self.tokens = tokens
        self.hubs = hubs
        self.byteLimit = byteLimit
    }

    /// How many stories are kept.
    var count: Int { stories.count }

    /// Takes up a record of a topic of events.
    ///
    /// A story is secure from its first secure event on, whatever later ones say. Tests, and what an order sends to a tag
    /// alone, are for no subscriber and change nothing.
    ///
    /// - Parameters:
    ///   - event: As read.
    ///   - topic: The topic that it was read from.
    ///   - place: The place in the topic.
    mutating func take(_ event: NewsEvent, topic: String, at place: SecureStory.Place) {
        let key = Key(topic: topic, story: event.story)
        guard tokens.hasKey, event.mode == .live, event.replay?.onlyTag == nil,
            event.delivery == .secure || stories[key] != nil
        else { return }
        let token = tokens.token(for: event)
        let deadline = gate.deadline(of: event)
        change(key) { $0.take(event, at: place, token: token, deadline: deadline) }
        guard event.kind != .hold, keysByToken[token]?.contains(key) != true else { return }
        keysByToken[token, default: []].append(key)
    }

    /// Takes up an outcome; those of events that are not secure are passed over.
    ///
    /// - Parameter outcome: As read.
    mutating func take(_ outcome: OutcomeRecord) {
        guard tokens.hasKey, outcome.isSecure, !outcome.story.isEmpty, outcome.replay?.onlyTag == nil else { return }
        let sent = outcome.targets.filter {
            hubs.contains($0.request.hub) && ($0.report.status == .accepted || $0.report.status == .unknown)
        }
        // An expression that cannot be read admits nobody.
        let audience = SecureAudience(sent.compactMap { try? TagExpression(parsing: $0.request.tags) })
        let origin = outcome.origin
        let place = SecureStory.Place(partition: origin.partition.number, offset: origin.offset)
        let isFinal = outcome.isFinal
        change(Key(topic: origin.partition.topic, story: outcome.story)) {
            $0.take(audience, at: place, isFinal: isFinal)
        }
    }

    private mutating func change(_ key: Key, _ body: (inout SecureStory) -> Void) {
        var entry = stories.removeValue(forKey: key) ?? Entry()
        body(&entry.story)
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

    /// Looks for the event of a token.
    ///
    /// - Parameters:
    ///   - token: As it came with a push.
    ///   - devices: The tags of each device of the user who asks.
    ///   - now: The current time.
    /// - Returns: The event that this user may read; `nil` if there is nothing for this user.
    func find(_ token: String, for devices: [[Tag]], now: Timestamp) -> SecureStory.Found? {
        for key in keysByToken[token] ?? [] {
            if let found = stories[key]?.story.find(token, for: devices, now: now) { return found }
        }
        return nil
    }

    /// See ``SecureStory/needsDevices(_:besides:)``.
    func needsDevices(_ token: String, besides name: [[Tag]]) -> Bool {
        (keysByToken[token] ?? []).contains { stories[$0]?.story.needsDevices(token, besides: name) == true }
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
        for token in entry.story.tokens {
            keysByToken[token]?.removeAll { $0 == key }
            if keysByToken[token]?.isEmpty == true { keysByToken[token] = nil }
        }
    }
}
