import CommandLineArguments
import Testing

@testable import Commands

@Suite(.timeLimit(.minutes(1)))
struct HelpTests {
    @Test(arguments: [
        ["lint"], ["render"], ["rehearse"], ["replay"], ["explain"], ["publish"], ["topics"], ["topics", "list"],
        ["topics", "create"],
        ["topics", "check"], ["outcomes"], ["dead-letters"], ["dead-letters", "list"], ["dead-letters", "show"],
        ["dead-letters", "redrive"],
        ["hub"], ["bench"], ["run"], ["demo"], ["status"], ["top"],
        ["config"], ["config", "show"], ["reload"], ["log-level"],
    ])
    func `the help of each command has examples, and lines that fit`(words: [String]) async {
        var lines: [String] = []
        let code = await Newsflash.main(words + ["--help"], output: { lines.append($0) }, errors: { _ in })
        #expect(code == .success)
        let text = lines.joined(separator: "\n")
        #expect(text.contains("Example"))
        #expect(text.contains("  newsflash " + words.joined(separator: " ")))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 })
    }
}
