import CommandLineArguments
import Operations
import Worker

/// `newsflash topics grow`
struct TopicsGrowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grow",
        abstract: "Add partitions to a source and its ledger, and move the stories.",
        discussion: """
            With another number of partitions, the events of a story are in another partition. Its ledger record must move
            there, too: otherwise news is sent twice, and corrections reach nobody. First stop all workers, after they have
            read everything. Then look at the plan, which changes nothing, and run the command with --yes. Events that
            arrive during this time are read when workers start again.

            If somebody else has added partitions to the topic of events, leave out --partitions: the ledger gets as many.
            Waiting events (embargoes, quiet hours) are written to the topic of events again. An interrupted run can be
            continued with the same command. Events must be keyed by story, with the partitioner of Kafka's own producers.

            Exit codes: 0 done, or nothing to do, 1 only the plan was shown, or growing is not possible now (the reason is
            shown), 69 Kafka cannot be reached, 78 bad configuration.

            Examples:
              newsflash topics grow --partitions 12
              newsflash topics grow --partitions 12 --yes
              newsflash topics grow --source wire --yes --json
            """
    )

    @OptionGroup var options: TopicOptions

    @Option(help: ArgumentHelp("The source to grow, if there are several.", valueName: "name"))
    var source: String?

    @Option(help: "The new number of partitions; without it, that of the topic of events.")
    var partitions: Int?

    @Flag(help: "Carry out the plan.")
    var yes = false

    @Flag(help: "Proceed even if unread events remain, because no worker can start.")
    var ignoreUnread = false

    @Flag(help: "One JSON object: the plan, and whether it was carried out.")
    var json = false

    func validate() throws {
        guard (1...10_000).contains(partitions ?? 1) else { throw ValidationError("'--partitions' takes 1 to 10000.") }
    }

    func run() async throws {
        let settings = try options.read(source: source, formats: true)
        guard settings.sources.count == 1, let source = settings.sources.first else {
            let names = settings.sources.map(\.name).joined(separator: ", ")
            throw OperationError(.badConfiguration, "there are several sources: name one of \(names) with --source")
        }
        guard settings.ledger == .required else {
            throw OperationError(
                .badConfiguration,
                "ledger.use is off, so there are no stories to move: only add partitions to the topic"
            )
        }
        let run = GrowthRun(cluster: settings.kafka, group: settings.group, source: source)
        let plan = try await SlowOperationNotice.noting("reading \(source.ledger)") { () throws(OperationError) in
            try await run.plan(count: partitions, ignoresUnread: ignoreUnread)
        }
        if !json { for line in plan.lines { StandardOutput.write(line) } }
        let isNeeded = !plan.isDone
        if yes, isNeeded {
            try await SlowOperationNotice.noting("moving stories") { () throws(OperationError) in
                try await run.carryOut(plan)
            }
        }
        if json {
            StandardOutput.write(plan.json(isDone: yes || !isNeeded))
        } else {
            let ending =
                !isNeeded ? "nothing to do" : yes ? "done: start the workers" : "nothing was changed; do it with --yes"
            StandardOutput.write(ending)
        }
        if isNeeded, !yes { throw ExitCode.failure }
    }
}
