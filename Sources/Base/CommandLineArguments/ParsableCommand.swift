/// A set of command-line arguments: a struct whose properties have `@Argument`, `@Option`, `@Flag` or `@OptionGroup`.
package protocol ParsableArguments: SendableMetatype {
    /// Creates the arguments with their defaults, before parsing.
    init()

    /// Checks values against each other after parsing.
    ///
    /// Throw a ``ValidationError`` to refuse them; it is shown with the usage line.
    mutating func validate() throws
}

extension ParsableArguments {
    package mutating func validate() throws {}
}

/// A command, or a group of commands if its configuration has subcommands.
package protocol ParsableCommand: ParsableArguments {
    /// The name and the help of the command.
    static var configuration: CommandConfiguration { get }

    /// Runs the command, after parsing and validation.
    mutating func run() throws
}

extension ParsableCommand {
    package static var configuration: CommandConfiguration { CommandConfiguration() }

    /// Shows the help, which a group does if no subcommand is given.
    package mutating func run() throws {
        throw CleanExit.helpRequest(Self.self)
    }

    /// The name on the command line: the configured one, or the type's name in kebab case without the suffix `Command`.
    static var name: String {
        if let name = configuration.commandName { return name }
        let type = String(describing: Self.self)
        let suffix = "Command"
        return (type.hasSuffix(suffix) && type != suffix ? String(type.dropLast(suffix.count)) : type).kebabCased
    }
}

/// An asynchronous command.
package protocol AsyncParsableCommand: ParsableCommand {
    /// Runs the command on the caller's actor, after parsing and validation.
    mutating func run() async throws
}

extension AsyncParsableCommand {
    package mutating func run() async throws {
        throw CleanExit.helpRequest(Self.self)
    }
}
