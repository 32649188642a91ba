import CommandLineArguments
import CurlTransport
import Operations
import Timestamps
import Worker

/// `newsflash status`
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show whether workers work, and the reasons if they do not.",
        discussion: """
            Queries the admin port of each worker: readiness with the reasons and what to do, paused sources, lag in
            records and seconds, the lanes, and the requests in flight and limits of each hub.

            --group queries Kafka instead of the workers: the committed offsets of the group, the age of the oldest record
            that is not committed, the pauses of sources, and the time of the newest outcome. This also works if no
            admin port can be reached or no worker runs.

            Exit codes: 0 all is well; 1 a worker is not ready, a source is paused, or with --group a record has waited for
            more than a minute, the control topic is missing, or a topic cannot be read; 69 no answer.

            Examples:
              newsflash status
              newsflash status --admin 10.0.0.7:9464 --admin 10.0.0.8:9464
              newsflash status --group --json
            """
    )

    @OptionGroup var adminOptions: AdminOptions
    @OptionGroup var options: TopicOptions

    @Flag(help: "Query the consumer group in Kafka instead of the workers.")
    var group = false

    @Flag(help: "One JSON object for each worker, a line each; with --group one object.")
    var json = false

    func validate() throws {
        guard !group || adminOptions.admin.isEmpty else {
            throw ValidationError("'--group' asks only Kafka: leave out '--admin'.")
        }
        guard group || (options.brokers == nil && options.topic == nil) else {
            throw ValidationError("'--brokers' and '--topic' go with '--group'; without it the workers are asked.")
        }
    }

    func run() async throws {
        if group { return try await showGroup() }
        let ports = try adminOptions.ports(orOf: options.config)
        let looks = try await WorkerSnapshot.all(at: ports)
        for look in looks {
            if json { StandardOutput.write(look.json) } else { StandardOutput.write(lines: look.lines(now: .now())) }
        }
        guard !looks.allSatisfy(\.isSilent) else {
            throw OperationError(
                .unavailable,
                "no worker answers at \(ports.map(\.address).joined(separator: ", ")): check that it runs, and that "
                    + "admin.listen can be reached from here; 'newsflash status --group' asks Kafka instead"
            )
        }
        if !looks.allSatisfy(\.isWell) { throw ExitCode.failure }
    }

    private func showGroup() async throws {
        let look = try await GroupSnapshot.query(try options.read())
        if json {
            StandardOutput.write(look.json)
        } else {
            StandardOutput.write(lines: look.lines)
        }
        if !look.isWell { throw ExitCode.failure }
    }
}

extension WorkerSnapshot {
    /// Queries several workers at once.
    ///
    /// - Parameters:
    ///   - ports: The admin ports.
    ///   - countsEnds: Whether to query the number of ended events, too.
    /// - Returns: The results in the order of the ports.
    /// - Throws: ``OperationError`` if the transport cannot be started.
    static func all(at ports: [AdminPort], countingEnds countsEnds: Bool = false) async throws(OperationError)
        -> [WorkerSnapshot]
    {
        let transport = try AdminPort.transport()
        defer { transport.shutdown() }
        return await SlowOperationNotice.noting("asking \(ports.map(\.address).joined(separator: ", "))") {
            await withTaskGroup(of: (Int, WorkerSnapshot).self) { group in
                for (place, port) in ports.enumerated() {
                    group.addTask { (place, await port.query(by: transport, countingEnds: countsEnds)) }
                }
                var looks: [(Int, WorkerSnapshot)] = []
                for await look in group { looks.append(look) }
                return looks.sorted { $0.0 < $1.0 }.map(\.1)
            }
        }
    }
}
