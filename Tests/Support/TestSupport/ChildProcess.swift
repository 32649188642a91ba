import NewsflashBasics

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A program that a test starts. The test writes lines to it and reads its lines.
///
/// The scripts in the parent folder end with their input, so nothing outlives the test process, however it ends.
package final class ChildProcess: Sendable {
    /// A program that did not start, or failed.
    package struct Failure: Error, CustomStringConvertible {
        package var description: String

        package init(description: String) {
            self.description = description
        }
    }

    /// How a program ended.
    package enum End: Sendable, Equatable {
        case exited(Int32)
        case signalled(Int32)
    }

    /// The lines of its standard output and error.
    package let lines = EventLog<String>()
    private let input: Locked<Int32?>
    private let identifier: pid_t
    private let end = EventLog<End>()

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - words: Its path and its arguments.
    ///   - environment: Its variables; `nil` for those of the test process.
    ///   - listener: A socket that it inherits as descriptor 3.
    /// - Throws: ``Failure`` when it cannot be started.
    package init(_ words: [String], environment: [String]? = nil, listener: Int32? = nil) throws {
        // Writing to an ended program must fail with an error instead of ending the test process.
        signal(SIGPIPE, SIG_IGN)
        let input = try Self.makePipe()
        let output = try Self.makePipe()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.read, 0)
        posix_spawn_file_actions_adddup2(&actions, output.write, 1)
        posix_spawn_file_actions_adddup2(&actions, output.write, 2)
        if let listener { posix_spawn_file_actions_adddup2(&actions, listener, 3) }
        let firstUnused: Int32 = listener == nil ? 3 : 4
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The program would inherit the blocked signals of the spawning thread.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // A socket that the program inherits would stay open after the test process has closed it.
        #if canImport(Glibc)
        for descriptor in firstUnused..<min(1024, getdtablesize()) {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        #else
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_CLOEXEC_DEFAULT))
        #endif
        var process = pid_t()
        let status = Self.withPointers(to: words) { arguments in
            guard let environment else {
                return posix_spawn(&process, words[0], &actions, &attributes, arguments, environ)
            }
            return Self.withPointers(to: environment) { variables in
                posix_spawn(&process, words[0], &actions, &attributes, arguments, variables)
            }
        }
        close(input.read)
        close(output.write)
        self.input = Locked(input.write)
        self.identifier = process
        guard status == 0 else {
            close(input.write)
            close(output.read)
            throw Failure(description: "\(words[0]) cannot be started: error \(status)")
        }
        let (lines, end, identifier) = (lines, end, process)
        startThread(named: "child") {
            Self.readLines(from: output.read) { lines.append($0) }
            end.append(Self.blockingEnd(of: identifier))
        }
    }

    deinit {
        endInput()
    }

    /// Sends it a line.
    package func send(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        input.withLock { input in
            guard let input else { return }
            // Lines are short, so a write is never partial. Waiting for the end of the program reports that it has
            // ended.
            _ = write(input, bytes, bytes.count)
        }
    }

    /// Ends its standard input.
    package func endInput() {
        input.withLock { input in
            if let descriptor = input.take() { close(descriptor) }
        }
    }

    /// Waits for a line.
    ///
    /// - Parameter prefix: The beginning of the line.
    /// - Returns: The rest of the first such line.
    /// - Throws: ``Failure`` with its last lines if it ended without one.
    package func line(after prefix: String) async throws -> String {
        try await withThrowingTaskGroup(of: String?.self) { group in
            group.addTask { [lines] in
                try await lines.wait { $0.first { $0.hasPrefix(prefix) } }
            }
            group.addTask { [end] in
                _ = try? await end.wait(for: \.first)
                return nil
            }
            defer { group.cancelAll() }
            if let line = try await group.next() ?? nil { return String(line.dropFirst(prefix.count)) }
            try Task.checkCancellation()
            // All lines are recorded before the end.
            if let line = lines.events.first(where: { $0.hasPrefix(prefix) }) {
                return String(line.dropFirst(prefix.count))
            }
            let last = lines.events.suffix(20).joined(separator: "\n")
            throw Failure(description: "it ended and never said \"\(prefix)\":\n\(last)")
        }
    }

    /// Asks it to end with `SIGTERM`, if it has not ended yet; for programs that do not end with their input.
    package func terminate() {
        if end.events.isEmpty { kill(identifier, SIGTERM) }
    }

    /// Waits for its end.
    package func waitForEnd() async throws -> End {
        try await end.wait(for: \.first)
    }

    /// Runs a program to its end.
    ///
    /// - Parameter words: Its path and its arguments.
    /// - Throws: ``Failure`` with its output if it did not end with status 0.
    package static func run(_ words: [String]) async throws {
        let program = try ChildProcess(words)
        guard try await program.waitForEnd() == .exited(0) else {
            throw Failure(description: program.lines.events.joined(separator: "\n"))
        }
    }

    /// A pipe that no other child inherits. Otherwise the program would not notice the end of its input.
    private static func makePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure(description: "no pipe: \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func withPointers<Result>(
        to texts: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = texts.map { text in text.withCString { strdup($0) } }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }

    private static func readLines(from descriptor: Int32, _ body: (String) -> Void) {
        defer { close(descriptor) }
        var rest: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            rest += buffer[..<count]
            while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
                body(String(decoding: rest[..<newline], as: UTF8.self))
                rest.removeSubrange(...newline)
            }
        }
        if !rest.isEmpty { body(String(decoding: rest, as: UTF8.self)) }
    }

    private static func blockingEnd(of process: pid_t) -> End {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        // The macros of <sys/wait.h>, which Swift does not import.
        let signal = status & 0x7F
        return signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
    }
}

extension ChildProcess {
    /// The folder with the scripts that tests start.
    package static let scripts = "\(#filePath)".split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" }
}
