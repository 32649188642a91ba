import CNewsflashBench
import FoundationEssentials
import NewsflashCommands
import NewsflashOperations
import NewsflashTimestamps

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A process at system level: its ID and the two pipes to it. Owned by ``BenchProcess``.
struct SpawnedProgram: Sendable {
    let identifier: pid_t
    /// The start time, in nanoseconds since the epoch.
    let start: Int64
    private let input: Int32
    private let output: Int32

    /// Starts a program. The system kills it when the calling thread ends.
    ///
    /// - Parameters:
    ///   - words: The path of the program and its arguments.
    ///   - environment: The environment variables, `NAME=VALUE`.
    ///   - log: The file for its standard error; `nil` for the standard error of this process.
    /// - Throws: ``OperationError`` if the program cannot be started.
    init(_ words: [String], environment: [String], log: String?) throws(OperationError) {
        let input = try Self.makePipe()
        let output = try Self.makePipe()
        let errors = log.map { open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) } ?? STDERR_FILENO
        start = Timestamp.now().nanoseconds
        identifier = Self.withPointers(to: words) { arguments in
            Self.withPointers(to: environment) { variables in
                cbench_spawn(words[0], arguments, variables, input.read, output.write, errors)
            }
        }
        let reason = errno
        for descriptor in [input.read, output.write] { close(descriptor) }
        if errors != STDERR_FILENO { close(errors) }
        (self.input, self.output) = (input.write, output.read)
        guard identifier > 0 else {
            for descriptor in [input.write, output.read] { close(descriptor) }
            throw OperationError(.unavailable, "cannot start \(words[0]): \(String(cString: strerror(reason)))")
        }
    }

    /// Writes a line to its standard input.
    func write(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        // Lines are short, so the pipe accepts them whole. An ended process is detected by the end of its output.
        _ = systemWrite(input, bytes)
    }

    /// Sends a signal to the process.
    func signal(_ number: Int32) {
        kill(identifier, number)
    }

    /// Reads lines on the calling thread until the process closes its standard output.
    func readLines(_ body: (String) -> Void) {
        var rest: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest += buffer[..<count]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                body(String(decoding: rest[..<end], as: UTF8.self))
                rest.removeSubrange(...end)
            }
        }
    }

    /// Waits for the end of the process on the calling thread, without reaping it.
    func waitWithoutTaking() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    }

    /// Reaps the ended process. Its ID may be reused afterwards.
    func takeEnd() -> BenchProcess.End {
        var status: Int32 = 0
        var usage = rusage()
        wait4(identifier, &status, 0, &usage)
        close(input)
        close(output)
        // Replaces the macros of <sys/wait.h>, which Swift does not import.
        let signal = status & 0x7F
        let code = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
        return BenchProcess.End(code: code, cpu: usage.ru_utime.seconds + usage.ru_stime.seconds)
    }

    private static func makePipe() throws(OperationError) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw OperationError(.unavailable, "no pipe left: \(String(cString: strerror(errno)))")
        }
        return (ends[0], ends[1])
    }

    private static func withPointers<Result>(
        to texts: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = texts.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: [UInt8]) -> Int { write(descriptor, bytes, bytes.count) }

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
