import NewsflashCommandLineArguments
import NewsflashOperations
import NewsflashWorker

/// `newsflash topics`
struct TopicsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "topics",
        abstract: "Compare, create, change and grow the topics that a worker needs.",
        discussion: """
            A worker reads events from one topic and writes three: the outcomes of events, the dead letters (invalid
            records), and the ledger with the facts of all stories, which has as many partitions as the topic of events.
            From a fifth topic, with one partition, it reads orders, such as those to pause and resume sources. The names
            come from the configuration; the hub's secret is not read. With --brokers no configuration is needed: the names
            are then the defaults, or with --topic are derived from the topic of events.

            Examples:
              newsflash topics plan --brokers 127.0.0.1:9092
              newsflash topics plan
              newsflash topics apply --partitions 12 --replication 3
            """,
        subcommands: [TopicsPlanCommand.self, TopicsApplyCommand.self]
    )
}

/// The topics that somebody wants.
struct WantedTopics: ParsableArguments {
    @Option(help: ArgumentHelp("Only this source and its ledger, and the topics of all sources.", valueName: "name"))
    var source: String?

    @Option(
        help: """
            The wanted number of partitions of each topic of events, and of new topics. Without it new topics get 6, and \
            existing ones keep their number.
            """
    )
    var partitions: Int?

    @Option(help: "The replication factor of new topics; without it or with -1, the default of the brokers.")
    var replication = -1

    func validate() throws {
        guard (1...10_000).contains(partitions ?? 1) else { throw ValidationError("'--partitions' takes 1 to 10000.") }
        guard replication == -1 || (1...1000).contains(replication) else {
            throw ValidationError("'--replication' takes 1 or more, or -1 for the default of the brokers.")
        }
    }

    /// The replication factor; `nil` for the default of the brokers.
    var replicationFactor: Int? { replication == -1 ? nil : replication }

    /// The options that were given, each after a blank, for a command in a message.
    fileprivate var words: String {
        [("source", source), ("partitions", partitions?.description), ("replication", replicationFactor?.description)]
            .compactMap { name, value in value.map { " --\(name) \($0)" } }
            .joined()
    }

    func setup(_ settings: TopicSettings) -> TopicSetup {
        TopicSetup(settings, partitions: partitions, replicationFactor: replicationFactor)
    }
}

/// `newsflash topics plan`
struct TopicsPlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Show the difference between the topics that a worker needs and those in Kafka.",
        discussion: """
            Changes nothing. One line for each difference: 'create', 'change' (a setting of Kafka), 'grow' (partitions), 'move'
            (stories of a ledger, because the events of a story go to another partition), 'first' (to do before growing),
            'problem' and 'advice' (only a person can do that), 'fits'. --json prints an object for each topic, a line each.

            Events are kept for 7 days, outcomes and dead letters for 30, the ledger for as long as it is needed. Topics that
            are kept longer fit, too. The number of partitions is the maximum number of workers that can share the events.
            Use some more than you need, because adding partitions later moves stories.

            --offline prints how all topics would be created, if somebody else creates yours. It does not query Kafka.

            Exit codes: 0 nothing to do (with --offline: always), 1 there is something to do, 69 Kafka cannot be reached, 78 bad
            configuration.

            Examples:
              newsflash topics plan
              newsflash topics plan --partitions 12 --replication 3
              newsflash topics plan --offline --json
            """
    )

    @OptionGroup var options: TopicOptions

    @OptionGroup var wanted: WantedTopics

    @Flag(help: "Print all topics as missing ones, and do not query Kafka.")
    var offline = false

    @Flag(help: "One JSON object for each topic, a line each.")
    var json = false

    func run() async throws {
        let settings = try options.read(source: wanted.source)
        guard !offline else {
            let needed = NeededTopic.all(of: settings)
            TopicPlan(
                offline: needed,
                partitions: wanted.partitions,
                replicationFactor: wanted.replicationFactor
            ).show(json: json)
            return
        }
        let plan = try await wanted.setup(settings).plan()
        plan.show(json: json)
        if !json { StandardOutput.write(folding: [plan.ending(wanted)]) }
        if !plan.isEmpty { throw ExitCode.failure }
    }
}

/// `newsflash topics apply`
struct TopicsApplyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Create and change topics until they are as a worker needs them.",
        discussion: """
            Shows the plan as 'newsflash topics plan' does, asks at a terminal or needs --yes, carries it out, and compares
            again before it prints success. It can be run again at any time, also after an interruption: then it continues.

            Partitions are added if --partitions asks for more, or if a ledger has another number than its topic of events. Then
            stories move to the partitions of their future events: otherwise news is sent twice, and corrections reach nobody.
            So let the workers read all, and stop all of them; nothing is changed while one runs. Events that arrive in the
            meantime are read when workers start again. Waiting events (embargoes, quiet hours) are written to the topic of
            events again. Events must be keyed by story, with the partitioner of Kafka's own producers.

            Exit codes: 0 done, or nothing to do, 1 the plan was not confirmed, is not possible now (the reason is shown), or
            problems remain that only a person can solve, 69 Kafka cannot be reached or a right is missing, 78 bad
            configuration.

            Examples:
              newsflash topics apply
              newsflash topics apply --partitions 12 --replication 3 --yes
              newsflash topics apply --brokers 127.0.0.1:9092 --topic newsroom.breaking.v1 --yes
            """
    )

    @OptionGroup var options: TopicOptions

    @OptionGroup var wanted: WantedTopics

    @OptionGroup var consent: ConsentOptions

    @Flag(help: "Add partitions even if unread events remain, because no worker can start.")
    var ignoreUnread = false

    @Flag(help: "One JSON object for each topic, a line each, with the plan and whether it was carried out.")
    var json = false

    func run() async throws {
        let setup = wanted.setup(try options.read(source: wanted.source, formats: true))
        let plan = try await setup.plan()
        if !json { plan.show(json: false) }
        guard plan.changeCount > 0 else {
            if json { plan.show(json: true, done: true) } else { StandardOutput.write(folding: [plan.ending(wanted)]) }
            if !plan.isEmpty { throw ExitCode.failure }
            return
        }
        guard consent.isGiven(to: "create or change \(counted(plan.changeCount, "topic"))") else {
            if json { plan.show(json: true, done: false) }
            throw ConsentOptions.refusal
        }
        let grows = !plan.pendingGrowths.isEmpty
        let left = try await setup.apply(plan, ignoringUnread: ignoreUnread)
        if json {
            plan.show(json: true, done: true)
        } else if left.problemCount == 0 {
            StandardOutput.write("done: Kafka has all topics as needed" + (grows ? "; start the workers" : ""))
        } else {
            left.show(json: false)
            StandardOutput.write(folding: ["done, except " + left.ending(wanted)])
        }
        if !left.isEmpty { throw ExitCode.failure }
    }
}

extension TopicPlan {
    fileprivate func show(json: Bool, done: Bool? = nil) {
        if json {
            for object in self.json(done: done) { StandardOutput.write(object) }
        } else {
            StandardOutput.write(laidOut: lines(StandardOutput.style))
        }
    }

    /// The last line of a plan that is only shown.
    fileprivate func ending(_ wanted: WantedTopics) -> String {
        if changeCount > 0 {
            let command = "newsflash topics apply\(wanted.words)"
            return "\(counted(changeCount, "topic")) to create or change: do it with '\(command)'"
        }
        return problemCount > 0 ? "\(counted(problemCount, "problem")) that only a person can solve" : "nothing to do"
    }
}
