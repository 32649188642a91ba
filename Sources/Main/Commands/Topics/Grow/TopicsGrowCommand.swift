import CommandLineArguments
import Worker

/// `newsflash topics grow`
struct TopicsGrowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grow",
        abstract: "Give a source and its ledger more partitions, and carry the stories over.",
        discussion: """
            With another number of partitions the events of a story lie elsewhere, and so must what is known of it, or news
            is told twice and corrections find nobody. Stop all workers first, once they have read everything; then look at
            the plan, which changes nothing, and say --yes. Events that come meanwhile are read when workers start again.

            Where the topic of events was given more partitions by others, leave --partitions out: the ledger follows.
            Events that wait (embargoes, quiet hours) are written to the topic of events again. A run that was cut off goes
            on where it was. Events have to be keyed by story, and placed as Kafka's own producers place keys.

            Exit codes: 0 done, or the plan was shown, 1 it must not be done now (it is told why), 69 Kafka cannot be
            reached, 78 bad configuration.

            Examples:
              newsflash topics grow --partitions 12
              newsflash topics grow --partitions 12 --yes
              newsflash topics grow --source wire --yes --json
            """
    )

    @OptionGroup var options: TopicOptions

    @Option(help: ArgumentHelp("Of several sources the one that grows.", valueName: "name"))
    var source: String?

    @Option(help: "How many there are to be; left out, as many as the topic of events has.")
    var partitions: Int?

    @Flag(help: "Do it.")
    var yes = false

    @Flag(help: "Also while events were not read yet: where no worker starts any more.")
    var ignoreUnread = false

    @Flag(help: "One JSON object: what moves, and whether it was done.")
    var json = false

    func validate() throws {
        guard (1...10_000).contains(partitions ?? 1) else { throw ValidationError("'--partitions' takes 1 to 10000.") }
    }

    func run() async throws {
        let settings = try options.read(source: source, formats: true)
        guard settings.sources.count == 1, let source = settings.sources.first else {
            let names = settings.sources.map(\.name).joined(separator: ", ")
            throw CommandError(.badConfiguration, "there are several sources: name one of \(names) with --source")
        }
        guard settings.ledger == .required else {
            throw CommandError(
                .badConfiguration,
                "ledger.use is off: there is nothing to carry over; let the topic grow"
            )
        }
        let run = GrowthRun(cluster: settings.kafka, group: settings.group, source: source)
        let plan = try await Patience.noting("reading \(source.ledger)") { () throws(CommandError) in
            try await run.plan(count: partitions, ignoresUnread: ignoreUnread)
        }
        if !json { for line in plan.lines { StandardOutput.write(line) } }
        let isNeeded = !plan.isDone
        if yes, isNeeded {
            try await Patience.noting("carrying stories over") { () throws(CommandError) in
                try await run.carryOut(plan)
            }
        }
        if json { return StandardOutput.write(plan.json(isDone: yes || !isNeeded)) }
        let ending =
            !isNeeded ? "nothing to do" : yes ? "done: start the workers" : "nothing was changed; do it with --yes"
        StandardOutput.write(ending)
    }
}
