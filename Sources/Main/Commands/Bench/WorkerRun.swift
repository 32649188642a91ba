import Timestamps

/// A worker of the bench in a process of its own, with its events: all there when it starts, or coming at a steady rate.
struct WorkerRun: Sendable {
    let settings: BenchSettings
    let newsroom: BenchNewsroom
    let sink: BenchSink
    /// For the configuration and the log.
    let folder: String

    /// A worker at work.
    struct Started: Sendable {
        let process: BenchProcess
        /// When event 0 is due, in nanoseconds since the epoch; `nil` where all were there before.
        var due: Int64?
        /// When the first request came, where that was before the events that count.
        var first: Int64?
    }

    /// Starts a worker, with the sink reset, and kills it if it still runs in the end.
    ///
    /// - Parameters:
    ///   - words: The program and what comes before `--config`.
    ///   - events: How many there are for it.
    ///   - body: Waits for what it does.
    /// - Returns: What the body returns.
    /// - Throws: ``CommandError`` with the end of the worker's log, and what the body throws.
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
        } catch let error as CommandError {
            throw CommandError(error.kind, error.description + logEnd(log))
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
        // One event for each partition, to tell when the worker is at work: only then do those that count begin.
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

    /// What the worker said last.
    private func logEnd(_ log: String) -> String {
        guard let text = ProcessLook.text(log), !text.isEmpty else { return "" }
        let lines = text.split(separator: "\n").suffix(8)
        return "\nthe end of the worker's log:\n" + lines.joined(separator: "\n")
    }
}
