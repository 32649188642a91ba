import CommandLineArguments

/// Why a command failed, with the exit code that scripts can tell it by (sysexits.h).
struct CommandError: ExitCoded, CustomStringConvertible {
    /// Whose fault it was.
    enum Kind: Int32 {
        case foundProblems = 1
        case badData = 65
        case unavailable = 69
        case internalError = 70
        case badConfiguration = 78
    }

    var kind: Kind
    /// What failed, where, and what to do.
    var description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    var exitCode: ExitCode { ExitCode(kind.rawValue) }
}
