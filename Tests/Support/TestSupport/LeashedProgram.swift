import FoundationEssentials

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A program in a process of its own, which tests can signal and kill. It does not outlive the test process.
package final class LeashedProgram: Sendable {
    private let leash: ChildProcess
    private let identifier: pid_t

    /// The lines of its standard output and error, after one line of the leash.
    package var lines: EventLog<String> { leash.lines }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - words: Its path and its arguments.
    ///   - environment: Its variables, `NAME=VALUE`; `nil` for those of the test process.
    /// - Throws: ``ChildProcess/Failure`` when it cannot be started.
    package init(_ words: [String], environment: [String]? = nil) async throws {
        let leash = try ChildProcess([ChildProcess.scripts + "/leash.sh"] + words, environment: environment)
        guard let identifier = pid_t(try await leash.line(after: "pid ")), identifier > 1 else {
            throw ChildProcess.Failure(description: "\(words[0]): the leash named no process")
        }
        self.leash = leash
        self.identifier = identifier
    }

    /// Sends it a signal, such as `SIGINT`; only while it has not ended.
    package func signal(_ number: Int32) {
        kill(identifier, number)
    }

    /// Returns the size of its resident memory in bytes; only while it has not ended.
    ///
    /// - Throws: ``ChildProcess/Failure`` if the size cannot be read.
    package func residentMemory() throws -> Int {
        var text = [UInt8](repeating: 0, count: 256)
        let file = open("/proc/\(identifier)/statm", O_RDONLY)
        let count = read(file, &text, text.count)
        close(file)
        // The numbers of pages: total, resident, shared and so on.
        guard
            let pages = Int(
                String(decoding: text.prefix(max(0, count)), as: UTF8.self).split(separator: " ").dropFirst().first
                    ?? ""
            )
        else { throw ChildProcess.Failure(description: "/proc/\(identifier)/statm cannot be read") }
        return pages * Int(getpagesize())
    }

    /// Returns its threads with a name, as listed by Linux; only while it has not ended.
    ///
    /// - Parameter name: The name, at most 15 bytes.
    /// - Returns: Their numbers.
    /// - Throws: ``ChildProcess/Failure`` if no thread has the name.
    package func threads(named name: String) throws -> [Int32] {
        let folder = "/proc/\(identifier)/task"
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let found = numbers.compactMap { Int32($0) }.filter { number in
            let text = try? String(contentsOfFile: "\(folder)/\(number)/comm", encoding: .utf8)
            return text == name + "\n"
        }
        guard !found.isEmpty else { throw ChildProcess.Failure(description: "it has no thread named \(name)") }
        return found.sorted()
    }

    /// Waits for a line.
    ///
    /// - Parameter prefix: The beginning of the line.
    /// - Returns: The rest of the first such line.
    /// - Throws: ``ChildProcess/Failure`` with its last lines if it ended without one.
    package func line(after prefix: String) async throws -> String {
        try await leash.line(after: prefix)
    }

    /// Limits the size of its files, like a full disk: writes beyond it fail. Only while it has not ended, if it
    /// ignores `SIGXFSZ`, and on systems with `prlimit`.
    ///
    /// - Parameter bytes: The maximum size; `nil` for no limit.
    /// - Throws: ``ChildProcess/Failure`` if the limit cannot be set.
    package func limitFiles(to bytes: Int?) async throws {
        let limit = bytes.map { "\($0):unlimited" } ?? "unlimited"
        try await ChildProcess.run(["/usr/bin/prlimit", "--pid", "\(identifier)", "--fsize=\(limit)"])
    }

    /// Waits for its end.
    ///
    /// - Returns: Its exit status; 128 plus the signal's number if a signal ended it.
    /// - Throws: `CancellationError` when the test's time is over.
    package func waitForEnd() async throws -> Int32 {
        switch try await leash.waitForEnd() {
        case .exited(let status): status
        case .signalled(let number): 128 + number
        }
    }

    /// Kills it if it still runs.
    package func end() {
        leash.endInput()
    }
}
