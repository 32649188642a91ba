import Locks
import Threads

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A process that the bench starts, speaks lines with, and measures. It is killed when the bench ends, however that ends.
final class BenchProcess: Sendable {
    /// How a process ended.
    struct End: Sendable {
        /// The exit code; 128 and the signal's number where one ended it.
        var code: Int32
        /// User and system time of all its threads, in seconds, from its start to its end.
        var cpu: Double
    }

    private enum Life {
        case running
        case over
    }

    /// The process's number.
    var identifier: pid_t { program.identifier }
    /// When it was started, in nanoseconds since the epoch.
    var start: Int64 { program.start }
    private let program: SpawnedProgram
    private let life = Locked(Life.running)
    private let lines = AsyncStream<String>.makeStream()
    private let ended = OneShot<End>()

    private init(_ program: SpawnedProgram) {
        self.program = program
    }

    /// Starts a program, lets something be done with it, and kills it if it still runs then.
    ///
    /// - Parameters:
    ///   - words: Its path and its arguments.
    ///   - environment: Its variables, `NAME=VALUE`.
    ///   - log: The file that takes its standard error; `nil` for ours.
    ///   - body: What is done with it.
    /// - Returns: What the body returns.
    /// - Throws: ``CommandError`` where it cannot be started, and what the body throws.
    static func with<Result: Sendable>(
        _ words: [String],
        environment: [String] = BenchProgram.environment,
        log: String? = nil,
        _ body: (BenchProcess) async throws -> Result
    ) async throws -> Result {
        let process = try await started(words, environment: environment, log: log)
        do {
            let result = try await body(process)
            await process.kill()
            return result
        } catch {
            await process.kill()
            throw error
        }
    }

    /// Sends it a line.
    func tell(_ line: String) {
        life.withLock { life in
            if case .running = life { program.write(line) }
        }
    }

    /// Sends it a line and waits for the line that answers.
    func ask(_ line: String) async throws -> String {
        tell(line)
        return try await self.line()
    }

    /// Waits for its next line.
    ///
    /// - Throws: ``CommandError`` where it ended instead, `CancellationError` where nobody wants to know any more.
    func line() async throws -> String {
        var iterator = lines.stream.makeAsyncIterator()
        if let line = await iterator.next() { return line }
        try Task.checkCancellation()
        throw CommandError(.internalError, "a process of the bench ended too early")
    }

    /// Whether it has not ended.
    var isRunning: Bool {
        life.withLock { life in
            if case .running = life { true } else { false }
        }
    }

    /// Sends it a signal, if it has not ended.
    func signal(_ number: Int32) {
        life.withLock { life in
            // Under the lock that the number is given back under, so that no other process can have it.
            if case .running = life { program.signal(number) }
        }
    }

    /// Waits for its end.
    ///
    /// - Parameter patience: How long.
    /// - Returns: `nil` where it still runs.
    func end(within patience: Duration) async -> End? {
        let ended = ended
        return await withTaskGroup(of: End?.self) { group in
            group.addTask { await ended.wait() }
            group.addTask {
                try? await Task.sleep(for: patience)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }

    /// Kills it, and waits until it is gone, also where the task that asks for it was cancelled.
    private func kill() async {
        signal(SIGKILL)
        let ended = ended
        _ = await Task { await ended.wait() }.value
    }

    private static func started(
        _ words: [String],
        environment: [String],
        log: String?
    ) async throws(CommandError) -> BenchProcess {
        let process: Result<BenchProcess, CommandError> = await withCheckedContinuation { continuation in
            let isStarted = startThread(named: "bench-child") {
                // On the thread that waits for its end: it would be killed with any other.
                do throws(CommandError) {
                    let process = BenchProcess(try SpawnedProgram(words, environment: environment, log: log))
                    continuation.resume(returning: .success(process))
                    process.watch()
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            if !isStarted { continuation.resume(returning: .failure(CommandError(.unavailable, "no thread left"))) }
        }
        return try process.get()
    }

    /// Reads its lines to their end, then waits for the end of the process.
    private func watch() {
        program.readLines { lines.continuation.yield($0) }
        program.waitWithoutTaking()
        let end = life.withLock { life in
            life = .over
            return program.takeEnd()
        }
        lines.continuation.finish()
        ended.end(with: end)
    }
}
