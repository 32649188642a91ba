/// What a command is called and what its help says.
package struct CommandConfiguration: Sendable {
    /// The name on the command line; `nil` takes it from the type's name.
    package var commandName: String?
    /// One line: what the command does.
    package var abstract: String
    /// The usage line without `USAGE:`, where the generated one does not serve.
    package var usage: String?
    /// Text after everything else in the help, shown as it is written: the place for examples.
    package var discussion: String
    /// What `--version` prints, here and in subcommands; empty where there is no such option.
    package var version: String
    /// Whether help, completions and suggestions name the command; one that they do not can be called all the same.
    package var shouldDisplay: Bool
    /// The commands below this one.
    package var subcommands: [any ParsableCommand.Type]

    /// Makes a configuration; what is left out is derived or not shown.
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
