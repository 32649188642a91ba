import FoundationEssentials
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The program as the first process of a container, to which the system delivers only signals that it handles.
@Suite(.timeLimit(.minutes(4)))
struct FirstProcessTests {
    private static let unshare = ["/usr/bin/unshare", "--user", "--map-root-user", "--pid", "--fork"]

    /// Whether this system allows us to create a process that is the first of its namespace.
    private static let canBeFirst: Bool = {
        guard isInstalled(unshare[0]) else { return false }
        let pipe = popen((unshare + ["true"]).joined(separator: " ") + " 2>/dev/null", "r")
        return pipe.map { pclose($0) == 0 } ?? false
    }()

    /// Returns the process that `unshare` has started.
    private func child(of process: pid_t) async throws -> pid_t {
        let file = "/proc/\(process)/task/\(process)/children"
        return try await waitFor {
            let text = FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) } ?? ""
            return text.split(separator: " ").first.flatMap { pid_t($0) }
        }
    }

    @Test(
        .enabled(if: canBeFirst, "needs a namespace of processes: unshare may make none here"),
        arguments: [SIGTERM, SIGINT]
    )
    func `a command that waits for its input ends at a signal`(signal: Int32) async throws {
        // The shell writes its process id outside before it becomes the program, which waits for events on its standard
        // input.
        let configuration = "\(Scene.checkout)/deploy/newsflash.yaml"
        let words = Self.unshare + [try TestProgram.path(), "lint", "--config", configuration, "-"]
        let script = "echo pid $$; exec \"$@\""
        let process = try ChildProcess(
            ["/bin/bash", "-c", script, "first"] + words,
            environment: TestProgram.environment
        )
        let outer = try #require(pid_t(try await process.line(after: "pid ")))
        let first = try await child(of: outer)
        try await waitForHandler(of: signal, in: first)
        kill(first, signal)
        #expect(try await process.waitForEnd() == .exited(128 + signal))
    }

    /// Waits until a process has a handler for a signal, because before that it ignores the signal.
    private func waitForHandler(of signal: Int32, in process: pid_t) async throws {
        try await waitUntil {
            let status = FileManager.default.contents(atPath: "/proc/\(process)/status") ?? Data()
            let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
            let mask = line.flatMap { UInt64($0.dropFirst(7).filter { !$0.isWhitespace }, radix: 16) } ?? 0
            return mask & (1 << UInt64(signal - 1)) != 0
        }
    }
}
