/// The receiver of notes about slow operations. By default, notes are dropped.
package struct ProgressNotes: Sendable {
    /// The receiver for the operations of a task.
    @TaskLocal package static var current = ProgressNotes(delay: .seconds(10)) { _ in }

    /// The time after which an operation is slow.
    var delay: Duration
    /// Receives one line.
    package var write: @Sendable (String) -> Void

    package init(delay: Duration, write: @escaping @Sendable (String) -> Void) {
        (self.delay, self.write) = (delay, write)
    }
}

/// Writes notes about what a slow operation waits for.
package enum SlowOperationNotice {
    /// The time between two notes.
    private static let interval = Duration.seconds(10)

    /// Runs some work.
    ///
    /// - Parameters:
    ///   - text: A phrase that completes "still …", such as `reading newsroom.breaking.v1`.
    ///   - work: The work, which starts at once.
    /// - Returns: The result of the work.
    /// - Throws: The error of the work.
    package static func noting<Result, Failure>(
        _ text: String,
        while work: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let notes = ProgressNotes.current
        let note = Task.detached {
            var pause = notes.delay
            // The sleep fails when the work has ended.
            while (try? await Task.sleep(for: pause)) != nil {
                notes.write("still \(text) …")
                pause = max(pause, Self.interval)
            }
        }
        defer { note.cancel() }
        return try await work()
    }
}
