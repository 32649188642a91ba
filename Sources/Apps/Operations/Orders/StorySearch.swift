import NewsflashBasics
package import NewsflashEvents
import NewsflashKafka
package import NewsflashPublishing
package import NewsflashTimestamps
package import NewsflashTopicPartitions
package import NewsflashWorker

/// A story in the ledger of one source.
package struct KnownStory: Sendable {
    package let source: SourceSettings
    /// The partition of the ledger, which has the number of the source's partition.
    package let partition: TopicPartition
    /// Whether the story is for subscribers or for the test hub.
    package let mode: EventMode
    /// Its facts in the ledger; `nil` if its record cannot be read.
    package let facts: StoryFacts?
}

/// Finds a story by its name in the ledgers of all sources.
package struct StorySearch: Sendable {
    /// The result of a search.
    package struct Found: Sendable {
        /// In the order of the sources and their partitions.
        package var stories: [KnownStory] = []
        /// The keys of the story's records for replays to one tag.
        package var replays: [String] = []
        /// Similar names.
        package var near: NearNames
        /// Ledgers that could not be read to their end.
        package var faults: [(source: SourceSettings, error: OperationError)] = []
    }

    private let settings: TopicSettings
    private let story: String

    /// - Parameters:
    ///   - settings: The settings, with the sources whose ledgers are read.
    ///   - story: The name of the story, which is the key of its records.
    package init(_ settings: TopicSettings, story: String) {
        self.settings = settings
        self.story = story
    }

    /// Reads all ledgers to their present ends, at the same time.
    package func find() async -> Found {
        let parts = await withTaskGroup(of: (Int, Result<Found, OperationError>).self) { group in
            for (index, source) in settings.sources.enumerated() { group.addTask { (index, await result(of: source)) } }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        var found = Found(near: NearNames(to: story))
        for (index, source) in settings.sources.enumerated() {
            switch parts[index] {
            case .success(let part)?:
                found.stories += part.stories
                found.replays += part.replays
                found.near.merge(part.near)
            case .failure(let error)?: found.faults.append((source, error))
            case nil: break
            }
        }
        return found
    }

    private func result(of source: SourceSettings) async -> Result<Found, OperationError> {
        do throws(OperationError) {
            return .success(try await find(in: source))
        } catch {
            return .failure(error)
        }
    }

    /// The partition and key of a ledger record.
    private struct Place: Hashable {
        var partition: TopicPartition
        var key: String
    }

    private struct Part {
        var facts: [Place: StoryFacts?] = [:]
        var near: NearNames
    }

    private func find(in source: SourceSettings) async throws(OperationError) -> Found {
        let part = Locked(Part(near: NearNames(to: story)))
        let scan = TopicScan(settings.kafka, topics: [source.ledger], from: .earliest, to: .present)
        _ = try await scan.run { messages in
            part.withLock { part in
                for message in messages { read(message, into: &part) }
            }
            return true
        }
        var found = Found(near: part.withLock(\.near))
        let facts = part.withLock(\.facts)
        for place in facts.keys.sorted(by: { ($0.partition, $0.key) < ($1.partition, $1.key) }) {
            guard let mode = mode(of: place.key) else {
                found.replays.append(place.key)
                continue
            }
            found.stories.append(
                KnownStory(source: source, partition: place.partition, mode: mode, facts: facts[place] ?? nil)
            )
        }
        return found
    }

    private func read(_ message: KafkaMessage, into part: inout Part) {
        guard let bytes = message.key, !LedgerOwner.isKey(bytes.span) else { return }
        let key = String(decoding: bytes, as: UTF8.self)
        let name = String(StoryKey.story(of: key))
        let isWanted = key == story || name == story
        guard isWanted || part.near.isNear(name) else { return }
        let place = Place(partition: message.topicPartition, key: key)
        guard let value = message.value else {
            part.facts[place] = nil
            return part.near.remove(name)
        }
        let facts = (try? LedgerRecordCodec.decode(value.span))?.record
        if isWanted {
            part.facts[place] = .some(facts)
        } else if let facts {
            part.near.insert(name, changedAt: facts.changedAt)
        }
    }

    /// The mode of the story with a ledger key; `nil` for a replay to one tag.
    private func mode(of key: String) -> EventMode? {
        if key == story { return .live }
        return key == StoryKey.of(story, mode: .test, replay: nil) ? .test : nil
    }
}

/// The names of stories that are similar to a mistyped one: they differ in at most two characters, or one name begins with
/// the other.
package struct NearNames: Sendable {
    /// The maximum number of names to show.
    static let mostShown = 5
    /// The maximum number of names to keep while a ledger is read. The oldest are dropped.
    private static let mostKept = 256
    /// The maximum number of different characters.
    private static let mostEdits = 2
    /// The minimum number of characters that two names must share if one begins with the other.
    private static let shortestBeginning = 4

    private let wanted: [UInt8]
    private var changes: [String: Timestamp] = [:]

    /// - Parameter story: The name that was not found.
    init(to story: String) {
        wanted = Self.folded(story)
    }

    /// Returns whether a name is similar to the wanted one, ignoring case. Takes linear time.
    func isNear(_ name: String) -> Bool {
        let name = Self.folded(name)
        let shorter = min(name.count, wanted.count)
        if shorter >= Self.shortestBeginning, name.starts(with: wanted) || wanted.starts(with: name) { return true }
        // With two edits, almost all short names would be similar.
        return Self.edits(from: name, to: wanted, atMost: shorter < 6 ? 1 : Self.mostEdits) != nil
    }

    /// Keeps a similar name.
    package mutating func insert(_ name: String, changedAt: Timestamp) {
        changes[name] = changedAt
        guard changes.count > Self.mostKept else { return }
        let newest = changes.sorted { $0.value > $1.value }.prefix(Self.mostKept / 2)
        changes = Dictionary(newest.map { ($0.key, $0.value) }) { first, _ in first }
    }

    /// Removes a name whose ledger record was deleted.
    package mutating func remove(_ name: String) {
        changes[name] = nil
    }

    /// Adds the names of another ledger.
    mutating func merge(_ other: NearNames) {
        for (name, time) in other.changes { insert(name, changedAt: max(time, changes[name] ?? time)) }
    }

    /// The names to show, the last changed first.
    package var newest: [String] {
        changes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.mostShown).map(\.key)
    }

    private static func folded(_ name: String) -> [UInt8] {
        name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Returns how many bytes must be inserted, removed or replaced; `nil` if there are more than the limit.
    ///
    /// Only the cells of the table that are within the limit of its diagonal are computed.
    private static func edits(from left: [UInt8], to right: [UInt8], atMost limit: Int) -> Int? {
        guard abs(left.count - right.count) <= limit else { return nil }
        let far = limit + 1
        var row = (0...right.count).map { min($0, far) }
        for i in left.indices {
            var next = [Int](repeating: far, count: right.count + 1)
            if i + 1 <= limit { next[0] = i + 1 }
            for j in max(0, i - limit)..<max(max(0, i - limit), min(right.count, i + limit + 1)) {
                let replaced = row[j] + (left[i] == right[j] ? 0 : 1)
                next[j + 1] = min(replaced, row[j + 1] + 1, next[j] + 1, far)
            }
            row = next
        }
        return row[right.count] <= limit ? row[right.count] : nil
    }
}
