import NewsflashCommandLineArguments
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// The same exit code for the same cause in all commands: 78 for a wrong configuration, 69 for a port in use, 1 for a plan
/// that nobody confirms.
@Suite(.timeLimit(.minutes(4)))
struct ExitCodeTests {
    private func run(_ words: [String]) async throws -> (code: Int32, lines: [String]) {
        let process = try ChildProcess([TestProgram.path()] + words, environment: TestProgram.environment)
        guard case .exited(let code) = try await process.waitForEnd() else {
            throw ChildProcess.Failure(description: "newsflash was killed")
        }
        return (code, process.lines.events)
    }

    @Test(arguments: [["lint"], ["lint", "--json"], ["check"], ["config", "show"], ["explain"], ["pauses"]])
    func `a configuration that cannot be read is an error with code 78`(words: [String]) async {
        var errors: [String] = []
        let code = await Newsflash.main(
            words + ["--config", "/nowhere/newsflash.yaml"],
            output: { _ in },
            errors: { errors.append($0) }
        )
        #expect(code.rawValue == 78)
        // 'check' prints its findings, also this one.
        guard words != ["check"] else { return }
        #expect(errors.joined().contains("/nowhere/newsflash.yaml: 1 problem\n  the file cannot be read"), "\(errors)")
    }

    @Test(arguments: [["lint"], ["lint", "--json"], ["check"], ["config", "show"], ["explain"]])
    func `a wrong configuration ends each command with code 78`(words: [String]) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("version: 1\nhubb: x\n", to: "newsflash.yaml")
        let code = await Newsflash.main(words + ["--config", file], output: { _ in }, errors: { _ in })
        #expect(code.rawValue == 78)
    }

    @Test func `a port in use ends hub and demo with code 69`() async throws {
        let other = try LoopbackListener()
        let port = "\(other.port)"
        for words in [["hub", "--listen", "127.0.0.1:\(port)"], ["demo", "--once", "--port", port]] {
            let end = try await run(words)
            #expect(end.code == 69, "\(words): \(end.lines)")
            #expect(end.lines.contains { $0.hasPrefix("Error: ") && $0.contains(port) }, "\(end.lines)")
        }
        let admin = try await run(["demo", "--once", "--admin-listen", "127.0.0.1:\(port)"])
        #expect(admin.code == 69, "\(admin.lines)")
    }

    @Test func `a plan for topics that is not confirmed ends with code 1, and nothing to do with 0`() async throws {
        try await WatchedNewsroom.open(partitions: 2) { newsroom in
            let options = ["--config", newsroom.file]
            let wanted = options + ["--partitions", "4"]
            for words in [["apply"] + wanted, ["apply"] + wanted + ["--json"]] {
                let end = try await run(["topics"] + words)
                #expect(end.code == 1)
                #expect(end.lines.contains("Error: nothing was changed: add --yes to do it"), "\(end.lines)")
            }
            let plan = try await run(["topics", "plan"] + wanted)
            #expect(plan.code == 1)
            let command = "newsflash topics apply --partitions 4"
            #expect(plan.lines.last?.hasSuffix("to create or change: do it with '\(command)'") == true)
            // A real broker has settings, and those of this newsroom differ.
            guard !KafkaTestCluster.isReal else { return }
            for words in [["plan"] + options, ["apply"] + options] {
                let none = try await run(["topics"] + words)
                #expect(none.code == 0)
                #expect(none.lines.last == "nothing to do", "\(none.lines)")
            }
            let offline = try await run(["topics", "plan", "--offline", "--brokers", "unasked:9092"])
            #expect(offline.code == 0)
            #expect(
                offline.lines.count == 5 && offline.lines.allSatisfy { $0.hasPrefix("create   ") },
                "\(offline.lines)"
            )
        }
    }
}
