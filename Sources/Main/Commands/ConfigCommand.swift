import FoundationEssentials
import NewsflashCommandLineArguments
import NewsflashOperations
import NewsflashWorker

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
        abstract: "Show every key with its effective value and origin.",
        discussion: """
            Each line has a key, its value and its origin: the file with its line, the environment variable that
            overrides it, or 'default'. A key without a value shows '-'. Secrets are hidden. A line in brackets says where a
            hub's connection string comes from; its file is not opened. --json has "connectionStringOf" there, and no "key".

            'newsflash lint' reports the problems of a configuration; this command shows one without problems.

            Exit codes: 0 shown, 64 no such key, 78 the configuration has problems.

            Examples:
              newsflash config show --config newsflash.yaml
              newsflash config show --key kafka
              newsflash config show --json | jq -c 'select(.origin != "default")'
            """
    )

    @OptionGroup var options: ConfigurationOptions

    @Option(help: ArgumentHelp("Only this key and the keys below it, for example policy.life.", valueName: "prefix"))
    var key: String?

    @Flag(help: "Print one JSON object per line for each key.")
    var json = false

    func run() throws {
        let listing = ConfigurationListing(try options.read().values, file: options.file, below: key)
        guard !listing.isEmpty else {
            throw ValidationError("no key is '\(key ?? "")' or begins with it; 'newsflash config show' lists all keys.")
        }
        if json {
            for line in listing.json { StandardOutput.write(line) }
        } else {
            StandardOutput.write(lines: listing.lines)
        }
    }
}
