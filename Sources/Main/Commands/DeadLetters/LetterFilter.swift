import CommandLineArguments
import NewsEvents
import Publishing
import Timestamps

/// Which dead letters are meant.
struct LetterFilter: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only those for a reason, such as invalid.unmapped, or a group of them, such as invalid; may be repeated.",
            valueName: "code"
        )
    )
    var reason: [String] = []

    @Option(help: "Only those that ended there: decode, gate, map, render or send.")
    var stage: String?

    @Option(help: "Only those of a story.")
    var story: String?

    @Option(help: ArgumentHelp("Only those of an event.", valueName: "id"))
    var event: String?

    @OptionGroup var times: TimeOptions

    func validate() throws {
        if let stage, DeadLetter.Stage(rawValue: stage) == nil {
            throw ValidationError("'--stage' is one of decode, gate, map, render and send.")
        }
        for reason in reason where OutcomeKind(rawValue: String(reason.prefix { $0 != "." })) == nil {
            let kinds = OutcomeKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("'--reason \(reason.harmless)' begins with none of \(kinds).")
        }
    }

    /// What the options say.
    var criteria: LetterCriteria {
        LetterCriteria(reasons: reason, stage: stage, story: story, event: event)
    }

    /// The options again, for a command that a message names.
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
