import CommandLineArguments
import Publishing
import StructuredLog
import Timestamps
import Worker

/// `newsflash log-level`
struct LogLevelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log-level",
        abstract: "Let all workers log more, or less, for a while.",
        discussion: """
            Running workers change at once, and back by themselves when the time is over; a worker that starts meanwhile
            joins them. For good, write log.level into the configuration and let the workers read it ('newsflash reload').

            Levels: trace, debug, info, notice, warning, error, critical.

            Examples:
              newsflash log-level debug --for 30m --reason "refusals of the hub"
              newsflash log-level info --for 1s --reason "seen enough"
            """
    )

    @OptionGroup var cluster: ClusterOptions

    @Argument(help: "The lowest that is written.")
    var level: String

    @Option(name: .customLong("for"), help: ArgumentHelp("How long, at most a day.", valueName: "time"))
    var length: String = "30m"

    @OptionGroup var author: AuthorOptions

    func validate() throws {
        guard LogLevel(rawValue: level) != nil else {
            let levels = LogLevel.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("'\(level)' is no level; write one of \(levels).")
        }
        _ = try duration()
    }

    func run() async throws {
        let now = Timestamp.now()
        let until = now + (try duration())
        let order = LogLevelOrder(level: level, until: until, by: author.name, reason: author.why, at: now)
        try await ControlTopic(try cluster.read()).write(.logLevel(order))
        StandardOutput.write("the workers log from \(level) on until \(until.rfc3339)")
    }

    private func duration() throws -> Duration {
        guard let duration = Duration(configured: length), duration >= .seconds(1), duration <= LogLevelOrder.longest
        else {
            throw ValidationError("'--for' takes a length of time from 1s to 24h, such as 30m.")
        }
        return duration
    }
}
