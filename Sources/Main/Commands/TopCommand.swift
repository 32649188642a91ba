import Dispatch
import NewsflashBasics
import NewsflashCommandLineArguments
import NewsflashOperations
import NewsflashTimestamps
import NewsflashWorker

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
            Shows one line for each worker, updated every few seconds: its state in /readyz, partitions, lag in records and
            seconds, waiting events and requests in flight in each lane (waiting+in flight), and ended events per second.
            On a terminal the lines are updated in place, and q or Ctrl-C quits; columns that do not fit are left out,
            first retry, then normal, partitions, waiting, ended and express. Otherwise each line is printed with its time,
            until Ctrl-C or the end of its pipe.

            Exit code 0, or 69 if no worker has ever answered.

            Examples:
              newsflash top
              newsflash top --admin 10.0.0.7:9464 --admin 10.0.0.8:9464
              newsflash top --times 3 --every 1s
              newsflash top --json | jq -r 'select(.ready == false) | .admin'
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

    @Option(help: ArgumentHelp("The time between two updates: 1s to 1h.", valueName: "time"))
    var every = "2s"

    @Option(help: "The number of updates; without it, until you quit.")
    var times: Int?

    @Flag(help: "One JSON object for each worker and update, a line each.")
    var json = false

    func validate() throws {
        _ = try interval()
        if let times, times < 1 { throw ValidationError("'--times' takes 1 or more.") }
    }

    private func interval() throws -> Duration {
        guard let interval = Duration(configured: every), interval >= .seconds(1), interval <= .seconds(3600) else {
            throw ValidationError("'--every' takes a length of time from 1s to 1h, such as 2s, not '\(every)'.")
        }
        return interval
    }

    func run() async throws {
        let ports = try adminOptions.ports(orOf: config)
        let form: TopWatch.Form = json ? .json : StandardOutput.isTerminal ? .screen : .lines
        let keyboard = form == .screen ? TopKeyboard() : nil
        defer { keyboard?.restore() }
        let interrupts = InterruptSignals()
        let watch = TopWatch(ports: ports, every: try interval(), times: times, form: form)
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
            group.addTask {
                await ClosedOutput.wait()
                return nil
            }
            group.addTask { await watch.run() }
            let first = await group.next() ?? nil
            group.cancelAll()
            // The task that waits for signals ends with the process.
            return first ?? true
        }
        guard hasAnswered else {
            throw OperationError(
                .unavailable,
                "no worker has answered at \(ports.map(\.address).joined(separator: ", ")): check that it runs, and "
                    + "that admin.listen can be reached from here"
            )
        }
    }
}

/// Queries workers repeatedly.
private struct TopWatch: Sendable {
    var ports: [AdminPort]
    var every: Duration
    /// The number of updates; `nil` to continue until the task is cancelled.
    var times: Int?
    var form: Form

    /// The form of the output.
    enum Form {
        case screen
        case lines
        case json
    }

    /// Updates the table until the number is reached or the task is cancelled.
    ///
    /// - Returns: Whether any worker has ever answered.
    func run() async -> Bool {
        var table = TopTable()
        var hasAnswered = false
        var count = 0
        while !Task.isCancelled {
            let looks = (try? await WorkerSnapshot.all(at: ports, countingEnds: true)) ?? []
            hasAnswered = hasAnswered || looks.contains { !$0.isSilent }
            table.update(with: looks, at: .now(), Instant.now)
            switch form {
            case .screen: StandardOutput.write(laidOut: [table.frame(StandardOutput.style)])
            case .lines: StandardOutput.write(lines: table.lines)
            case .json: for line in table.json { StandardOutput.write(line) }
            }
            count += 1
            if let times, count >= times { break }
            do { try await Task.sleep(for: every) } catch { break }
        }
        return hasAnswered
    }
}

/// The keyboard of a terminal in a mode where keys arrive at once and are not shown.
// Unchecked, because the source is only stored; after init it is only cancelled.
final class TopKeyboard: @unchecked Sendable {
    private let quitting = Promise<Bool>()
    private let source: any DispatchSourceRead
    private let before: termios

    /// Changes the mode of the terminal; `nil` if the standard input is not a terminal.
    init?() {
        var settings = termios()
        guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        before = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        guard tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0 else { return nil }
        source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO)
        let quitting = quitting
        source.setEventHandler {
            var key: UInt8 = 0
            // The end of the input also quits.
            let count = read(STDIN_FILENO, &key, 1)
            if count <= 0 || key == UInt8(ascii: "q") || key == UInt8(ascii: "Q") { quitting.end(with: true) }
        }
        source.resume()
    }

    /// Waits for q.
    func quit() async { _ = await quitting.wait() }

    /// Restores the mode of the terminal.
    func restore() {
        source.cancel()
        var before = before
        tcsetattr(STDIN_FILENO, TCSANOW, &before)
    }
}
