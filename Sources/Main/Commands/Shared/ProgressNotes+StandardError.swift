package import Operations

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension ProgressNotes {
    /// Tells on the standard error what a command waits for: on a terminal after two seconds, otherwise after ten.
    package static var standardError: ProgressNotes {
        ProgressNotes(delay: .seconds(isatty(STDERR_FILENO) == 1 ? 2 : 10), write: StandardError.write)
    }
}
