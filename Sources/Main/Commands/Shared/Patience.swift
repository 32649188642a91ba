#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Notes on standard error what a command waits for: at a terminal after two seconds, in scripts after ten.
enum Patience {
    /// Does some work.
    ///
    /// - Parameters:
    ///   - text: What is waited for, to complete "still …".
    ///   - work: Done at once.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws.
    static func noting<Result, Failure>(
        _ text: String,
        while work: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let note = Task.detached {
            do {
                try await Task.sleep(for: .seconds(isatty(STDERR_FILENO) == 1 ? 2 : 10))
                StandardError.write("still \(text) …")
            } catch {
                // Cancelled: it was quick, and there is nothing to tell.
            }
        }
        defer { note.cancel() }
        return try await work()
    }
}
