import CommandLineArguments
import Testing

@testable import Commands

/// An example that stands in the help of a command.
struct HelpExample: CustomTestStringConvertible {
    /// The command whose help it is, without the program.
    let command: [String]
    /// As it stands there, lines that go on joined.
    let line: String

    var testDescription: String { line }

    /// The calls of our program in it, each without the program's name.
    var calls: [[String]] {
        ShellWords.commands(in: line).filter { $0.first == "newsflash" }.map { Array($0.dropFirst()) }
    }

    /// A command that is shown, and what its help says at the end.
    struct Command {
        let words: [String]
        let discussion: String
    }

    /// All examples of all commands that are shown.
    static let all: [HelpExample] = commands.flatMap { command in
        examples(in: command.discussion).map { HelpExample(command: command.words, line: $0) }
    }

    /// All commands that are shown, the program itself first.
    static let commands: [Command] = tree(Newsflash.configuration, [])

    private static func tree(_ configuration: CommandConfiguration, _ words: [String]) -> [Command] {
        var commands = [Command(words: words, discussion: configuration.discussion)]
        for type in configuration.subcommands {
            let below: CommandConfiguration = type.configuration
            guard below.shouldDisplay else { continue }
            commands += tree(below, words + [below.commandName ?? "?"])
        }
        return commands
    }

    /// The lines that are set off behind a line that ends in a colon.
    private static func examples(in discussion: String) -> [String] {
        var examples: [String] = []
        var goesOn = false
        for line in discussion.split(separator: "\n") {
            guard line.hasPrefix("  ") else {
                goesOn = false
                continue
            }
            let text = line.drop { $0 == " " }
            let whole = text.hasSuffix("\\") ? text.dropLast() : text
            if goesOn {
                examples[examples.count - 1] += whole
            } else {
                examples.append(String(whole))
            }
            goesOn = text.hasSuffix("\\")
        }
        return examples
    }
}
