import CommandLineArguments
import FoundationEssentials
import StrictJSON
import Worker

/// `newsflash config`
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show the configuration as the worker reads it.",
        discussion: """
            Example:
              newsflash config show --config newsflash.yaml
            """,
        subcommands: [ConfigShowCommand.self]
    )
}

/// `newsflash config show`
struct ConfigShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show every key with the value that holds, and where it was said.",
        discussion: """
            Each line has a key, its value and its origin: the file with its line, the variable of the environment that
            goes before it, or 'default'. A key without a value shows '-'. Secrets are hidden; of those that lie in files
            of their own the file is named, and not opened.

            'newsflash lint' says what is wrong with a configuration; this shows one that works.

            Exit codes: 0 shown, 64 no key begins so, 78 the configuration has problems.

            Examples:
              newsflash config show --config newsflash.yaml
              newsflash config show --key kafka
              newsflash config show --json | jq -c 'select(.origin != "default")'
            """
    )

    @OptionGroup var options: ConfigurationOptions

    @Option(help: ArgumentHelp("Only this key and those below it, such as policy.life.", valueName: "prefix"))
    var key: String?

    @Flag(help: "One JSON object for each key, a line each.")
    var json = false

    func run() throws {
        let listing = ConfigurationListing(try options.read().values, file: options.file, below: key)
        guard !listing.isEmpty else {
            throw ValidationError("no key is '\(key ?? "")' or begins with it; 'newsflash config show' has them all.")
        }
        if json {
            for line in listing.json { StandardOutput.write(line) }
        } else {
            for line in listing.lines { StandardOutput.write(line) }
        }
    }
}
