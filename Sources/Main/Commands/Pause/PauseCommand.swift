import NewsflashCommandLineArguments
import NewsflashOperations
import NewsflashPublishing
import NewsflashWorker

/// `newsflash pause`
struct PauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Pause a source, or all, on all workers until it is resumed.",
        discussion: """
            From now on nothing from the source is sent, including kills: everything waits in the ledger until 'newsflash
            resume'. News that expires before that is not sent. Requests in flight cannot be recalled. The order stays in
            force over restarts of workers and brokers.

            A source is a name of the configuration, or a URI as events have it in 'source'. A name pauses all events of its
            topic, whatever URI they have. The command reads the order back and checks that it is in force.

            Exit codes: 0 it is paused, 1 the source is unknown or the order is not in force, 69 Kafka cannot be reached,
            78 bad configuration.

            Examples:
              newsflash pause --source desk --reason "the CMS was broken into"
              newsflash pause --source https://cms.example.org/desk
              newsflash pause --all --reason "wrong alert, we look at it" --by ed:novak
            """
    )

    @OptionGroup var options: PauseOptions

    func validate() throws { try options.requireOneScope() }

    func run() async throws { try await options.give(.pause) }
}

/// `newsflash resume`
struct ResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Resume a source, all sources or one event that a person or a volume limit paused.",
        discussion: """
            Everything that waited is sent, unless it has expired, including news that a volume limit (policy.volumeLimits)
            stopped. Earlier news no longer counts for volume limits. See 'newsflash pauses' first.

            --event sends one event that waits for a person, and leaves its source paused: 'newsflash status --waiting' lists
            the identifiers. A later pause stops it again. Only this also sends news that waits because it has no embargo and
            an earlier revision has one (held.embargo_dropped).

            A name resumes its topic and all sources of its recent events. While all sources are paused, resuming one has
            no effect, and the exit code is 1. The same applies to a URI while its topic is paused by name. --all resumes
            everything, including sources that were paused by name. Other sources that are still paused are printed.

            Exit codes: 0 it is resumed, 1 the source is unknown or still paused, or the event does not wait for a person, 69
            Kafka cannot be reached, 78 bad configuration.

            Examples:
              newsflash resume --source desk --reason "keys changed, drafts deleted"
              newsflash resume --all --reason "it was an election night"
              newsflash resume --event n-4711 --reason "checked by phone"
            """
    )

    @OptionGroup var options: PauseOptions

    @Option(help: "The identifier of one event that waits for a person.")
    var event: String?

    func validate() throws {
        try options.requireOneScope(event)
        guard (1...256).contains((event ?? "x").utf8.count) else {
            throw ValidationError("'--event' takes 1 to 256 bytes, as events have them.")
        }
    }

    func run() async throws { try await options.give(.resume, on: event) }
}

/// `newsflash pauses`
struct PausesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pauses",
        abstract: "Show which sources are paused, since when and why.",
        discussion: """
            Exit codes: 0 shown, also if nothing is paused, 69 Kafka cannot be reached, 78 bad configuration.

            Examples:
              newsflash pauses
              newsflash pauses --json --brokers 127.0.0.1:9092
            """
    )

    @OptionGroup var cluster: ClusterOptions

    @Flag(help: "One JSON object for each order that pauses, a line each.")
    var json = false

    func run() async throws {
        let settings = try cluster.read()
        let pauses = try await ControlTopic(settings).pauses().inForce
        if json {
            for order in pauses { StandardOutput.write(ControlOrderCodec.encode(.source(order))) }
            return
        }
        StandardOutput.write(folding: pauses.isEmpty ? ["nothing is paused"] : pauses.map { $0.line(settings.sources) })
    }
}
