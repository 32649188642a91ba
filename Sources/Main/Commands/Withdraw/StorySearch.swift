import Kafka
import Locks
import NewsEvents
import Publishing
import Worker

/// A story in the ledger of one source.
struct KnownStory: Sendable {
    let source: SourceSettings
    /// The partition of the ledger, which has the number of the source's partition.
    let partition: KafkaTopicPartition
    /// Whether the story is for subscribers or for the test hub.
    let mode: EventMode
    /// Its facts in the ledger; `nil` if its record cannot be read.
    let facts: StoryFacts?
}

/// Finds a story by its name in the ledgers of all sources.
struct StorySearch: Sendable {
    /// The result of a search.
    struct Found: Sendable {
        /// In the order of the sources and their partitions.
        var stories: [KnownStory] = []
        /// The keys of the story's records for replays to one tag.
        var replays: [String] = []
        /// Similar names.
        var near: NearNames
        /// Ledgers that could not be read to their end.
        var faults: [(source: SourceSettings, error: CommandError)] = []
    }

    private let settings: TopicSettings
    private let story: String

    /// - Parameters:
    ///   - settings: The settings, with the sources whose ledgers are read.
    ///   - story: The name of the story, which is the key of its records.
    init(_ settings: TopicSettings, story: String) {
        self.settings = settings
        self.story = story
    }

    /// Reads each ledger to its present end.
    func find() async -> Found {
        var found = Found(near: NearNames(to: story))
        for source in settings.sources {
            do throws(CommandError) {
                let part = try await find(in: source)
                found.stories += part.stories
                found.replays += part.replays
                found.near.merge(part.near)
            } catch {
                found.faults.append((source, error))
            }
        }
        return found
    }

    /// The partition and key of a ledger record.
    private struct Place: Hashable {
        var partition: KafkaTopicPartition
        var key: String
    }

    private struct Part {
        var facts: [Place: StoryFacts?] = [:]
        var near: NearNames
    }

    private func find(in source: SourceSettings) async throws(CommandError) -> Found {
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
