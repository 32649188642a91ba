import CommandLineArguments
import Operations
import Worker

/// `newsflash topics`
struct TopicsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "topics",
        abstract: "List, make, check, grow and read the topics that a worker needs.",
        discussion: """
            A worker reads events from one topic and writes three: the outcomes of events, the dead letters (invalid
            records), and the ledger with the facts of all stories, which has as many partitions as the topic of events.
            From a fifth topic, with one partition, it reads orders, such as those to pause and resume sources. The names
            come from the configuration; the hub's secret is not read. With --brokers no configuration is needed: the names
            are then the defaults, or with --topic are derived from the topic of events.

            Examples:
              newsflash topics list --brokers 127.0.0.1:9092
              newsflash topics list
              newsflash topics create --partitions 12 --replication 3
              newsflash topics check && newsflash run
              newsflash topics read --since 1d > yesterday.ndjson
            """,
        subcommands: [
            TopicsListCommand.self, TopicsCreateCommand.self, TopicsCheckCommand.self, TopicsGrowCommand.self,
            TopicsReadCommand.self,
        ]
    )
}

/// `newsflash topics list`
struct TopicsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show the worker's topics and their present settings.",
        discussion: """
            Example:
              newsflash topics list --config newsflash.yaml
            """
    )

    @OptionGroup var options: TopicOptions

    @Flag(help: "One JSON object for each topic, a line each.")
    var json = false

    func run() async throws {
        let settings = try options.read()
        let topics = try await TopicSurvey.present(NeededTopic.all(of: settings), at: settings.kafka)
        for topic in topics { StandardOutput.write(json ? topic.json : Array(topic.line.utf8)) }
    }
}

/// `newsflash topics create`
struct TopicsCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make the missing topics of the worker.",
        discussion: """
            Existing topics are not changed, so the command can be run again at any time.

            Events are kept for 7 days, outcomes and dead letters for 30, the ledger for as long as it is needed. The
            number of partitions is the maximum number of workers that can share the events. Use some more than you need,
            because adding partitions later moves stories. A ledger always gets as many partitions as the topic of events.

            --dry-run shows how each topic would be made, with all its settings, if somebody else makes your topics. It
            does not query Kafka. --json prints an object for each topic, a line each.

            Exit codes: 0 all topics exist, 1 Kafka refuses the request (such as more replicas than brokers), 69 Kafka
            cannot be reached, 78 the user of the configuration has no right to make topics, or bad configuration.

            Examples:
              newsflash topics create
              newsflash topics create --brokers 127.0.0.1:9092 --topic newsroom.breaking.v1
              newsflash topics create --dry-run --json
              newsflash topics create --partitions 12 --replication 3
            """
    )

    @OptionGroup var options: TopicOptions

    @Option(help: "The number of partitions of a new topic.")
    var partitions = 6

    @Option(help: "The replication factor of a new topic; without it or with -1, the default of the brokers.")
    var replication = -1

    @Flag(help: "Show how topics would be made, and make none.")
    var dryRun = false

    @Flag(help: "One JSON object for each topic, a line each.")
    var json = false

    func validate() throws {
        guard (1...10_000).contains(partitions) else { throw ValidationError("'--partitions' takes 1 to 10000.") }
        guard replication == -1 || (1...1000).contains(replication) else {
            throw ValidationError("'--replication' takes 1 or more, or -1 for the default of the brokers.")
        }
    }

    func run() async throws {
        let settings = try options.read()
        let needed = NeededTopic.all(of: settings)
        guard !dryRun else {
            for topic in needed {
                StandardOutput.write(
                    json ? topic.json(partitions: partitions) : Array(topic.line(partitions: partitions).utf8)
                )
            }
            return
        }
        let maker = TopicMaker(
            cluster: settings.kafka,
            partitions: partitions,
            replicationFactor: replication == -1 ? nil : replication
        )
        let answers = try await maker.make(needed)
        for answer in answers { StandardOutput.write(json ? answer.json : Array(answer.line.utf8)) }
        if let error = TopicMaker.failure(of: answers, needed: needed) { throw error }
    }
}

/// `newsflash topics check`
struct TopicsCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Compare the worker's topics with what it needs.",
        discussion: """
            Shows problems that stop a worker (exit code 1), and advice for better settings. Changes nothing. --json has
            the weight 'problem', 'advice' or, for a topic without findings, 'fine'.

            Examples:
              newsflash topics check
              newsflash topics check --partitions 12
            """
    )

    @OptionGroup var options: TopicOptions

    @Option(help: "The required number of partitions of the topic of events; without it, fewer than 6 give advice.")
    var partitions: Int?

    @Flag(help: "One JSON object for each finding, and for each topic that is fine, a line each.")
    var json = false

    func validate() throws {
        guard (1...10_000).contains(partitions ?? 1) else {
            throw ValidationError("'--partitions' takes 1 to 10000.")
        }
    }

    func run() async throws {
        let settings = try options.read()
        let present = try await TopicSurvey.present(NeededTopic.all(of: settings), at: settings.kafka)
        let findings = TopicFinding.all(in: present, partitions: partitions)
        if json {
            for finding in TopicFinding.complete(findings, of: present) { StandardOutput.write(finding.json) }
        } else {
            for finding in findings { StandardOutput.write(finding.line) }
        }
        let problems = findings.count { $0.isProblem }
        if problems > 0 { throw ExitCode.failure }
        guard !json else { return }
        StandardOutput.write("fine: " + present.map(\.needed.name).joined(separator: ", "))
    }
}
