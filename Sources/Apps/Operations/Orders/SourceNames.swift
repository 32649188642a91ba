import NewsflashBasics
import NewsflashCommandLineArguments
import NewsflashKafka
package import NewsflashPublishing
import NewsflashTopicPartitions
package import NewsflashWorker

extension SourcePauses {
    /// The orders that pause a scope.
    ///
    /// - Parameters:
    ///   - scope: The scope.
    ///   - topics: The topics of its events.
    ///   - waiting: The waiting events that scopes name.
    /// - Returns: The orders on itself, on all sources, and on the topics of its events.
    package func pauses(
        on scope: PauseScope,
        from topics: Set<String> = [],
        waiting: [WaitingEvent] = []
    ) -> [ControlRecord] {
        if scope.event != nil {
            return waiting.filter { $0.scope == scope }
                .compactMap { found in
                    found.event.flatMap { pause(on: $0, in: found.partition, at: found.waiting.offset) }
                }
        }
        return inForce.filter { $0.scope == scope } + inForce.filter { $0.scope == .all && scope != .all }
            + inForce.filter { order in
                guard scope.source != nil, let topic = order.scope.topic else { return false }
                return topics.contains(topic)
            }
    }
}

/// The sources that commands may name: those of the configuration, of earlier orders and of recent events.
package struct SourceNames {
    /// The number of newest outcomes that are searched in each partition.
    private static let reach: Int64 = 20_000

    private let settings: TopicSettings
    /// The sources of earlier orders.
    private let ordered: [String]

    package init(_ settings: TopicSettings, ordered: [String]) {
        self.settings = settings
        self.ordered = ordered
    }

    /// The scopes of an order on one source.
    package struct Scopes: Sendable, Equatable {
        /// At least one, the source itself first.
        package var orders: [PauseScope]
        /// The topics whose events name the source: an order on one of them pauses it, too.
        package var topics: Set<String> = []
    }

    /// The scopes of a name or URI.
    ///
    /// An order on a name applies to the topic, whatever URIs its events have as their source.
    ///
    /// - Parameters:
    ///   - word: A name of the configuration, or a URI.
    ///   - act: A resume of a name ends the orders on each source of its events, too.
    ///   - isForced: Whether an unknown source is accepted.
    ///   - note: Prints a line for people.
    /// - Returns: The scopes of the orders to write.
    /// - Throws: ``OperationError`` with exit code 1 and the most similar known source if the source is unknown.
    package func scopes(
        of word: String,
        _ act: ControlRecord.Act,
        isForced: Bool,
        note: (String) -> Void
    ) async throws(OperationError) -> Scopes {
        let named = settings.sources.first { $0.name == word }
        if let named, act == .pause { return Scopes(orders: [.topic(named.topic)]) }
        let configured = settings.sources.filter { $0.id == word }.map(\.topic)
        if named == nil, act == .pause, !configured.isEmpty || ordered.contains(word) {
            return Scopes(orders: [.source(word)])
        }
        var seen: [String: Set<String>] = [:]
        do throws(OperationError) {
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

    private func unknown(_ word: String, among known: [String]) -> OperationError {
        let near = known.first { $0.plain == word.plain } ?? suggestion(for: word, among: known)
        let hint = near.map { " Did you mean '\($0)'?" } ?? ""
        let names = settings.sources.map { $0.name == $0.id ? "'\($0.name)'" : "'\($0.name)' (\($0.id))" }
        let text =
            "'\(word)' is neither a source of the configuration nor one of recent events, so nothing was ordered.\(hint) "
            + "Configured: \(names.joined(separator: ", ")). '--force' accepts it anyway"
        return OperationError(.foundProblems, text.harmless)
    }

    /// The sources of recent events, by the topic of the events.
    private func seen() async throws(OperationError) -> [String: Set<String>] {
        let topic = settings.topics.outcomes
        let cluster = settings.kafka
        var beginnings: [TopicPartition: Int64] = [:]
        do throws(KafkaError) {
            let admin = try KafkaAdmin(cluster)
            let found = try await admin.topics().first { $0.name == topic }
            let partitions = found?.partitions.map { TopicPartition(topic: topic, partition: $0.number) } ?? []
            // Without the topic the scan below fails with the reason.
            if !partitions.isEmpty {
                beginnings = try await admin.watermarks(of: partitions).mapValues { max($0.low, $0.high - Self.reach) }
            }
        } catch {
            throw OperationError(.unavailable, cluster, error, right: "Read on the topic \(topic)")
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
