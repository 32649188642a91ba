import CommandLineArguments
import Kafka
import Locks
import Publishing
import Worker

/// The sources that commands may name: those of the configuration, of earlier orders and of recent events.
struct SourceNames {
    /// The newest outcomes of each partition that are searched.
    private static let reach: Int64 = 20_000

    private let settings: TopicSettings
    /// The sources of earlier orders.
    private let ordered: [String]

    init(_ settings: TopicSettings, ordered: [String]) {
        self.settings = settings
        self.ordered = ordered
    }

    /// The sources that events carry, of a name or URI.
    ///
    /// - Parameters:
    ///   - word: A name of the configuration, or a URI.
    ///   - isForced: Whether an unknown source is taken as it is.
    ///   - note: Takes a line for the person.
    /// - Returns: At least one.
    /// - Throws: ``CommandError`` with exit code 1 if the source is unknown, with the nearest that is known.
    func sources(of word: String, isForced: Bool, note: (String) -> Void) async throws(CommandError) -> [String] {
        let named = settings.sources.first { $0.name == word }
        if named == nil, settings.sources.contains(where: { $0.id == word }) || ordered.contains(word) { return [word] }
        var seen: [String: Set<String>] = [:]
        do throws(CommandError) {
            seen = try await self.seen()
        } catch {
            note("the sources of recent events are not known: \(error)".harmless)
        }
        if let named {
            return [named.id] + (seen[named.topic] ?? []).subtracting([named.id]).sorted()
        }
        let known = seen.values.reduce(into: Set<String>()) { $0.formUnion($1) }
        if isForced || known.contains(word) { return [word] }
        throw unknown(word, among: settings.sources.flatMap { [$0.name, $0.id] } + ordered + known.sorted())
    }

    private func unknown(_ word: String, among known: [String]) -> CommandError {
        let near = known.first { $0.plain == word.plain } ?? suggestion(for: word, among: known)
        let hint = near.map { " Did you mean '\($0)'?" } ?? ""
        let names = settings.sources.map { $0.name == $0.id ? "'\($0.name)'" : "'\($0.name)' (\($0.id))" }
        let text =
            "'\(word)' is neither a source of the configuration nor one of recent events, so nothing was ordered.\(hint) "
            + "Configured: \(names.joined(separator: ", ")). '--force' takes the word as it is"
        return CommandError(.foundProblems, text.harmless)
    }

    /// The sources of recent events, by the topic of the events.
    private func seen() async throws(CommandError) -> [String: Set<String>] {
        let topic = settings.topics.outcomes
        let cluster = settings.kafka
        var beginnings: [KafkaTopicPartition: Int64] = [:]
        do throws(KafkaError) {
            let admin = try KafkaAdmin(cluster)
            let found = try await admin.topics().first { $0.name == topic }
            let partitions = found?.partitions.map { KafkaTopicPartition(topic: topic, partition: $0.number) } ?? []
            guard !partitions.isEmpty else { return [:] }
            beginnings = try await admin.watermarks(of: partitions).mapValues { max($0.low, $0.high - Self.reach) }
        } catch {
            throw CommandError(.unavailable, cluster, error, right: "Read on the topic \(topic)")
        }
        let seen = Locked<[String: Set<String>]>([:])
        _ = try await TopicScan(cluster, topics: [topic], from: .offsets(beginnings), to: .present).run { messages in
            for message in messages {
                guard let value = message.value, let record = try? OutcomeRecordReader.read(value.span),
                    let source = record.source, !source.isEmpty
                else { continue }
                seen.withLock { _ = $0[record.origin.partition.topic, default: []].insert(source) }
            }
            return true
        }
        return seen.withLock { $0 }
    }
}

extension String {
    /// The text without the differences that are easily overlooked: case, and slashes at the end.
    fileprivate var plain: String { String(lowercased().reversed().drop { $0 == "/" }.reversed()) }
}

/// The workers that run.
enum GroupMembers {
    /// Asks Kafka for the number of members of the workers' group.
    ///
    /// - Parameter settings: Which cluster and group.
    /// - Returns: The number, or why it is not known.
    static func count(_ settings: TopicSettings) async -> Result<Int, CommandError> {
        do throws(KafkaError) {
            return .success(try await KafkaAdmin(settings.kafka).memberCount(ofGroup: settings.group))
        } catch {
            let right = "Describe on the group \(settings.group)"
            return .failure(CommandError(.unavailable, settings.kafka, error, right: right))
        }
    }
}
