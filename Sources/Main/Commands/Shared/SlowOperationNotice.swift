#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Prints on the standard error what a command waits for: on a terminal after two seconds, otherwise after ten.
enum SlowOperationNotice {
    /// Runs some work.
    ///
    /// - Parameters:
    ///   - text: A phrase that completes "still …", such as `reading newsroom.breaking.v1`.
    ///   - work: The work, which starts at once.
    /// - Returns: The result of the work.
    /// - Throws: The error of the work.
    static func noting<Result, Failure>(
        _ text: String,
        while work: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let note = Task.detached {
            do {
                try await Task.sleep(for: .seconds(isatty(STDERR_FILENO) == 1 ? 2 : 10))
                StandardError.write("still \(text) …")
            } catch {
                // Cancelled, because the work has ended.
            }
        }
        defer { note.cancel() }
        return try await work()
    }
}
