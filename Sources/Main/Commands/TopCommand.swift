import Basics
import CommandLineArguments
import Dispatch
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
            Shows one line for each worker, updated every few seconds: its state in /readyz, partitions, lag in records and
            seconds, waiting events and requests in flight in each lane (waiting+in flight), and ended events per second.
            On a terminal the lines are updated in place, and q or Ctrl-C quits; otherwise each line is printed with its
            time, until Ctrl-C or the end of its pipe.

            Exit code 0, or 69 if no worker has ever answered.

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

    @Option(help: ArgumentHelp("Seconds between two updates.", valueName: "seconds"))
    var every = 2

    @Option(help: "The number of updates; without it, until you quit.")
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
        let interrupts = InterruptSignals()
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
            throw CommandError(
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
    var isTerminal: Bool

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
            let lines = isTerminal ? table.screen : table.lines
            StandardOutput.write((isTerminal ? TopTable.cleared : "") + lines.joined(separator: "\n"))
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

/// The output of `newsflash top`: the latest state of each worker, and the rate since the previous one.
struct TopTable: Sendable {
    fileprivate struct Row {
        var snapshot: WorkerSnapshot
        /// The events that ended per second since the previous snapshot; `nil` at the first snapshot, and after a restart.
        var endsPerSecond: Double?
    }

    private var rows: [Row] = []
    private var time: Timestamp?
    private var ends: [String: (count: Double, at: Instant)] = [:]

    /// The escape sequence that clears the screen and moves the cursor to its beginning.
    static let cleared = "\u{1B}[H\u{1B}[2J"

    /// Records the next state of all workers.
    ///
    /// - Parameters:
    ///   - looks: One result for each worker.
    ///   - time: The wall-clock time, for people.
    ///   - now: The same time of the monotonic clock, for rates.
    mutating func update(with looks: [WorkerSnapshot], at time: Timestamp, _ now: Instant) {
        self.time = time
        rows = looks.map { snapshot in
            guard case .success(let facts) = snapshot.answer, let count = facts.ends else {
                return Row(snapshot: snapshot)
            }
            defer { ends[snapshot.address] = (count, now) }
            guard let before = ends[snapshot.address], before.at < now, before.count <= count else {
                return Row(snapshot: snapshot)
            }
            return Row(snapshot: snapshot, endsPerSecond: (count - before.count) / (now - before.at).inSeconds)
        }
    }

    /// The table for a terminal.
    var screen: [String] {
        let lag = rows.reduce(Int64(0)) { $0 &+ ($1.facts?.lagRecords ?? 0) }
        let title =
            "newsflash top, \(time?.rfc3339 ?? ""): \(counted(rows.count, "worker")), "
            + "\(rows.count { $0.snapshot.isWell }) well, lag \(counted(Int(clamping: lag), "record")); q quits"
        let table = [Self.columns] + rows.map { $0.cells.map(\.harmless) }
        let widths = Self.columns.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
        return [title, ""]
            + table.map { cells in
                zip(cells, widths).enumerated().map { place, cell in
                    // Words are aligned to the left, numbers to the right.
                    let blanks = String(repeating: " ", count: cell.1 - cell.0.count)
                    return place < 2 ? cell.0 + blanks : blanks + cell.0
                }.joined(separator: "  ")
            }
            + rows.flatMap(\.remarks).map(\.harmless)
    }

    /// The output for files and pipes: a line for each worker.
    var lines: [String] {
        rows.map { row in
            let cells = zip(Self.columns, row.cells).dropFirst(2).map { "\($0.lowercased())=\($1)" }
            return ([time?.rfc3339 ?? "", row.snapshot.address, row.cells[1].replacing(" ", with: "_")] + cells)
                .joined(separator: " ").harmless
        }
    }

    private static let columns = [
        "WORKER", "STATE", "PARTITIONS", "LAG", "OLDEST", "EXPRESS", "NORMAL", "RETRY", "WAITING", "ENDED/S",
    ]
}

extension TopTable.Row {
    fileprivate var facts: WorkerFacts? {
        if case .success(let facts) = snapshot.answer { facts } else { nil }
    }

    /// The texts of the columns.
    fileprivate var cells: [String] {
        guard let facts else { return [snapshot.address, "no answer"] + Array(repeating: "-", count: 8) }
        let lanes = ["express", "normal", "retry"].map { lane in
            "\(facts.count("lanes", lane, "waiting"))+\(facts.count("lanes", lane, "inFlight"))"
        }
        let rate = endsPerSecond?.inShort ?? "-"
        let oldest = facts.lagSeconds.asDuration.inWords.replacing(" ", with: "")
        return [
            snapshot.address, facts.state, "\(facts.partitions.count)", "\(facts.lagRecords)", oldest,
        ] + lanes + ["\(facts.count("events", "waiting"))", rate]
    }

    /// The reasons why a worker does not answer or is not ready.
    fileprivate var remarks: [String] {
        switch snapshot.answer {
        case .failure(let silence): ["", "\(snapshot.address): \(silence.why)"]
        case .success(let facts) where facts.isReady: []
        case .success(let facts): [""] + facts.reasons.map { "\(snapshot.address): \($0)" }
        }
    }
}
