/// Notes on standard error what a command waits for, once that takes longer than two seconds.
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
                try await Task.sleep(for: .seconds(2))
                StandardError.write("still \(text) …")
            } catch {
                // Cancelled: it was quick, and there is nothing to tell.
            }
        }
        defer { note.cancel() }
        return try await work()
    }
}
