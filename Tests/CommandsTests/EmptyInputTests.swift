import NewsflashTestSupport
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// An empty standard input, as after a typo in a pipe.
@Suite(.timeLimit(.minutes(1)))
struct EmptyInputTests {
    private func run(_ words: String) async throws -> (code: Int32, lines: [String]) {
        let configuration = "\(Scene.checkout)/deploy/newsflash.yaml"
        let script = "'\(try TestProgram.path())' \(words) --config '\(configuration)' </dev/null"
        let process = try ChildProcess(
            ["/usr/bin/env", "bash", "--norc", "-c", script],
            environment: TestProgram.environment
        )
        guard case .exited(let code) = try await process.waitForEnd() else {
            throw ChildProcess.Failure(description: "newsflash was killed")
        }
        return (code, process.lines.events)
    }

    @Test(.needsBash) func `explain refuses it, and lint reports that it has checked nothing`() async throws {
        let explain = try await run("explain")
        #expect(explain.code == 65)
        #expect(explain.lines == ["Error: the input contains no event"])
        let lint = try await run("lint -")
        #expect(lint.code == 0, "\(lint.lines)")
        #expect(lint.lines.last == "0 events checked, 0 invalid", "\(lint.lines)")
    }
}
