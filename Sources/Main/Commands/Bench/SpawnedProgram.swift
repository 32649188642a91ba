import CBench
import FoundationEssentials
import Timestamps

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A process as the system sees it: its number and the two pipes to it. ``BenchProcess`` owns it.
struct SpawnedProgram: Sendable {
    let identifier: pid_t
    /// In nanoseconds since the epoch.
    let start: Int64
    private let input: Int32
    private let output: Int32

    /// Starts a program, which is killed when this thread ends.
    ///
    /// - Parameters:
    ///   - words: Its path and its arguments.
    ///   - environment: Its variables, `NAME=VALUE`.
    ///   - log: The file that takes its standard error; `nil` for ours.
    /// - Throws: ``CommandError`` where there is no pipe, no log or no process left.
    init(_ words: [String], environment: [String], log: String?) throws(CommandError) {
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
            throw CommandError(.unavailable, "cannot start \(words[0]): \(String(cString: strerror(reason)))")
        }
    }

    /// Gives it a line.
    func write(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        // Short, so the pipe takes it whole; a process that has gone is noticed by the end of its lines.
        _ = systemWrite(input, bytes)
    }

    /// Sends it a signal.
    func signal(_ number: Int32) {
        kill(identifier, number)
    }

    /// Reads its lines, on this thread, until it closes its standard output.
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

    /// Waits for its end, on this thread, and leaves it its number.
    func waitWithoutTaking() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    }

    /// Takes its end, once it has ended; the number may be another's from then on.
    func takeEnd() -> BenchProcess.End {
        var status: Int32 = 0
        var usage = rusage()
        wait4(identifier, &status, 0, &usage)
        close(input)
        close(output)
        // The macros of <sys/wait.h>, which Swift does not import.
        let signal = status & 0x7F
        let code = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
        return BenchProcess.End(code: code, cpu: usage.ru_utime.seconds + usage.ru_stime.seconds)
    }

    private static func makePipe() throws(CommandError) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw CommandError(.unavailable, "no pipe left: \(String(cString: strerror(errno)))")
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
