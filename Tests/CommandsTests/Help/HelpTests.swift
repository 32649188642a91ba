import NewsflashCommandLineArguments
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct HelpTests {
    @Test(arguments: HelpExample.commands.map(\.words))
    func `the help of each command has examples and lines that fit`(words: [String]) async {
        var lines: [String] = []
        let code = await Newsflash.main(words + ["--help"], output: { lines.append($0) }, errors: { _ in })
        #expect(code == .success)
        let text = lines.joined(separator: "\n")
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 })
        let examples = HelpExample.all.filter { $0.command == words }
        #expect(examples.contains { $0.calls.contains { $0.starts(with: words) } })
    }

    @Test(arguments: HelpExample.all)
    func `each example can be parsed`(example: HelpExample) {
        for call in example.calls {
            #expect(throws: Never.self) {
                do { _ = try Newsflash.parseAsRoot(call) } catch is CleanExit {}
            }
        }
    }

    @Test func `an example that cannot be parsed would be found`() throws {
        let example = HelpExample(command: [], line: "cat a | newsflash lint --confg 'b c' && newsflash run # --now")
        #expect(example.calls == [["lint", "--confg", "b c"], ["run"]])
        #expect(throws: UsageError.self) { try Newsflash.parseAsRoot(example.calls[0]) }
    }

    @Test(arguments: HelpExample.commands.map(\.words))
    func `the help of a command that prints objects names their number and content`(words: [String]) async throws {
        var lines: [String] = []
        _ = await Newsflash.main(words + ["--help"], output: { lines.append($0) }, errors: { _ in })
        let text = lines.joined(separator: "\n")
        guard text.contains("  --json ") else { return }
        let help = text.split(separator: "  --json ").last.map { $0.prefix(400) } ?? ""
        #expect(help.contains("object"))
    }

    @Test func `each command is in one group of the help`() {
        let groups = Newsflash.configuration.groupedSubcommands
        #expect(Newsflash.configuration.ungroupedSubcommands.isEmpty)
        let names = groups.flatMap { $0.subcommands.map { "\($0)" } }
        #expect(Set(names).count == names.count)
        let headings = groups.map { "\n\($0.name.uppercased()):\n" }
        let help = Newsflash.helpMessage()
        #expect(headings.allSatisfy { help.contains($0) })
    }

    private func bashCompletion() async -> String {
        var lines: [String] = []
        let words = ["--generate-completion-script", "bash"]
        _ = await Newsflash.main(words, output: { lines.append($0) }, errors: { _ in })
        return lines.joined(separator: "\n")
    }

    @Test(arguments: [
        ("dead-letters list --stage", "decode gate map render send"),
        ("reload --announce", "words audience lost gained"),
        ("check --as", "worker operator"),
    ])
    func `values of a closed set are completed`(option: String, values: String) async {
        #expect(await bashCompletion().contains("\"newsflash \(option)\") candidates=\"\(values)\""))
        for value in values.split(separator: " ") {
            let words = option.split(separator: " ").map(String.init) + [String(value)]
            #expect(throws: Never.self) { _ = try Newsflash.parseAsRoot(words) }
        }
    }

    @Test func `the levels of the log are completed`() async {
        let line = await bashCompletion().split(separator: "\n").first { $0.contains("\"newsflash log-level\") cand") }
        #expect(line?.contains(" trace debug info notice warning error critical\"") == true)
    }
}
