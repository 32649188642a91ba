import CommandLineArguments
import NewsEvents
import Publishing
import Timestamps

/// Options that select dead letters.
struct DeadLetterFilter: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only this reason, such as invalid.unmapped, or group of reasons, such as invalid.",
            valueName: "code"
        )
    )
    var reason: [String] = []

    @Option(help: "Only events that ended at this stage: decode, gate, map, render or send.")
    var stage: String?

    @Option(help: "Only this story.")
    var story: String?

    @Option(help: ArgumentHelp("Only this event.", valueName: "id"))
    var event: String?

    @OptionGroup var times: TimeOptions

    func validate() throws {
        if let stage, DeadLetter.Stage(rawValue: stage) == nil {
            throw ValidationError("'--stage' must be decode, gate, map, render or send.")
        }
        for reason in reason where OutcomeKind(rawValue: String(reason.prefix { $0 != "." })) == nil {
            let kinds = OutcomeKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("'--reason \(reason.harmless)' must begin with one of \(kinds).")
        }
    }

    /// The criteria of the options.
    var criteria: DeadLetterCriteria {
        DeadLetterCriteria(reasons: reason, stage: stage, story: story, event: event)
    }

    /// The options as text, for commands in messages.
    var words: String {
        var words = reason.map { "--reason \($0)" }
        if let stage { words.append("--stage \(stage)") }
        if let story { words.append("--story \(story)") }
        if let event { words.append("--event \(event)") }
        if let since = times.since { words.append("--since \(since)") }
        if let until = times.until { words.append("--until \(until)") }
        return words.map { " " + $0 }.joined()
    }
}
