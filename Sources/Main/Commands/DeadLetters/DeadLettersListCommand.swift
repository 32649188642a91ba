import CommandLineArguments
import Timestamps
import Worker

/// `newsflash dead-letters list`
struct DeadLettersListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Count the dead letters by reason, with the oldest, the newest and samples.",
        discussion: """
            Only open and quarantined ones are counted by reason; --all counts the others too. No text of news is shown;
            'dead-letters show' shows it.

            Exit codes: 0 success, also if there are none, 69 Kafka cannot be read, 78 bad configuration.

            Examples:
              newsflash dead-letters list
              newsflash dead-letters list --reason invalid --since 2h
              newsflash dead-letters list --story urn:desk:42 --all
              newsflash dead-letters list --json --brokers 127.0.0.1:9092
            """
    )

    @OptionGroup var options: TopicOptions

    @OptionGroup var filter: DeadLetterFilter

    @OptionGroup var quarantine: QuarantineOption

    @Flag(help: "Include dead letters that were redriven, or whose events were sent since.")
    var all = false

    @Flag(help: "Print one JSON object per line for each dead letter.")
    var json = false

    func run() async throws {
        let settings = try options.read()
        let book = DeadLetterReader(settings: settings, mostRedrives: quarantine.mostRedrives)
        let reading = try await book.read(filter.criteria, try filter.times.range(now: .now()))
        let shown = reading.letters.filter { all || $0.state.isOpen }
        guard !json else {
            for letter in shown { StandardOutput.write(letter.json) }
            return
        }
        let list = DeadLetterList(reading, shown: shown, topic: settings.topics.deadLetters, filter: filter.words)
        StandardOutput.write(lines: list.lines)
    }
}
