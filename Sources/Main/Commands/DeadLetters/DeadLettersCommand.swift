import CommandLineArguments

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
              newsflash dead-letters redrive --reason invalid.unmapped --yes
            """,
        subcommands: [DeadLettersListCommand.self, DeadLettersShowCommand.self, RedriveCommand.self]
    )
}

/// The number of redrives from which a dead letter is quarantined.
struct QuarantineOption: ParsableArguments {
    @Option(help: ArgumentHelp("Number of redrives from which a dead letter is quarantined.", valueName: "count"))
    var mostRedrives = 3

    func validate() throws {
        guard mostRedrives >= 1 else { throw ValidationError("'--most-redrives' must be 1 or more.") }
    }
}
