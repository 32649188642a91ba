import CommandLineArguments
import Timestamps
import Worker

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// `newsflash top`
struct TopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top",
        abstract: "Watch several workers live.",
        discussion: """
            One line a worker, anew every few seconds: its state as /readyz says it, partitions, lag in records and
            seconds, what waits and is under way in each lane, and how many events end a second. On a terminal the lines
            stay where they are, and q or Ctrl-C ends; elsewhere each is written with its time.

            Exit code 0, or 69 where no worker has answered at all.

            Examples:
              newsflash top
              newsflash top --admin 10.0.0.7:9464 --admin 10.0.0.8:9464
              newsflash top --times 3 --every 1
            """
    )

    @OptionGroup var adminOptions: AdminOptions

    @Option(
        name: [.customShort("c"), .customLong("config")],
        help: ArgumentHelp(
            "The configuration that names the admin port if no --admin does; \(ConfigurationPlace.help).",
            valueName: "file"
        )
    )
    var config: String?

    @Option(help: ArgumentHelp("Seconds between two looks.", valueName: "seconds"))
    var every = 2

    @Option(help: "How many looks; left out, until you end it.")
    var times: Int?

    func validate() throws {
        guard (1...3600).contains(every) else { throw ValidationError("'--every' takes 1 to 3600 seconds.") }
        if let times, times < 1 { throw ValidationError("'--times' takes 1 or more.") }
    }

    func run() async throws {
        let ports = try adminOptions.ports(orOf: config)
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let keyboard = isTerminal ? TopKeyboard() : nil
        defer { keyboard?.restore() }
        let interrupts = Interrupts()
        let watch = TopWatch(ports: ports, every: .seconds(every), times: times, isTerminal: isTerminal)
        let hasAnswered = await withTaskGroup(of: Bool?.self) { group in
            group.addTask {
                await interrupts.wait()
                return nil
            }
            if let keyboard {
                group.addTask {
                    await keyboard.quit()
                    return nil
                }
            }
            group.addTask { await watch.run() }
            let first = await group.next() ?? nil
            group.cancelAll()
            // The signals are waited for as long as the process lives; nothing is left to do here.
            return first ?? true
        }
        guard hasAnswered else {
            throw CommandError(
                .unavailable,
                "no worker has answered at \(ports.map(\.address).joined(separator: ", ")): see that it runs, and that "
                    + "admin.listen is reached from here"
            )
        }
    }
}

/// Looks at workers again and again.
private struct TopWatch: Sendable {
    var ports: [AdminPort]
    var every: Duration
    /// How often; `nil` for until the task is cancelled.
    var times: Int?
    var isTerminal: Bool

    /// Looks until it was often enough, or the task is cancelled.
    ///
    /// - Returns: Whether any worker has ever answered.
    func run() async -> Bool {
        var table = TopTable()
        var hasAnswered = false
        var count = 0
        while !Task.isCancelled {
            let looks = (try? await WorkerLook.all(at: ports, countingEnds: true)) ?? []
            hasAnswered = hasAnswered || looks.contains { !$0.isSilent }
            table.take(looks, at: .now(), Instant.now)
            let lines = isTerminal ? table.screen : table.lines
            StandardOutput.write((isTerminal ? TopTable.cleared : "") + lines.joined(separator: "\n"))
            count += 1
            if let times, count >= times { break }
            do { try await Task.sleep(for: every) } catch { break }
        }
        return hasAnswered
    }
}
