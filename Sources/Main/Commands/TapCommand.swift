import NewsflashCommandLineArguments
import NewsflashEvents
import NewsflashOperations
import NewsflashTimestamps
import NewsflashWorker

/// `newsflash tap`
struct TapCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tap",
        abstract: "Show what is sent, live or since a time: one line for each outcome.",
        discussion: """
            A line shows the time, the outcome or its reason, the kind, the story, the source, and the audiences: how many
            requests hubs accepted, of how many, and the first four. The newest is last. The text of the news is not shown.

            Without options it shows new outcomes, until Ctrl-C or the end of its pipe. --since shows past outcomes and
            ends; --since with --follow shows past outcomes and then new ones. An outcome is shown if it meets all
            conditions.

            'newsflash outcomes' shows everything about one event or story, 'newsflash withdraw' withdraws a story.

            Exit codes: 0 fine, 69 Kafka cannot be read, 78 bad configuration.

            Examples:
              newsflash tap --since 10m
              newsflash tap --kind flash --follow --since 1h
              newsflash tap --since 1d --outcome failed --source desk
              newsflash tap --since 1h --category world --json | jq -r .outcome.story
            """
    )

    @OptionGroup var options: ClusterOptions

    @OptionGroup var times: TimeOptions

    @Flag(help: "Follow: after the outcomes of --since, print new ones as they arrive.")
    var follow = false

    @Option(help: "Only events of this kind.")
    var kind: EventKind?

    @Option(
        help: ArgumentHelp(
            "Only this outcome, such as failed, or this beginning of reasons, such as suppressed.killed.",
            valueName: "outcome"
        )
    )
    var outcome: String?

    @Option(
        help: ArgumentHelp("Only this source: a name of the configuration, or the URI in events.", valueName: "source")
    )
    var source: String?

    @Option(help: ArgumentHelp("Only events with this category, or sent to this tag.", valueName: "code"))
    var category: String?

    @Flag(help: "One JSON object for each outcome, a line each, as it is in the topic.")
    var json = false

    func validate() throws {
        if let outcome { try TapFilter.checkOutcome(outcome) }
        if follow || times.since == nil, times.until != nil {
            throw ValidationError("'--until' needs '--since', and cannot be combined with '--follow'.")
        }
    }

    func run() async throws {
        let settings = try options.read()
        let filter = TapFilter(
            kind: kind,
            outcome: outcome,
            source: source.map { TapFilter.Source($0, among: settings.sources) },
            category: category
        )
        let range = try times.range(now: .now())
        let stream = OutcomeStream(settings) { filter.matches($0) }
        let json = json
        let stays = follow || range.since == nil
        let nothing = nothing(filter, settings)
        try await ClosedOutput.ending { () async throws(OperationError) in
            let past = try await stream.outcomes(
                from: range.since.map { .time($0) } ?? .present,
                to: range.until.map { .time($0) } ?? .present
            )
            for outcome in past.outcomes { outcome.showLine(json: json) }
            if past.unreadable > 0 {
                let count = counted(past.unreadable, "record")
                StandardError.write("note: \(count) of \(settings.topics.outcomes) cannot be decoded and are skipped")
            }
            if let note = past.noteOfOthers { StandardError.write(note) }
            if stays {
                StandardError.write("waiting for outcomes, end with Ctrl-C")
                try await stream.follow(after: past.extent) { $0.showLine(json: json) }
            } else if past.outcomes.isEmpty {
                StandardError.write(nothing)
            }
        }
    }

    private func nothing(_ filter: TapFilter, _ settings: TopicSettings) -> String {
        var text = "no outcome since \(times.since ?? "") meets the conditions"
        if case .uri(let uri) = filter.source {
            let names = settings.sources.map(\.name).joined(separator: ", ")
            text += "; '\(uri)' is not a source of the configuration (\(names)), so events must have this URI"
        }
        return text
    }
}

extension FoundOutcome {
    fileprivate func showLine(json: Bool) {
        if json {
            StandardOutput.write(self.json)
        } else {
            StandardOutput.write(laidOut: TapLine(record).lines(StandardOutput.style))
        }
    }
}
