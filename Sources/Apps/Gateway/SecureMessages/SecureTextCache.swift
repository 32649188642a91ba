import NewsflashEvents
import NewsflashPublishing
import NewsflashRendering
import NewsflashTimestamps
import NewsflashTopicPartitions
import NotificationHubs

/// The stories of secure events, with a memory limit. If it is exceeded, the story without news for the longest time is
/// dropped.
///
/// Makes no decisions: the worker's outcomes show what was sent to which audience.
struct SecureTextCache {
    /// The key of a story; as in the worker, it includes the topic.
    private struct Key: Hashable {
        var topic: String
        var story: String
    }

    private struct Entry {
        var story = SecureStory()
        var byteCount = 0
        /// The number of the story's last entry in ``order``.
        var stamp: UInt64 = 0
    }

    private let gate: AdmissionRules
    private let tokens: SecureTokens
    private let hubs: Set<String>
    private let byteLimit: Int
    private var stories: [Key: Entry] = [:]
    private var keysByToken: [String: [Key]] = [:]
    /// The stories in the order of their records, oldest first; only the last entry of each story is valid.
    private var order: [(key: Key, stamp: UInt64)] = []
    /// The index of the oldest remaining entry in ``order``.
    private var first = 0
    private var lastStamp: UInt64 = 0
    /// The approximate memory use in bytes.
    private(set) var byteCount = 0

    /// Creates an empty store.
    ///
    /// - Parameters:
    ///   - gate: Determines when an event expires.
    ///   - tokens: Derives the tokens of events; without a key nothing is found.
    ///   - hubs: The labels of the hubs for subscribers.
    ///   - byteLimit: The memory limit in bytes.
    init(gate: AdmissionRules, tokens: SecureTokens, hubs: Set<String>, byteLimit: Int) {
        self.gate = gate
        self.tokens = tokens
        self.hubs = hubs
        self.byteLimit = byteLimit
    }

    /// The number of stories stored.
    var count: Int { stories.count }

    /// Adds a record of a topic of events.
    ///
    /// A story stays secure from its first secure event on. Test events, and replays to a single tag, are not for subscribers
    /// and are
    /// ignored.
    ///
    /// - Parameters:
    ///   - event: The decoded event.
    ///   - topic: The topic of the record.
    ///   - place: The position of the record.
    mutating func add(_ event: NewsEvent, topic: String, at place: SecureStory.Place) {
        let key = Key(topic: topic, story: event.story)
        guard tokens.hasKey, event.mode == .live, event.replay?.onlyTag == nil,
            event.delivery == .secure || stories[key] != nil
        else { return }
        let token = tokens.token(for: event)
        let deadline = gate.deadline(of: event)
        change(key) { $0.add(event, at: place, token: token, deadline: deadline) }
        guard event.kind != .hold, keysByToken[token]?.contains(key) != true else { return }
        keysByToken[token, default: []].append(key)
    }

    /// Adds an outcome; outcomes of other events are ignored.
    ///
    /// - Parameter outcome: The decoded outcome.
    mutating func add(_ outcome: OutcomeRecord) {
        guard tokens.hasKey, outcome.isSecure, !outcome.story.isEmpty, outcome.replay?.onlyTag == nil else { return }
        let sent = outcome.targets.filter {
            hubs.contains($0.request.hub) && ($0.report.status == .accepted || $0.report.status == .unknown)
        }
        // An expression that cannot be parsed matches nobody.
        let audience = SecureAudience(sent.compactMap { try? TagExpression(parsing: $0.request.tags) })
        let origin = outcome.origin
        let place = SecureStory.Place(partition: origin.partition.partition, offset: origin.offset)
        let isFinal = outcome.isFinal
        change(Key(topic: origin.partition.topic, story: outcome.story)) {
            $0.add(audience, at: place, isFinal: isFinal)
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

    /// Finds the event of a token.
    ///
    /// - Parameters:
    ///   - token: The token from the push.
    ///   - devices: The tags of each of the user's devices.
    ///   - now: The current time.
    /// - Returns: The event for this user; `nil` if none exists.
    func find(_ token: String, for devices: [[Tag]], now: Timestamp) -> SecureStory.Found? {
        for key in keysByToken[token] ?? [] {
            if let found = stories[key]?.story.find(token, for: devices, now: now) { return found }
        }
        return nil
    }

    /// Whether the event of a token, or its outcome, is not read yet.
    ///
    /// - Returns: Also `true` for a token that belongs to no event: a gateway cannot tell it from one of an event to come.
    func isPending(_ token: String, for devices: [[Tag]], now: Timestamp) -> Bool {
        guard keysByToken[token] != nil else { return true }
        return if case .undecided = find(token, for: devices, now: now) { true } else { false }
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

    /// Removes invalid entries of ``order``; the cost is amortized over the changes that added them.
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
