/// A set of arguments that can be read from a command line: a struct whose properties carry `@Argument`, `@Option`,
/// `@Flag` or `@OptionGroup`.
package protocol ParsableArguments: SendableMetatype {
    /// Makes the arguments with their defaults, before anything was read.
    init()

    /// Checks values against one another once all were read.
    ///
    /// Throw a ``ValidationError`` to refuse them: it is shown with the usage line.
    mutating func validate() throws
}

extension ParsableArguments {
    package mutating func validate() throws {}
}

/// A command, or a group of commands when its configuration names subcommands.
package protocol ParsableCommand: ParsableArguments {
    /// What the command is called and what its help says.
    static var configuration: CommandConfiguration { get }

    /// Does the work, after the arguments were read and validated.
    mutating func run() throws
}

extension ParsableCommand {
    package static var configuration: CommandConfiguration { CommandConfiguration() }

    /// Shows the help: what a group does when no subcommand is given.
    package mutating func run() throws {
        throw CleanExit.helpRequest(Self.self)
    }

    /// The name on the command line: the configured one, or the type's in kebab case without `Command` at its end.
    static var name: String {
        if let name = configuration.commandName { return name }
        let type = String(describing: Self.self)
        let suffix = "Command"
        return (type.hasSuffix(suffix) && type != suffix ? String(type.dropLast(suffix.count)) : type).kebabCased
    }
}

/// A command whose work suspends.
package protocol AsyncParsableCommand: ParsableCommand {
    /// Does the work, after the arguments were read and validated; runs on the caller's actor.
    mutating func run() async throws
}

extension AsyncParsableCommand {
    package mutating func run() async throws {
        throw CleanExit.helpRequest(Self.self)
    }
}
