import CommandLineArguments

/// `newsflash dead-letters`
struct DeadLettersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dead-letters",
        abstract: "Look at records that could not be sent through a fault of their own, and send them again.",
        discussion: """
            A worker writes what it cannot send to the topic of dead letters, as it came, with headers that say why. A
            letter is open until a copy of it lies in its source topic again, or its event was told by a record that came
            later. From the third redrive on it is quarantined: it is shown as such, and a redrive leaves it out.

            First mend the cause, such as a category that is missing in the configuration; then 'redrive'.

            Examples:
              newsflash dead-letters list
              newsflash dead-letters show 0@4711
              newsflash dead-letters redrive --reason invalid.unmapped --yes
            """,
        subcommands: [DeadLettersListCommand.self, DeadLettersShowCommand.self, RedriveCommand.self]
    )
}

/// From how many redrives on a letter is left out.
struct QuarantineOption: ParsableArguments {
    @Option(help: ArgumentHelp("From how many redrives on a letter is quarantined.", valueName: "count"))
    var mostRedrives = 3

    func validate() throws {
        guard mostRedrives >= 1 else { throw ValidationError("'--most-redrives' takes 1 or more.") }
    }
}
