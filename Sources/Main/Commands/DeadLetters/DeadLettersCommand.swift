import NewsflashCommandLineArguments
import NewsflashOperations
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashWorker

/// `newsflash dead-letters`
struct DeadLettersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dead-letters",
        abstract: "Inspect records that could not be sent because of a fault of their own, and send them again.",
        discussion: """
            A worker writes each record that it cannot send to the topic of dead letters, unchanged, with headers that give the
            reason. A dead letter is open until a copy of it is in its source topic again, or its event was sent by a later
            record. From the third redrive on it is quarantined: it is still listed, but a redrive leaves it out.

            First correct the cause, such as a category that is missing in the configuration; then 'redrive'.

            Examples:
              newsflash dead-letters list
              newsflash dead-letters show 0@4711
              newsflash dead-letters redrive --outcome invalid.unmapped --yes
            """,
        subcommands: [DeadLettersListCommand.self, DeadLettersShowCommand.self, RedriveCommand.self]
    )
}

/// The number of redrives from which a dead letter is quarantined.
struct QuarantineOption: ParsableArguments {
    @Option(help: ArgumentHelp("Number of redrives from which a dead letter is quarantined.", valueName: "count"))
    var quarantineAfter = 3

    func validate() throws {
        guard quarantineAfter >= 1 else { throw ValidationError("'--quarantine-after' must be 1 or more.") }
    }
}

/// `newsflash dead-letters list`
struct DeadLettersListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Count the dead letters by reason, with the oldest, the newest and samples.",
        discussion: """
            Only open and quarantined ones are counted by reason; --closed counts the others too. No text of news is shown;
            'dead-letters show' shows it.

            Exit codes: 0 success, also if there are none, 69 Kafka cannot be read, 78 bad configuration.

            Examples:
              newsflash dead-letters list
              newsflash dead-letters list --outcome invalid --since 2h
              newsflash dead-letters list --story urn:desk:42 --closed
              newsflash dead-letters list --json --brokers 127.0.0.1:9092
            """
    )

    @OptionGroup var options: TopicOptions

    @OptionGroup var filter: DeadLetterFilter

    @OptionGroup var quarantine: QuarantineOption

    @Flag(help: "Include dead letters that were redriven, or whose events were sent since.")
    var closed = false

    @Flag(help: "Print one JSON object per line for each dead letter.")
    var json = false

    func run() async throws {
        let settings = try options.read()
        let book = DeadLetterReader(settings: settings, mostRedrives: quarantine.quarantineAfter)
        let reading = try await book.read(filter.criteria, try filter.times.range(now: .now()))
        let shown = reading.letters.filter { closed || $0.state.isOpen }
        guard !json else {
            for letter in shown { StandardOutput.write(letter.json) }
            return
        }
        let list = DeadLetterList(reading, shown: shown, topic: settings.topics.deadLetters, filter: filter.words)
        StandardOutput.write(folding: list.lines)
    }
}

/// Options that select dead letters.
struct DeadLetterFilter: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only this outcome, such as invalid, or this reason or beginning of reasons, such as invalid.unmapped.",
            valueName: "outcome"
        )
    )
    var outcome: [String] = []

    @Option(help: "Only events that ended at this stage.")
    var stage: DeadLetter.Stage?

    @Option(help: "Only this story.")
    var story: String?

    @Option(help: ArgumentHelp("Only this event.", valueName: "id"))
    var event: String?

    @OptionGroup var times: TimeOptions

    func validate() throws {
        for outcome in outcome where OutcomeKind(rawValue: String(outcome.prefix { $0 != "." })) == nil {
            let kinds = OutcomeKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("'--outcome \(outcome)' must begin with one of \(kinds).")
        }
    }

    /// The criteria of the options.
    var criteria: DeadLetterCriteria {
        DeadLetterCriteria(reasons: outcome, stage: stage?.rawValue, story: story, event: event)
    }

    /// The options as text, for commands in messages.
    var words: String {
        var words = outcome.map { "--outcome \($0)" }
        if let stage { words.append("--stage \(stage.rawValue)") }
        if let story { words.append("--story \(story)") }
        if let event { words.append("--event \(event)") }
        if let since = times.since { words.append("--since \(since)") }
        if let until = times.until { words.append("--until \(until)") }
        return words.map { " " + $0 }.joined()
    }
}

extension DeadLetter.Stage: ExpressibleByArgument {
    package static var allValueStrings: [String] { [decode, gate, map, render, send].map(\.rawValue) }
}
