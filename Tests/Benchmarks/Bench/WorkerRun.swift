import NewsflashCommands
import NewsflashOperations
import NewsflashTimestamps

/// A worker of the bench in its own process, with its events: either all written before, or written at a steady rate.
struct WorkerRun: Sendable {
    let settings: BenchSettings
    let newsroom: BenchNewsroom
    let sink: BenchSink
    /// The folder for the configuration and the log.
    let folder: String

    /// A running worker.
    struct Started: Sendable {
        let process: BenchProcess
        /// The due time of event 0, in nanoseconds since the epoch; `nil` if all events were written before the start.
        var due: Int64?
        /// The time of the first request, if it was before the measured events.
        var first: Int64?
    }

    /// Resets the sink, starts a worker, calls `body`, and kills the worker if it is still running.
    ///
    /// - Parameters:
    ///   - words: The program and the arguments before `--config`.
    ///   - events: The number of events.
    ///   - body: Waits for the results.
    /// - Returns: The result of `body`.
    /// - Throws: ``OperationError`` with the last lines of the worker's log, and the errors of `body`.
    func with<Result: Sendable>(
        _ words: [String],
        events: Int,
        _ body: (Started) async throws -> Result
    ) async throws -> Result {
        let config = try newsroom.write(to: folder)
        let log = "\(folder)/\(newsroom.name).log"
        do {
            return try await BenchLoader.with(newsroom, linger: .milliseconds(settings.rate == nil ? 50 : 0)) {
                loader in
                let words = words + ["--config", config]
                guard let rate = settings.rate else {
                    try await loader.write(0..<events)
                    try await sink.reset(expecting: events)
                    return try await BenchProcess.with(words, log: log) { try await body(Started(process: $0)) }
                }
                return try await steady(words, log: log, events: events, rate: rate, loader, body)
            }
        } catch let error as OperationError {
            throw OperationError(error.kind, error.description + logEnd(log))
        }
    }

    private func steady<Result: Sendable>(
        _ words: [String],
        log: String,
        events: Int,
        rate: Int,
        _ loader: BenchLoader,
        _ body: (Started) async throws -> Result
    ) async throws -> Result {
        // One event per partition shows when the worker is ready. Only then do the measured events begin.
        let early = events..<events + settings.sourcePartitions
        try await loader.write(early)
        try await sink.reset(expecting: early.upperBound)
        return try await BenchProcess.with(words, log: log) { process in
            let seen = try await sink.wait(for: early.count, from: process)
            try await sink.reset(expecting: events)
            let due = Timestamp.now().nanoseconds
            async let written: Void = loader.write(events, rate: rate, start: due)
            let result = try await body(Started(process: process, due: due, first: seen.first))
            try await written
            return result
        }
    }

    /// Returns the last lines of the worker's log.
    private func logEnd(_ log: String) -> String {
        guard let text = ProcessSnapshot.text(log), !text.isEmpty else { return "" }
        let lines = text.split(separator: "\n").suffix(8)
        return "\nthe last lines of the worker's log:\n" + lines.joined(separator: "\n")
    }
}
