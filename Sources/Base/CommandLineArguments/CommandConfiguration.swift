/// The name and the help of a command.
package struct CommandConfiguration: Sendable {
    /// The name on the command line; `nil` derives it from the type's name.
    package var commandName: String?
    /// One line that describes what the command does.
    package var abstract: String
    /// The usage line without `USAGE:`; `nil` generates it.
    package var usage: String?
    /// Text after everything else in the help, printed verbatim; for example for examples.
    package var discussion: String
    /// The text that `--version` prints, here and in subcommands; empty for no such option.
    package var version: String
    /// Whether help, completions and suggestions show the command. A hidden command can still be called.
    package var shouldDisplay: Bool
    /// The subcommands.
    package var subcommands: [any ParsableCommand.Type]

    /// Creates a configuration; omitted values are derived or not shown.
    package init(
        commandName: String? = nil,
        abstract: String = "",
        usage: String? = nil,
        discussion: String = "",
        version: String = "",
        shouldDisplay: Bool = true,
        subcommands: [any ParsableCommand.Type] = []
    ) {
        self.commandName = commandName
        self.abstract = abstract
        self.usage = usage
        self.discussion = discussion
        self.version = version
        self.shouldDisplay = shouldDisplay
        self.subcommands = subcommands
    }
}
