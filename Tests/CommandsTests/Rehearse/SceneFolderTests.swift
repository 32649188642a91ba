import FoundationEssentials
import NewsflashCommandLineArguments
import NewsflashTestSupport
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// `newsflash rehearse DIRECTORY`
@Suite(.timeLimit(.minutes(2)))
struct SceneFolderTests {
    private static let sent = #"{"line":1,"outcome":"sent"}"#
    private static let silent = SampleNewsroom.yaml.replacing("World: [world]", with: "World: [planet]")

    private func folder(_ files: [String: String]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, text) in files {
            #expect(FileManager.default.createFile(atPath: folder.file(name), contents: Data(text.utf8)))
        }
        return folder
    }

    private func rehearse(_ words: [String], in folder: TemporaryFolder) async throws -> (code: Int32, lines: [String])
    {
        let command = [try TestProgram.path(), "rehearse", "--config", folder.file("news.yaml")] + words
        let process = try ChildProcess(command, environment: TestProgram.environment)
        guard case .exited(let code) = try await process.waitForEnd() else { return (-1, []) }
        return (code, process.lines.events)
    }

    @Test func `a scene is two files, and has its own configuration if there is a third`() throws {
        let folder = try folder([
            "b.ndjson": "", "b.expected.ndjson": "", "a.ndjson": "", "a.expected.ndjson": "", "a.yaml": "",
            "yesterday.ndjson": "", "c.yaml": "", "notes.txt": "",
        ])
        let found = try SceneFolder(folder.path + "/")
        #expect(found.scenes.map(\.name) == ["a", "b"])
        #expect(found.scenes.map(\.configuration) == [folder.file("a.yaml"), nil])
        #expect(found.scenes.map(\.events) == [folder.file("a.ndjson"), folder.file("b.ndjson")])
        #expect(found.scenes.map(\.expected) == [folder.file("a.expected.ndjson"), folder.file("b.expected.ndjson")])
        #expect(found.unused == ["yesterday.ndjson"])
    }

    @Test func `a folder that tests nothing is an error`() throws {
        let lonely = try folder(["a.ndjson": ""])
        let empty = #expect(throws: OperationError.self) { try SceneFolder(lonely.path) }
        #expect(empty?.kind == .badData)
        #expect(empty?.description.hasSuffix(": contains no scene: write NAME.ndjson and NAME.expected.ndjson") == true)
        let expectations = try folder(["a.expected.ndjson": ""])
        let half = #expect(throws: OperationError.self) { try SceneFolder(expectations.path) }
        #expect(half?.description.hasSuffix("a.ndjson with the events of the scene is missing") == true)
        #expect(throws: OperationError.self) { try SceneFolder("/nowhere") }
    }

    @Test func `each scene is a line, and the first difference fails the run`() async throws {
        let folder = try folder([
            "a.ndjson": SampleNewsroom.flash, "a.expected.ndjson": Self.sent, "yesterday.ndjson": "",
            "b.ndjson": SampleNewsroom.flash, "b.expected.ndjson": Self.sent, "b.yaml": Self.silent,
            "news.yaml": SampleNewsroom.yaml,
        ])
        let difference = "    line 1: outcome: expected sent, got invalid"
        let all = try await rehearse([folder.path], in: folder)
        #expect(all.code == 1)
        #expect(
            Set(all.lines) == [
                "note: no scene uses yesterday.ndjson; its expectations are missing",
                "passed  a: 1 expectation", "failed  b: 1 of 1 expectation not met", difference,
                "2 scenes: 1 passed, 1 failed",
            ]
        )
        let quiet = try await rehearse(["--quiet", folder.path], in: folder)
        #expect(!quiet.lines.contains { $0.hasPrefix("passed") })
        #expect(quiet.lines.contains(difference))
        try FileManager.default.removeItem(atPath: folder.file("b.yaml"))
        let fine = try await rehearse([folder.path], in: folder)
        #expect(fine.code == 0)
        #expect(fine.lines.last == "2 scenes: 2 passed, 0 failed")
    }

    @Test(arguments: [
        (["event.json", "."], "either files or folders"), (["--expect", "x", "."], "go with files"),
        (["--raw", "."], "go with files"),
    ])
    func `folders are not mixed with what belongs to files`(words: [String], reason: String) {
        let error = #expect(throws: UsageError.self) { try Newsflash.parseAsRoot(["rehearse"] + words) }
        #expect(error?.message.contains(reason) == true)
    }

    @Test func `the output of a rehearsal is a valid file of expectations`() async throws {
        let folder = try folder([
            "news.yaml": SampleNewsroom.yaml,
            "day.ndjson": [SampleNewsroom.flash, SampleNewsroom.withoutText, SampleNewsroom.kill].joined(
                separator: "\n"
            ),
        ])
        let output = try await rehearse([folder.file("day.ndjson")], in: folder)
        #expect(output.lines.count == 3)
        let text = output.lines.joined(separator: "\n")
        #expect(FileManager.default.createFile(atPath: folder.file("day.expected.ndjson"), contents: Data(text.utf8)))
        let again = try await rehearse([folder.path], in: folder)
        #expect(again.lines == ["passed  day: 3 expectations", "1 scene: 1 passed, 0 failed"])
    }
}
