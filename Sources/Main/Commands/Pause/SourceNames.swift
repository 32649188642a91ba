import CommandLineArguments
import Kafka
import Locks
import Publishing
import Worker

/// The sources that commands may name: those of the configuration, of earlier orders and of recent events.
struct SourceNames {
    /// The number of newest outcomes that are searched in each partition.
    private static let reach: Int64 = 20_000

    private let settings: TopicSettings
    /// The sources of earlier orders.
    private let ordered: [String]

    init(_ settings: TopicSettings, ordered: [String]) {
        self.settings = settings
        self.ordered = ordered
    }

    /// The scopes of an order on one source.
    struct Scopes: Sendable, Equatable {
        /// At least one, the source itself first.
        var orders: [PauseScope]
        /// The topics whose events name the source: an order on one of them pauses it, too.
        var topics: Set<String> = []
    }

    /// The scopes of a name or URI.
    ///
    /// An order on a name applies to the topic, whatever URIs its events have as their source.
    ///
    /// - Parameters:
    ///   - word: A name of the configuration, or a URI.
    ///   - act: A release of a name ends the orders on each source of its events, too.
    ///   - isForced: Whether an unknown source is accepted.
    ///   - note: Prints a line for people.
    /// - Returns: The scopes of the orders to write.
    /// - Throws: ``CommandError`` with exit code 1 and the most similar known source if the source is unknown.
    func scopes(
        of word: String,
        _ act: ControlRecord.Act,
        isForced: Bool,
        note: (String) -> Void
    ) async throws(CommandError) -> Scopes {
        let named = settings.sources.first { $0.name == word }
        if let named, act == .hold { return Scopes(orders: [.topic(named.topic)]) }
        let configured = settings.sources.filter { $0.id == word }.map(\.topic)
        if named == nil, act == .hold, !configured.isEmpty || ordered.contains(word) {
            return Scopes(orders: [.source(word)])
        }
        var seen: [String: Set<String>] = [:]
        do throws(CommandError) {
            seen = try await self.seen()
        } catch {
            note("the sources of recent events are not known: \(error)".harmless)
        }
        if let named {
            let sources = [named.id] + (seen[named.topic] ?? []).subtracting([named.id]).sorted()
            return Scopes(orders: [.topic(named.topic)] + sources.map(PauseScope.source), topics: [named.topic])
        }
        let known = seen.values.reduce(into: Set<String>()) { $0.formUnion($1) }
        if isForced || known.contains(word) || ordered.contains(word) || !configured.isEmpty {
            let topics = seen.filter { $0.value.contains(word) }.keys
            return Scopes(orders: [.source(word)], topics: Set(configured).union(topics))
        }
        throw unknown(word, among: settings.sources.flatMap { [$0.name, $0.id] } + ordered + known.sorted())
    }

    private func unknown(_ word: String, among known: [String]) -> CommandError {
        let near = known.first { $0.plain == word.plain } ?? suggestion(for: word, among: known)
        let hint = near.map { " Did you mean '\($0)'?" } ?? ""
        let names = settings.sources.map { $0.name == $0.id ? "'\($0.name)'" : "'\($0.name)' (\($0.id))" }
        let text =
            "'\(word)' is neither a source of the configuration nor one of recent events, so nothing was ordered.\(hint) "
            + "Configured: \(names.joined(separator: ", ")). '--force' accepts it anyway"
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
    /// The text in lower case and without slashes at the end, because these differences are easily overlooked.
    fileprivate var plain: String { String(lowercased().reversed().drop { $0 == "/" }.reversed()) }
}

/// The running workers of a group.
enum GroupMembers {
    /// Queries the number of members of the workers' group.
    ///
    /// - Parameter settings: The cluster and the group.
    /// - Returns: The number, or the error of the query.
    static func count(_ settings: TopicSettings) async -> Result<Int, CommandError> {
        do throws(KafkaError) {
            return .success(try await KafkaAdmin(settings.kafka).memberCount(ofGroup: settings.group))
        } catch {
            let right = "Describe on the group \(settings.group)"
            return .failure(CommandError(.unavailable, settings.kafka, error, right: right))
        }
    }
}
