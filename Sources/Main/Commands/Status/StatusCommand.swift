import CommandLineArguments
import CurlTransport
import Timestamps
import Worker

/// `newsflash status`
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say whether workers do their work, and what keeps them from it.",
        discussion: """
            Asks each worker's admin port: whether it is ready and why not, holds, lag in records and seconds, the lanes,
            and what the hub takes. What to do stands behind each reason.

            With --group Kafka alone is asked, no worker: how far the group has committed, how old the oldest record is
            that it has not, the orders in force, and when something ended last. That works where no admin port can be
            reached, and while no worker runs.

            Exit codes: 0 all is well; 1 a worker is not ready, the line or a source is held, or with --group a record
            has waited for more than a minute; 69 nobody answers.

            Examples:
              newsflash status
              newsflash status --admin 10.0.0.7:9464 --admin 10.0.0.8:9464
              newsflash status --group --json
            """
    )

    @OptionGroup var adminOptions: AdminOptions
    @OptionGroup var options: TopicOptions

    @Flag(help: "Ask Kafka how the group is, and no worker.")
    var group = false

    @Flag(help: "One JSON object for each worker, a line each; with --group one.")
    var json = false

    func validate() throws {
        guard !group || adminOptions.admin.isEmpty else {
            throw ValidationError("'--group' asks Kafka alone: leave out '--admin'.")
        }
        guard group || (options.brokers == nil && options.topic == nil) else {
            throw ValidationError("'--brokers' and '--topic' go with '--group'; without it a worker's port is asked.")
        }
    }

    func run() async throws {
        if group { return try await showGroup() }
        let ports = try adminOptions.ports(orOf: options.config)
        let looks = try await WorkerLook.all(at: ports)
        for look in looks {
            if json { StandardOutput.write(look.json) } else { StandardOutput.write(lines: look.lines(now: .now())) }
        }
        guard !looks.allSatisfy(\.isSilent) else {
            throw CommandError(
                .unavailable,
                "no worker answers at \(ports.map(\.address).joined(separator: ", ")): see that it runs, and that admin.listen "
                    + "is reached from here; 'newsflash status --group' asks Kafka instead"
            )
        }
        if !looks.allSatisfy(\.isWell) { throw ExitCode.failure }
    }

    private func showGroup() async throws {
        let look = try await GroupLook.take(try options.read())
        if json {
            StandardOutput.write(look.json)
        } else {
            StandardOutput.write(lines: look.lines)
        }
        if !look.isWell { throw ExitCode.failure }
    }
}

extension WorkerLook {
    /// Asks several workers at once.
    ///
    /// - Parameters:
    ///   - ports: Where they are.
    ///   - countsEnds: Whether to ask also how many events ended.
    /// - Returns: In the order of the ports.
    /// - Throws: ``CommandError`` where nothing can be asked from here.
    static func all(at ports: [AdminPort], countingEnds countsEnds: Bool = false) async throws(CommandError)
        -> [WorkerLook]
    {
        let transport = try AdminPort.transport()
        defer { transport.shutdown() }
        return await Patience.noting("asking \(ports.map(\.address).joined(separator: ", "))") {
            await withTaskGroup(of: (Int, WorkerLook).self) { group in
                for (place, port) in ports.enumerated() {
                    group.addTask { (place, await port.look(by: transport, countingEnds: countsEnds)) }
                }
                var looks: [(Int, WorkerLook)] = []
                for await look in group { looks.append(look) }
                return looks.sorted { $0.0 < $1.0 }.map(\.1)
            }
        }
    }
}
