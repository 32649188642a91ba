package import CommandLineArguments

/// The failure of a command, with an exit code for scripts (sysexits.h).
package struct CommandError: ExitCoded, CustomStringConvertible {
    /// The kind of failure. The raw value is the exit code.
    package enum Kind: Int32 {
        case foundProblems = 1
        case badData = 65
        case unavailable = 69
        case internalError = 70
        case badConfiguration = 78
    }

    package var kind: Kind
    /// The problem, its place, and what to do.
    package var description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    package var exitCode: ExitCode { ExitCode(kind.rawValue) }
}
