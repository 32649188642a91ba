import NewsflashCommandLineArguments
import NewsflashOperations
import NewsflashWorker

/// `newsflash dead-letters show`
struct DeadLettersShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one dead letter completely: headers, body, and what would happen to it now.",
        discussion: """
            This command shows the text of news, which may be under embargo: take care who can see the screen.

            What would happen now is computed with the current configuration, and nothing is sent. To test a correction, change
            a copy of the configuration and name it with --config.

            Exit codes: 0 success, 1 no such dead letter, 69 Kafka cannot be read, 78 bad configuration.

            Examples:
              newsflash dead-letters show 0@4711
              newsflash dead-letters show --event 8d1f0c52-flash
              newsflash dead-letters show 0@4711 --config corrected.yaml
              newsflash dead-letters show 0@4711 --json | jq -r .body > event.json
            """
    )

    @OptionGroup var options: TopicOptions

    @OptionGroup var quarantine: QuarantineOption

    @Option(help: ArgumentHelp("The newest dead letter of an event, instead of a position.", valueName: "id"))
    var event: String?

    @Argument(help: ArgumentHelp("Its position, as shown by 'dead-letters list'.", valueName: "partition@offset"))
    var place: DeadLetterPosition?

    @Flag(help: "One JSON object: the dead letter as in the list, its headers, key and body, and the forecast.")
    var json = false

    func validate() throws {
        guard (event == nil) != (place == nil) else {
            throw ValidationError("Give either a position, such as 0@4711, or an '--event'.")
        }
    }

    func run() async throws {
        let settings = try options.read()
        let book = DeadLetterReader(settings: settings, mostRedrives: quarantine.quarantineAfter)
        let topic = settings.topics.deadLetters
        guard let found = try await find(in: book) else {
            let what = place.map { "at \($0)" } ?? "of event \(event ?? "")"
            throw OperationError(
                .foundProblems,
                "no dead letter \(what) of this group and its sources is in \(topic): see 'newsflash "
                    + "dead-letters list --closed'"
            )
        }
        let bodies = try await LetterBodies.read([found.letter.place], settings)
        guard let body = bodies[found.letter.place] else {
            throw OperationError(.foundProblems, "\(found.letter.place) has just been deleted from \(topic)")
        }
        let forecast = options.readWorker().map { RedriveForecast(of: body, by: $0) }
        let details = DeadLetterDetails(found, body, topic: topic, forecast: forecast)
        if json { StandardOutput.write(details.json) } else { StandardOutput.write(lines: details.lines) }
    }

    private func find(in book: DeadLetterReader) async throws(OperationError) -> AssessedDeadLetter? {
        if let place { return try await book.read(place) }
        let letters = try await book.read(DeadLetterCriteria(event: event), (nil, nil)).letters
        if letters.count > 1 {
            let others = letters.dropLast().map(\.letter.place.description).joined(separator: ", ")
            StandardError.write("note: the event has other dead letters: \(others)")
        }
        return letters.last
    }
}
