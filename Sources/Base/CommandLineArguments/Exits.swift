/// The number a program ends with; throw it to end with that number and without a message.
package struct ExitCode: Error, RawRepresentable, Hashable, Sendable {
    /// The number, as the shell sees it.
    package var rawValue: Int32

    /// All went well.
    package static let success = ExitCode(0)
    /// The command did its work and the result is negative.
    package static let failure = ExitCode(1)
    /// The arguments are wrong (`EX_USAGE` of sysexits.h).
    package static let validationFailure = ExitCode(64)
    /// The command failed (`EX_SOFTWARE` of sysexits.h).
    package static let softwareFailure = ExitCode(70)

    /// Makes an exit code from its number.
    package init(_ code: Int32) {
        rawValue = code
    }

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }
}

/// An error that knows which exit code its failure deserves.
package protocol ExitCoded: Error {
    /// The code the program ends with.
    var exitCode: ExitCode { get }
}

/// The arguments contradict one another or cannot be used; shown with the usage line, exit code 64.
package struct ValidationError: Error, Hashable, CustomStringConvertible {
    /// What is wrong, as a sentence.
    package var message: String
    package var description: String { message }

    /// Makes the error.
    package init(_ message: String) {
        self.message = message
    }
}

/// The end of a command that has nothing more to do; exit code 0, text on the standard output.
package enum CleanExit: Error {
    /// Show the help of a command, by default of the one that runs.
    case helpRequest((any ParsableCommand.Type)? = nil)
    /// Show a text.
    case message(String)
}

/// The command line cannot be understood.
package struct UsageError: ExitCoded, CustomStringConvertible {
    /// What kind of mistake it is.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The label, in snake case.
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// No such option; the message suggests the nearest.
        package static let unknownOption = Code(rawValue: "unknown_option")
        /// No such command below this one; the message suggests the nearest.
        package static let unknownSubcommand = Code(rawValue: "unknown_subcommand")
        /// More words than the command takes.
        package static let unexpectedArgument = Code(rawValue: "unexpected_argument")
        /// A flag with a value.
        package static let unexpectedValue = Code(rawValue: "unexpected_value")
        /// A required argument was left out.
        package static let missingArgument = Code(rawValue: "missing_argument")
        /// A required option was left out.
        package static let missingOption = Code(rawValue: "missing_option")
        /// An option without its value.
        package static let missingValue = Code(rawValue: "missing_value")
        /// A value of the wrong kind.
        package static let invalidValue = Code(rawValue: "invalid_value")
        /// An option for one value that was given twice.
        package static let repeatedOption = Code(rawValue: "repeated_option")
        /// The values were refused by `validate()`, or by the command as it ran.
        package static let validation = Code(rawValue: "validation")
    }

    /// What kind of mistake it is.
    package var code: Code
    /// What is wrong, as one or two sentences.
    package var message: String
    /// The command that was called, with those above it: `newsflash run`.
    package var command: String
    /// The usage line of that command.
    package var usage: String

    package var exitCode: ExitCode { .validationFailure }
    package var description: String { message }
}
