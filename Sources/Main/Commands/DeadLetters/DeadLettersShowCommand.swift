import CommandLineArguments
import Kafka
import Locks
import NewsEvents
import Timestamps
import Worker

/// `newsflash dead-letters show`
struct DeadLettersShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one dead letter whole: its headers, its body, and what would happen to it now.",
        discussion: """
            This command shows the words of news, which may be under embargo: mind who looks on. No other one does.

            What would happen now is worked out with the configuration as it is, and nothing is sent: change a copy of the
            configuration, and look with --config whether that mends it.

            Exit codes: 0 shown, 1 there is no such letter, 69 Kafka cannot be read, 78 bad configuration.

            Examples:
              newsflash dead-letters show 0@4711
              newsflash dead-letters show --event 8d1f0c52-flash
              newsflash dead-letters show 0@4711 --config mended.yaml
            """
    )

    @OptionGroup var options: TopicOptions

    @OptionGroup var quarantine: QuarantineOption

    @Option(help: ArgumentHelp("The newest letter of an event, in place of a place.", valueName: "id"))
    var event: String?

    @Argument(help: ArgumentHelp("Where it lies, as 'dead-letters list' says.", valueName: "partition@offset"))
    var place: LetterPlace?

    func validate() throws {
        guard (event == nil) != (place == nil) else {
            throw ValidationError("Name either a place, such as 0@4711, or an '--event'.")
        }
    }

    func run() async throws {
        let settings = try options.read()
        let book = LetterBook(settings: settings, mostRedrives: quarantine.mostRedrives)
        let topic = settings.topics.deadLetters
        guard let found = try await find(in: book) else {
            let what = place.map { "at \($0)" } ?? "of event \(event ?? "")"
            throw CommandError(
                .foundProblems,
                "there is no dead letter \(what) in \(topic) that is of this group and its sources: see 'newsflash "
                    + "dead-letters list --all'"
            )
        }
        let bodies = try await LetterBodies.read([found.letter.place], settings)
        guard let body = bodies[found.letter.place] else {
            throw CommandError(.foundProblems, "\(topic) has deleted the letter at \(found.letter.place) just now")
        }
        let sheet = LetterSheet(found, body, topic: topic)
        StandardOutput.write(lines: sheet.lines + [""] + (try future(of: body)))
    }

    private func find(in book: LetterBook) async throws(CommandError) -> JudgedLetter? {
        if let place { return try await book.read(place) }
        let letters = try await book.read(LetterCriteria(event: event), (nil, nil)).letters
        if letters.count > 1 {
            let others = letters.dropLast().map(\.letter.place.description).joined(separator: ", ")
            StandardError.write("note: the event has other letters: \(others)")
        }
        return letters.last
    }

    /// What the worker would make of it now.
    private func future(of body: LetterBody) throws(CommandError) -> [String] {
        guard let configuration = try options.readWorker() else {
            return ["what would happen now: name a configuration with --config, and this is worked out"]
        }
        var forecaster = EventForecaster(configuration, now: .now())
        let forecast = forecaster.forecast(body.rehearsed)
        return ["what would happen now, by this configuration:"] + RedriveForecast(forecast).lines.map { "  " + $0 }
    }
}
