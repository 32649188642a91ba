import NewsflashCommandLineArguments
import NewsflashOperations
import NewsflashTimestamps

/// `newsflash status`
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show whether workers work, and the reasons if they do not.",
        discussion: """
            Queries the admin port of each worker: readiness with the reasons and what to do, paused sources, the rules in
            force with their digest, lag in records and seconds, the lanes, and the requests in flight and limits of each
            hub.

            --group queries Kafka instead of the workers: the committed offsets of the group, the age of the oldest record
            that is not committed, the pauses of sources, and the time of the newest outcome. This also works if no
            admin port can be reached or no worker runs.

            --waiting lists the events that wait in the ledgers of the sources: kind, story, event, what each waits for, until
            when and since when, and its record. If it waits for a person or a hub, 'until' is the time when it expires. This
            reads Kafka only, so no worker needs to run. An event that waits only in the memory of a worker, such as one in a
            lane, is not shown; 'newsflash status' has the numbers.

            Exit codes: 0 all is well; 1 a worker is not ready, a source is paused, or with --group a record has waited for
            more than a minute, or the control topic or outcomes cannot be read; 69 no answer. With --waiting: 0 the ledgers
            were read, 69 they cannot be read.

            Examples:
              newsflash status
              newsflash status --admin 10.0.0.7:9464 --admin 10.0.0.8:9464
              newsflash status --group --json
              newsflash status --waiting
            """
    )

    @OptionGroup var adminOptions: AdminOptions
    @OptionGroup var options: TopicOptions

    @Flag(help: "Query the consumer group in Kafka instead of the workers.")
    var group = false

    @Flag(help: "List the events that wait in the ledgers in Kafka, instead of asking the workers.")
    var waiting = false

    @Flag(help: "One JSON object for each worker, or with --waiting for each event, a line each; with --group one.")
    var json = false

    func validate() throws {
        guard !group || !waiting else { throw ValidationError("'--group' and '--waiting' exclude each other.") }
        guard !(group || waiting) || adminOptions.admin.isEmpty else {
            throw ValidationError("'--group' and '--waiting' ask only Kafka: leave out '--admin'.")
        }
        guard group || waiting || (options.brokers == nil && options.topic == nil) else {
            throw ValidationError(
                "'--brokers' and '--topic' go with '--group' and '--waiting'; without these the workers are asked."
            )
        }
    }

    func run() async throws {
        if group { return try await showGroup() }
        if waiting { return try await showWaiting() }
        let ports = try adminOptions.ports(orOf: options.config)
        let looks = try await WorkerSnapshot.all(at: ports)
        for look in looks {
            if json {
                StandardOutput.write(look.json)
            } else {
                StandardOutput.write(laidOut: look.lines(StandardOutput.style, now: .now()))
            }
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
            StandardOutput.write(laidOut: look.lines(StandardOutput.style))
        }
        if !look.isWell { throw ExitCode.failure }
    }

    private func showWaiting() async throws {
        let found = try await WaitingEvents.read(try options.read())
        if json {
            for event in found.events { StandardOutput.write(event.json) }
        } else {
            StandardOutput.write(laidOut: found.lines(StandardOutput.style))
        }
        guard found.unreadable > 0 else { return }
        StandardError.write(
            "note: the ledger records of \(counted(found.unreadable, "story", "stories")) cannot be decoded, so what waits "
                + "there is not shown"
        )
    }
}
