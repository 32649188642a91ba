import CommandLineArguments
import Publishing
import Timestamps

/// `newsflash hold`
struct HoldCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold",
        abstract: "Stop everything of a source, at all workers, until it is released.",
        discussion: """
            Nothing of the source is sent from now on: what it writes waits in the ledger, what it withdraws too. Only what
            is under way at a hub cannot be called back. The order outlives restarts of workers and brokers. Events end by
            themselves when their life is over; all others go out at 'newsflash release'.

            The source is what events name in 'source', or sources.<name>.id of the configuration where they name none.

            Examples:
              newsflash hold --source https://cms.example.org/desk --reason "the CMS was broken into"
              newsflash hold --all --reason "wrong alert, we look at it" --by ed:novak
            """
    )

    @OptionGroup var options: OrderOptions

    func run() async throws {
        try await options.give(.hold)
    }
}

/// `newsflash release`
struct ReleaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "Let a source go on that was put on hold, by a person or by a brake.",
        discussion: """
            All that has waited goes out, if it still lives, also what a brake (policy.brake) kept by itself. What was
            told before the release does not count for brakes any more. See 'newsflash holds' first.

            Examples:
              newsflash release --source https://cms.example.org/desk --reason "keys changed, drafts deleted"
              newsflash release --all --reason "it was an election night"
            """
    )

    @OptionGroup var options: OrderOptions

    func run() async throws {
        try await options.give(.release)
    }
}

/// `newsflash holds`
struct HoldsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "holds",
        abstract: "Show which sources are on hold, since when and why.",
        discussion: """
            Examples:
              newsflash holds
              newsflash holds --json --brokers 127.0.0.1:9092
            """
    )

    @OptionGroup var options: TopicOptions

    @Flag(help: "One JSON object for each order in force, a line each; releases too.")
    var json = false

    func run() async throws {
        let settings = try options.read()
        let orders = try await ControlTopic(settings).orders()
        if json {
            for order in orders { StandardOutput.write(ControlOrderCodec.encode(.source(order))) }
            return
        }
        let holds = orders.filter { $0.act == .hold }
        for order in holds { StandardOutput.write(order.line) }
        if holds.isEmpty { StandardOutput.write("nothing is on hold") }
    }
}

extension ControlRecord {
    /// For people.
    var line: String {
        let author =
            switch author {
            case .person(let name): "by \(name)"
            case .brake: "by a worker's brake"
            }
        let why = reason.isEmpty ? "" : ": \(reason)"
        let verb = act == .hold ? "on hold since" : "released at"
        return "\(scope): \(verb) \(at.rfc3339) \(author)\(why)"
    }
}
