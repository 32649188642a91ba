import Basics
import CommandLineArguments
import Kafka
import Publishing
import StrictJSON
import Timestamps
import TopicPartitions
import Worker

/// The sources of an order, its author and its reason.
struct PauseOptions: ParsableArguments {
    @OptionGroup var cluster: ClusterOptions

    @Option(
        help: ArgumentHelp("The source: its name in the configuration, or the URI of its events.", valueName: "source")
    )
    var source: String?

    @Flag(help: "All sources.")
    var all = false

    @Option(help: "Only for resume: the story whose news waits because its embargo was dropped.")
    var story: String?

    @Flag(help: "Accept a source that is neither configured nor known from recent events.")
    var force = false

    @OptionGroup var author: AuthorOptions

    @Flag(
        help:
            "One JSON object for each order, a line each: the order, whether it is in force, and how many workers run."
    )
    var json = false

    func validate() throws {
        guard [all, source != nil, story != nil].count(where: { $0 }) == 1 else {
            throw ValidationError("Name one '--source', or write '--all'; 'resume' also takes '--story'.")
        }
        guard (1...256).contains((story ?? "x").utf8.count) else {
            throw ValidationError("'--story' takes 1 to 256 bytes, as events have them.")
        }
        guard (1...256).contains((source ?? "x").utf8.count) else {
            throw ValidationError("'--source' takes 1 to 256 bytes, as events have them.")
        }
    }

    /// Writes the order, reads it back and prints whether it is in force.
    ///
    /// - Parameter act: Whether to pause or to resume.
    /// - Throws: ``CommandError``, with exit code 1 if the source is unknown or the order is not in force.
    func give(_ act: ControlRecord.Act) async throws {
        let settings = try cluster.read()
        let topic = ControlTopic(settings)
        let before = try await topic.holds()
        let scopes: [PauseScope]
        // The topics whose pause keeps the source paused.
        var topics: Set<String> = []
        if let story {
            scopes = [.story(story)]
        } else if let source {
            let names = SourceNames(settings, ordered: before.orders.compactMap(\.scope.source))
            let found = try await names.scopes(of: source, act, isForced: force) { StandardError.write("note: \($0)") }
            (scopes, topics) = (found.orders, found.topics)
        } else {
            // A release with the scope `all` ends only orders with this scope, so each source gets a release of its own.
            let others = Set(before.inForce.map(\.scope) + settings.sources.map { .source($0.id) })
            scopes = act == .hold ? [.all] : [.all] + others.subtracting([.all]).sorted { $0.key < $1.key }
        }
        let orders = scopes.map { ControlRecord(act, $0, by: .person(author.name), reason: author.why, at: .now()) }
        try await topic.write(orders.map(ControlOrder.source))
        let after: SourcePauses
        do throws(CommandError) {
            after = try await topic.holds()
        } catch {
            let text = "the order was written, but cannot be read back, so it may not be in force: \(error)"
            throw CommandError(.unavailable, text)
        }
        let results = orders.map { order in
            PauseResult(
                order: order,
                paused: after.pauses(on: order.scope, from: topics),
                scope: order.scope.name(settings.sources)
            )
        }
        await show(results, resuming: Set(before.inForce.map(\.scope)), settings)
        if act == .release, source != nil { showPaused(after, besides: results, settings) }
        let failures = results.filter { !$0.isInForce }
        guard failures.isEmpty else {
            throw CommandError(.foundProblems, failures.map(\.problem).joined(separator: "\n").harmlessLines)
        }
    }

    /// Prints the other pauses in force. A source of the topic may be among them, if the sources of its events are not known.
    private func showPaused(_ after: SourcePauses, besides results: [PauseResult], _ settings: TopicSettings) {
        let shown = results.filter { !$0.isInForce }.flatMap(\.paused).map(\.scope)
        for order in after.inForce where !shown.contains(order.scope) {
            let line = "still paused: \(order.line(settings.sources))".harmless
            if json { StandardError.write("note: \(line)") } else { StandardOutput.write(line) }
        }
    }

    private func show(
        _ results: [PauseResult],
        resuming scopes: Set<PauseScope>,
        _ settings: TopicSettings
    ) async {
        let workers = await GroupMembers.count(settings)
        if json {
            for result in results { StandardOutput.write(result.json(workers: try? workers.get())) }
            return
        }
        let done = results.filter(\.isInForce)
        // If there are several orders, only those that changed something are shown.
        let shown = done.filter { $0.order.scope == results[0].order.scope || scopes.contains($0.order.scope) }
        StandardOutput.write(lines: shown.map { $0.order.line(settings.sources) })
        guard !done.isEmpty else { return }
        GroupMembers.show(workers, of: settings.group, none: "it applies as soon as one starts") { count in
            count == 1 ? "acts on it within a second" : "act on it within a second"
        }
    }
}

/// An order that was written, and the pauses in force after it.
struct PauseResult {
    var order: ControlRecord
    /// The orders that now pause its source or all sources.
    var paused: [ControlRecord]
    /// The scope of the order for people.
    var scope: String

    /// Whether the order is in force for the next event.
    var isInForce: Bool { (order.act == .hold) != paused.isEmpty }

    /// Why the order is not in force, and what to do.
    var problem: String {
        guard let other = paused.first else {
            return
                "\(scope): not paused, because somebody resumed it after this order. See 'newsflash pauses', and "
                + "give the order again"
        }
        let remedy =
            other.scope == order.scope
            ? "see who paused it after this order, then resume it again"
            : other.scope == .all
                ? "resume everything with 'newsflash resume --all'"
                : "resume the whole source by its name, or everything with 'newsflash resume --all'"
        return "\(scope): still paused by the order on \(other.line()); \(remedy)"
    }

    /// The result as a JSON object.
    func json(workers: Int?) -> [UInt8] {
        JSONWriter.object { writer in
            writer.name("order")
            writer.raw(ControlOrderCodec.encode(.source(order)))
            writer.member("inForce", isInForce)
            if let other = paused.first, order.act == .release {
                writer.name("pausedBy")
                writer.raw(ControlOrderCodec.encode(.source(other)))
            }
            if let workers { writer.member("workers", Int64(workers)) }
        }
    }
}

extension SourcePauses {
    /// The orders that pause a scope: its own, those on all sources, and those on the topics of its events.
    func pauses(on scope: PauseScope, from topics: Set<String> = []) -> [ControlRecord] {
        inForce.filter { $0.scope == scope } + inForce.filter { $0.scope == .all && scope != .all }
            + inForce.filter { order in
                guard scope.source != nil, let topic = order.scope.topic else { return false }
                return topics.contains(topic)
            }
    }
}

extension String {
    /// The text with control characters escaped, line by line.
    fileprivate var harmlessLines: String {
        split(separator: "\n").map { String($0).harmless }.joined(separator: "\n")
    }
}

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
