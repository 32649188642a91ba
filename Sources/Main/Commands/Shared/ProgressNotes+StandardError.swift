package import NewsflashOperations

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension ProgressNotes {
    /// Prints on the standard error what a command waits for: on a terminal after two seconds, otherwise after eight. That is
    /// before a request to Kafka fails, which is after ten, so that several requests in a row are not silent.
    package static var standardError: ProgressNotes {
        ProgressNotes(delay: .seconds(isatty(STDERR_FILENO) == 1 ? 2 : 8), write: StandardError.write)
    }
}
