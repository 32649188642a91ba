import CommandLineArguments
import Kafka
import NewsEvents
import Publishing
import Timestamps
import Worker

/// `newsflash tap`
struct TapCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tap",
        abstract: "Show what goes out, live or since a time: one line for each outcome.",
        discussion: """
            A line has the time, the outcome or its reason, the kind, the story, the source, and the audiences: how many of how
            many hubs accepted, and which. The newest is last. No word of news is shown.

            Left alone it shows outcomes from now on, until Ctrl-C or the end of its pipe. --since reads back and ends;
            --since with --follow reads back and stays. Conditions are joined: an outcome is shown if it meets all.

            'newsflash outcomes' has all that is known of one event or story, 'newsflash withdraw' withdraws a story.

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

    @Flag(help: "Stay after what --since reads back, and show what comes next.")
    var follow = false

    @Option(help: "Only events of this kind.")
    var kind: EventKind?

    @Option(
        help: ArgumentHelp(
            "Only this outcome, such as failed, or reasons that begin so, such as suppressed.killed.",
            valueName: "outcome"
        )
    )
    var outcome: String?

    @Option(
        help: ArgumentHelp("Only this source: a name of the configuration, or what events name.", valueName: "source")
    )
    var source: String?

    @Option(help: ArgumentHelp("Only events with this category, or sent to this tag.", valueName: "code"))
    var category: String?

    @Flag(help: "One JSON object for each outcome, a line each, as it is in the topic.")
    var json = false

    func validate() throws {
        if let outcome { try TapFilter.checkOutcome(outcome) }
        if follow || times.since == nil, times.until != nil {
            throw ValidationError("'--until' needs '--since', and goes without '--follow'.")
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
        try await ClosedOutput.ending { () async throws(CommandError) in
            let past = try await stream.outcomes(
                from: range.since.map { .time($0) } ?? .present,
                to: range.until.map { .time($0) } ?? .present
            )
            for outcome in past.outcomes { outcome.showLine(json: json) }
            if past.unreadable > 0 {
                let count = counted(past.unreadable, "record")
                StandardError.write("note: \(count) of \(settings.topics.outcomes) cannot be read and are passed over")
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
            text += "; '\(uri.harmless)' is not a source of the configuration (\(names)), so events must name it"
        }
        return text
    }
}

extension FoundOutcome {
    fileprivate func showLine(json: Bool) {
        if json {
            StandardOutput.write(self.json)
        } else {
            StandardOutput.write(lines: [TapLine(record).text])
        }
    }
}
