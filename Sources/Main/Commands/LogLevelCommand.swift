import NewsflashCommandLineArguments
import NewsflashObservability
import NewsflashOperations
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashWorker

/// `newsflash log-level`
struct LogLevelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log-level",
        abstract: "Change the log level of all workers for a limited time.",
        discussion: """
            Running workers change at once, and return to their level automatically when the time is over. Workers that
            start during this time use the level, too. To change it permanently, write log.level into the configuration
            and run 'newsflash reload'.

            Exit codes: 0 the order was given, also if no worker runs now, 1 another order replaced it, 69 Kafka cannot be
            reached, 78 bad configuration.

            Examples:
              newsflash log-level debug --for 30m --reason "refusals of the hub"
              newsflash log-level info --for 1s --reason "seen enough"
            """
    )

    @OptionGroup var cluster: ClusterOptions

    @Argument(help: "The lowest level that is logged.")
    var level: LogLevel

    @Option(name: .customLong("for"), help: ArgumentHelp("How long: 1s to 24h.", valueName: "time"))
    var length: String = "30m"

    @OptionGroup var author: AuthorOptions

    @Flag(help: "One JSON object: the order, and the number of workers.")
    var json = false

    func validate() throws {
        _ = try duration()
    }

    func run() async throws {
        let now = Timestamp.now()
        let until = now + (try duration())
        let order = LogLevelOrder(
            level: level.rawValue,
            until: until,
            by: try author.name(),
            reason: author.why,
            at: now
        )
        let settings = try cluster.read()
        try await ControlTopic(settings).give(.logLevel(order))
        let workers = await GroupMembers.count(settings)
        guard !json else {
            return StandardOutput.write(ControlOrder.logLevel(order).json(workers: try? workers.get()))
        }
        let effect = "at level \(level.rawValue) until \(until.rfc3339)"
        GroupMembers.show(workers, of: settings.group, none: "those that start log \(effect)") { count in
            "\(count == 1 ? "logs" : "log") \(effect)"
        }
    }

    private func duration() throws -> Duration {
        guard let duration = Duration(configured: length), duration >= .seconds(1), duration <= LogLevelOrder.longest
        else {
            throw ValidationError("'--for' takes a length of time from 1s to 24h, such as 30m.")
        }
        return duration
    }
}

extension LogLevel: ExpressibleByArgument {}
