import NewsflashTestSupport
import Testing

/// Commands that run until a signal also end when the reader of their pipe has gone.
@Suite(.timeLimit(.minutes(2)))
struct ClosedOutputTests {
    @Test(.needsBash, arguments: ["top --admin 127.0.0.1:1 --every 1h", "demo", "demo --once"])
    func `a command ends when the reader of its pipe has gone`(words: String) async throws {
        // The update after the first line is an hour away, so only the closed pipe can end 'top'.
        let script = "'\(try TestProgram.path())' \(words) | head -1; echo \"ended ${PIPESTATUS[0]}\""
        let process = try ChildProcess(
            ["/usr/bin/env", "bash", "--norc", "-c", script],
            environment: TestProgram.environment
        )
        #expect(try await process.waitForEnd() == .exited(0))
        // No worker has answered, and it does not matter any more.
        #expect(process.lines.events.last == "ended 0", "\(process.lines.events)")
    }
}
