import NewsflashCommandLineArguments
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// An example from the help of a command.
struct HelpExample: CustomTestStringConvertible {
    /// The command with this help, without the program's name.
    let command: [String]
    /// The example as the help shows it, with continued lines joined.
    let line: String

    var testDescription: String { line }

    /// The calls of our program in the example, each without the program's name.
    var calls: [[String]] {
        ShellWords.commands(in: line).filter { $0.first == "newsflash" }.map { Array($0.dropFirst()) }
    }

    /// A visible command and the end of its help.
    struct Command {
        let words: [String]
        let discussion: String
    }

    /// All examples of all visible commands.
    static let all: [HelpExample] = commands.flatMap { command in
        examples(in: command.discussion).map { HelpExample(command: command.words, line: $0) }
    }

    /// All visible commands, the program itself first.
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

    /// Returns the indented lines after a line that ends in a colon.
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
