/// The exit code of a program; throw it to exit with that code and without a message.
package struct ExitCode: Error, RawRepresentable, Hashable, Sendable {
    /// The number that the shell receives.
    package var rawValue: Int32

    /// Success.
    package static let success = ExitCode(0)
    /// The command completed with a negative result.
    package static let failure = ExitCode(1)
    /// The arguments are wrong (`EX_USAGE` of sysexits.h).
    package static let validationFailure = ExitCode(64)
    /// The command failed (`EX_SOFTWARE` of sysexits.h).
    package static let softwareFailure = ExitCode(70)

    /// Creates an exit code from its number.
    package init(_ code: Int32) {
        rawValue = code
    }

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }
}

/// An error with its own exit code.
package protocol ExitCoded: Error {
    /// The exit code of the program.
    var exitCode: ExitCode { get }
}

/// The error for arguments that contradict each other or cannot be used; shown with the usage line, exit code 64.
package struct ValidationError: Error, Hashable, CustomStringConvertible {
    /// A sentence about the problem.
    package var message: String
    package var description: String { message }

    /// Creates the error.
    package init(_ message: String) {
        self.message = message
    }
}

/// The end of a command that has nothing more to do: exit code 0, text on the standard output.
package enum CleanExit: Error {
    /// Show the help of a command, by default of the one that runs.
    case helpRequest((any ParsableCommand.Type)? = nil)
    /// Show a text.
    case message(String)
}

/// The error for an invalid command line.
package struct UsageError: ExitCoded, CustomStringConvertible {
    /// The kind of mistake.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The code in snake case.
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// An unknown option; the message suggests the nearest.
        package static let unknownOption = Code(rawValue: "unknown_option")
        /// An unknown subcommand; the message suggests the nearest.
        package static let unknownSubcommand = Code(rawValue: "unknown_subcommand")
        /// More words than the command accepts.
        package static let unexpectedArgument = Code(rawValue: "unexpected_argument")
        /// A flag with a value.
        package static let unexpectedValue = Code(rawValue: "unexpected_value")
        /// A required argument was left out.
        package static let missingArgument = Code(rawValue: "missing_argument")
        /// A required option was left out.
        package static let missingOption = Code(rawValue: "missing_option")
        /// An option without its value.
        package static let missingValue = Code(rawValue: "missing_value")
        /// A value of the wrong type.
        package static let invalidValue = Code(rawValue: "invalid_value")
        /// An option for one value that was given twice.
        package static let repeatedOption = Code(rawValue: "repeated_option")
        /// Values refused by `validate()`, or by the command while running.
        package static let validation = Code(rawValue: "validation")
    }

    /// The kind of mistake.
    package var code: Code
    /// One or two sentences about the problem.
    package var message: String
    /// The called command with its parents, such as `newsflash run`.
    package var command: String
    /// The usage line of that command.
    package var usage: String

    package var exitCode: ExitCode { .validationFailure }
    package var description: String { message }
}
