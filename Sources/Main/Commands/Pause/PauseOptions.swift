import NewsflashCommandLineArguments
import NewsflashOperations
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashWorker

/// The sources of an order, its author and its reason.
struct PauseOptions: ParsableArguments {
    @OptionGroup var cluster: ClusterOptions

    @Option(
        help: ArgumentHelp("The source: its name in the configuration, or the URI of its events.", valueName: "source")
    )
    var source: String?

    @Flag(help: "All sources.")
    var all = false

    @Flag(help: "Accept a source that is neither configured nor known from recent events.")
    var force = false

    @OptionGroup var author: AuthorOptions

    @Flag(
        help:
            "One JSON object for each order, a line each: the order, whether it is in force, and how many workers run."
    )
    var json = false

    func validate() throws {
        guard (1...256).contains((source ?? "x").utf8.count) else {
            throw ValidationError("'--source' takes 1 to 256 bytes, as events have them.")
        }
    }

    /// Checks that there is one scope: a source, all sources or an event.
    func requireOneScope(_ event: String? = nil) throws {
        guard [all, source != nil, event != nil].count(where: { $0 }) == 1 else {
            throw ValidationError("Name one '--source', or write '--all'; 'resume' also takes '--event'.")
        }
    }

    /// Writes the order, reads it back and prints whether it is in force.
    ///
    /// - Parameters:
    ///   - act: Whether to pause or to resume.
    ///   - event: The only event to resume; `nil` for a source or all sources.
    /// - Throws: ``OperationError``, with exit code 1 if the source is unknown, the event does not wait for a person, or the
    ///   order is not in force.
    func give(_ act: ControlRecord.Act, on event: String? = nil) async throws {
        let name = try author.name()
        let settings = try cluster.read()
        let topic = ControlTopic(settings)
        let before = try await topic.pauses()
        let scopes: [PauseScope]
        // The topics whose pause keeps the source paused.
        var topics: Set<String> = []
        var waiting: [WaitingEvent] = []
        if let event {
            waiting = try await WaitingEvents.read(settings).resumable(event)
            scopes = waiting.map(\.scope)
        } else if let source {
            let names = SourceNames(settings, ordered: before.orders.compactMap(\.scope.source))
            let found = try await names.scopes(of: source, act, isForced: force) { StandardError.write("note: \($0)") }
            (scopes, topics) = (found.orders, found.topics)
        } else {
            // A resume with the scope `all` ends only orders with this scope, so each source gets a resume of its own.
            let others = Set(before.inForce.map(\.scope) + settings.sources.map { .source($0.id) })
            scopes = act == .pause ? [.all] : [.all] + others.subtracting([.all]).sorted { $0.key < $1.key }
        }
        let orders = scopes.map { ControlRecord(act, $0, by: .person(name), reason: author.why, at: .now()) }
        try await topic.write(orders.map(ControlOrder.source))
        let after: SourcePauses
        do throws(OperationError) {
            after = try await topic.pauses()
        } catch {
            let text = "the order was written, but cannot be read back, so it may not be in force: \(error)"
            throw OperationError(.unavailable, text)
        }
        let results = orders.map { order in
            PauseResult(
                order: order,
                paused: after.pauses(on: order.scope, from: topics, waiting: waiting),
                scope: order.scope.name(settings.sources)
            )
        }
        await show(results, resuming: Set(before.inForce.map(\.scope)), settings)
        if act == .resume, source != nil { showPaused(after, besides: results, settings) }
        let failures = results.filter { !$0.isInForce }
        guard failures.isEmpty else {
            throw OperationError(.foundProblems, failures.map(\.problem).joined(separator: "\n"))
        }
    }

    /// Prints the other pauses in force. A source of the topic may be among them, if the sources of its events are not known.
    private func showPaused(_ after: SourcePauses, besides results: [PauseResult], _ settings: TopicSettings) {
        let shown = results.filter { !$0.isInForce }.flatMap(\.paused).map(\.scope)
        for order in after.inForce where !shown.contains(order.scope) {
            let line = "still paused: \(order.line(settings.sources))"
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
        // If there are several orders on sources, only those that changed something are shown.
        let shown = done.filter { result in
            let scope = result.order.scope
            return scope == results[0].order.scope || scope.event != nil || scopes.contains(scope)
        }
        StandardOutput.write(lines: shown.map { $0.order.line(settings.sources) })
        guard !done.isEmpty else { return }
        GroupMembers.show(workers, of: settings.group, none: "it applies as soon as one starts") { count in
            count == 1 ? "acts on it within a second" : "act on it within a second"
        }
    }
}
