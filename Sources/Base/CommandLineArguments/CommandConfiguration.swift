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
    /// The subcommands that the help lists without a heading of their own, before the groups.
    package var ungroupedSubcommands: [any ParsableCommand.Type]
    /// The subcommands under headings, in the order of the help.
    package var groupedSubcommands: [CommandGroup]

    /// All subcommands.
    package var subcommands: [any ParsableCommand.Type] {
        ungroupedSubcommands + groupedSubcommands.flatMap(\.subcommands)
    }

    /// Creates a configuration; omitted values are derived or not shown.
    package init(
        commandName: String? = nil,
        abstract: String = "",
        usage: String? = nil,
        discussion: String = "",
        version: String = "",
        shouldDisplay: Bool = true,
        subcommands: [any ParsableCommand.Type] = [],
        groupedSubcommands: [CommandGroup] = []
    ) {
        self.commandName = commandName
        self.abstract = abstract
        self.usage = usage
        self.discussion = discussion
        self.version = version
        self.shouldDisplay = shouldDisplay
        self.ungroupedSubcommands = subcommands
        self.groupedSubcommands = groupedSubcommands
    }
}

/// Subcommands under one heading of the help.
package struct CommandGroup: Sendable {
    /// The heading, such as `On call`.
    package var name: String
    package var subcommands: [any ParsableCommand.Type]

    package init(name: String, subcommands: [any ParsableCommand.Type]) {
        self.name = name
        self.subcommands = subcommands
    }
}
