import NewsflashBasics
import NewsflashCommands
import NewsflashOperations

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A process that the bench starts, exchanges lines with, and measures. It is always killed when the bench ends.
final class BenchProcess: Sendable {
    /// How a process ended.
    struct End: Sendable {
        /// The exit code; 128 plus the signal's number if a signal ended the process.
        var code: Int32
        /// User and system time of all its threads, in seconds, from its start to its end.
        var cpu: Double
    }

    private enum Life {
        case running
        case over
    }

    /// The process ID.
    var identifier: pid_t { program.identifier }
    /// The start time, in nanoseconds since the epoch.
    var start: Int64 { program.start }
    private let program: SpawnedProgram
    private let life = Locked(Life.running)
    private let lines = AsyncStream<String>.makeStream()
    private let ended = Promise<End>()

    private init(_ program: SpawnedProgram) {
        self.program = program
    }

    /// Starts a program, calls `body`, and kills the process if it is still running afterwards.
    ///
    /// - Parameters:
    ///   - words: The path of the program and its arguments.
    ///   - environment: The environment variables, `NAME=VALUE`.
    ///   - log: The file for its standard error; `nil` for the standard error of this process.
    ///   - body: Called with the running process.
    /// - Returns: The result of `body`.
    /// - Throws: ``OperationError`` if the program cannot be started, and the errors of `body`.
    static func with<Result: Sendable>(
        _ words: [String],
        environment: [String] = BenchPrograms.environment,
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

    /// Sends a line to the process.
    func tell(_ line: String) {
        life.withLock { life in
            if case .running = life { program.write(line) }
        }
    }

    /// Sends a line and waits for the answer, which is one line.
    func ask(_ line: String) async throws -> String {
        tell(line)
        return try await self.line()
    }

    /// Waits for the next line of the process.
    ///
    /// - Throws: ``OperationError`` if the process ended instead, `CancellationError` if the task is cancelled.
    func line() async throws -> String {
        var iterator = lines.stream.makeAsyncIterator()
        if let line = await iterator.next() { return line }
        try Task.checkCancellation()
        throw OperationError(.internalError, "a process of the bench ended unexpectedly")
    }

    /// Whether the process has not ended.
    var isRunning: Bool {
        life.withLock { life in
            if case .running = life { true } else { false }
        }
    }

    /// Sends a signal to the process if it has not ended.
    func signal(_ number: Int32) {
        life.withLock { life in
            // `watch()` reaps the process under the same lock, so the ID cannot belong to another process.
            if case .running = life { program.signal(number) }
        }
    }

    /// Waits until the process ends.
    ///
    /// - Parameter patience: The maximum time to wait.
    /// - Returns: `nil` if the process is still running.
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

    /// Kills the process and waits until it has ended, even if the current task is cancelled.
    private func kill() async {
        signal(SIGKILL)
        let ended = ended
        _ = await Task { await ended.wait() }.value
    }

    private static func started(
        _ words: [String],
        environment: [String],
        log: String?
    ) async throws(OperationError) -> BenchProcess {
        let process: Result<BenchProcess, OperationError> = await withCheckedContinuation { continuation in
            let isStarted = startThread(named: "bench-child") {
                // Started on the thread that waits for its end: a child is killed when the thread that started it ends.
                do throws(OperationError) {
                    let process = BenchProcess(try SpawnedProgram(words, environment: environment, log: log))
                    continuation.resume(returning: .success(process))
                    process.watch()
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            if !isStarted { continuation.resume(returning: .failure(OperationError(.unavailable, "no thread left"))) }
        }
        return try process.get()
    }

    /// Reads the lines of the process until end of file, then waits for its end.
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
