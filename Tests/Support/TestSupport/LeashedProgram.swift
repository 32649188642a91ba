import FoundationEssentials

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A program of ours in a process of its own, to be signalled and killed, that does not outlive the test process.
package final class LeashedProgram: Sendable {
    private let leash: ChildProcess
    private let identifier: pid_t

    /// What it wrote to its standard output and error, line by line; before it one line of the leash.
    package var lines: EventLog<String> { leash.lines }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - words: Its path and its arguments.
    ///   - environment: The variables it gets, `NAME=VALUE`; nil for ours.
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

    /// How many bytes of memory it has; only while it has not ended.
    ///
    /// - Throws: ``ChildProcess/Failure`` if the system does not say.
    package func residentMemory() throws -> Int {
        var text = [UInt8](repeating: 0, count: 256)
        let file = open("/proc/\(identifier)/statm", O_RDONLY)
        let count = read(file, &text, text.count)
        close(file)
        // Pages: in all, resident, shared and so on.
        guard
            let pages = Int(
                String(decoding: text.prefix(max(0, count)), as: UTF8.self).split(separator: " ").dropFirst().first
                    ?? ""
            )
        else { throw ChildProcess.Failure(description: "/proc/\(identifier)/statm cannot be read") }
        return pages * Int(getpagesize())
    }

    /// Its threads of a name, as Linux shows them; only while it has not ended.
    ///
    /// - Parameter name: At most 15 bytes.
    /// - Returns: Their numbers.
    /// - Throws: ``ChildProcess/Failure`` if it has none.
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
    /// - Parameter prefix: What it begins with.
    /// - Returns: The rest of the first such line.
    /// - Throws: ``ChildProcess/Failure`` with what it wrote last when it ended without one.
    package func line(after prefix: String) async throws -> String {
        try await leash.line(after: prefix)
    }

    /// Lets its files grow no further than this, as a full disk would: writes beyond fail. Only while it has not ended,
    /// where it ignores `SIGXFSZ`, and where there is a `prlimit`.
    ///
    /// - Parameter bytes: Nothing for no limit.
    /// - Throws: ``ChildProcess/Failure`` when that cannot be done.
    package func limitFiles(to bytes: Int?) async throws {
        let limit = bytes.map { "\($0):unlimited" } ?? "unlimited"
        try await ChildProcess.run(["/usr/bin/prlimit", "--pid", "\(identifier)", "--fsize=\(limit)"])
    }

    /// Waits for its end.
    ///
    /// - Returns: Its exit status; 128 and the signal's number where one ended it.
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
