import NewsflashCommandLineArguments
import NewsflashOperations
import NewsflashTimestamps
import NewsflashWorker

/// `newsflash outcomes`
struct OutcomesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outcomes",
        abstract: "Show what happened to an event or a story, step by step, from the outcomes and the ledger.",
        discussion: """
            Shows when an event was published, written, read and sent, the result of each request, and the reason if it was
            not sent. Then shows the ledger record of its story: the audiences that were notified or may have been, and the
            waiting events with the cause and the end of the wait. Times are UTC. The text of the news is not shown.

            Use the tracking id for the hub's own telemetry and for Microsoft's support. "Accepted" means that the hub
            accepted the request; it does not mean that devices received it.

            Searches the outcomes that were written in the last 24 hours; --since goes further back. --follow prints new
            outcomes until it is stopped. --json prints a line for each outcome as it is in the topic, and one for the
            ledger record.

            'newsflash tap' shows the outcomes of all events.

            Exit codes: 0 something was found, 1 nothing was found, 69 Kafka cannot be read (the outcomes are shown, even if
            the ledger cannot be read), 78 bad configuration.

            Examples:
              newsflash outcomes --event 8d1f0c52-flash
              newsflash outcomes --story urn:desk:42 --since 7d
              newsflash outcomes --story urn:desk:42 --follow
              newsflash outcomes --event 8d1f0c52-flash --json --brokers 127.0.0.1:9092
            """
    )

    @OptionGroup var options: TopicOptions

    @OptionGroup var times: TimeOptions

    @Option(help: ArgumentHelp("The id of the event.", valueName: "id"))
    var event: String?

    @Option(help: "The story, with all its events.")
    var story: String?

    @Flag(help: "Follow: print new outcomes as they arrive.")
    var follow = false

    @Flag(help: "One JSON object for each outcome and for the ledger record, a line each.")
    var json = false

    /// How far back the search goes without `--since`: 24 hours.
    private static let usualReach = Duration.seconds(86_400)

    func validate() throws {
        guard (event == nil) != (story == nil) else {
            throw ValidationError(
                "Name either one '--event' or one '--story'; 'newsflash tap --since 10m' shows the outcomes of all."
            )
        }
        guard !(event ?? story ?? "").isEmpty else {
            throw ValidationError("'--event' and '--story' take an id, and this one is empty.")
        }
        if follow, times.until != nil { throw ValidationError("'--follow' has no end: leave '--until' out.") }
    }

    func run() async throws {
        let settings = try options.read()
        let now = Timestamp.now()
        let range = try times.range(now: now)
        let since = range.since ?? now - Self.usualReach
        let subject: OutcomeSubject = if let event { .event(event) } else { .story(story ?? "") }
        let search = OutcomeSearch(settings, subject)
        let found = try await search.stream.outcomes(from: .time(since), to: range.until.map { .time($0) } ?? .present)
        if found.unreadable > 0 {
            let heading = counted(found.unreadable, "record")
            StandardError.write("note: \(heading) of \(settings.topics.outcomes) cannot be decoded and are skipped")
        }
        if let note = found.noteOfOthers { StandardError.write(note) }
        var memories: [LedgerSummary] = []
        var fault: OperationError?
        do throws(OperationError) {
            memories = try await search.memories(after: found)
        } catch {
            // The outcomes answer most questions, also for a user who may not read the ledger.
            fault = error
        }
        show(found.outcomes, memories)
        if let fault {
            guard follow else { throw fault }
            StandardError.write("note: \(fault)")
        }
        if follow {
            if found.outcomes.isEmpty, memories.isEmpty, !json {
                StandardError.write("nothing about \(subject) yet; waiting, end with Ctrl-C")
            }
            try await self.follow(search, after: found.extent)
        } else if found.outcomes.isEmpty, memories.isEmpty {
            throw OperationError(.foundProblems, nothing(of: subject, settings, since: since, until: range.until))
        }
    }

    private func show(_ outcomes: [FoundOutcome], _ memories: [LedgerSummary]) {
        if json {
            for outcome in outcomes { StandardOutput.write(outcome.json) }
            for memory in memories { StandardOutput.write(memory.json) }
        } else {
            StandardOutput.write(lines: EventTimeline(outcomes, memories).lines)
        }
    }

    private func follow(_ search: OutcomeSearch, after extent: ScanExtent) async throws(OperationError) {
        let json = json
        try await search.stream.follow(after: extent) { outcome in
            if json {
                StandardOutput.write(outcome.json)
            } else {
                StandardOutput.write(lines: EventTimeline([outcome], []).lines)
            }
        }
    }

    private func nothing(
        of subject: OutcomeSubject,
        _ settings: TopicSettings,
        since: Timestamp,
        until: Timestamp?
    ) -> String {
        let end = until.map { " until \($0.rfc3339)" } ?? ""
        let source = settings.sources.map(\.topic).joined(separator: ", ")
        return """
            nothing about \(subject) since \(since.rfc3339)\(end): no outcome in \(settings.topics.outcomes), and no record \
            in the ledger
            Check the spelling, or search further back with --since 7d. If it was written to \(source) just now, a worker may \
            not have read it yet: see 'newsflash status'.
            """
    }
}
