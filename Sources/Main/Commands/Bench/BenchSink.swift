/// The sink, which lives as long as the bench does.
struct BenchSink {
    /// Its URL.
    let url: String
    private let process: BenchProcess
    /// How long no request may come.
    private static let patience = Duration.seconds(60)

    init(_ process: BenchProcess) async throws {
        url = try await process.ready()
        self.process = process
    }

    /// Forgets what it saw.
    func reset(expecting events: Int) async throws {
        _ = try await process.ask("reset \(events)")
    }

    /// What it saw so far.
    func figures() async throws -> SinkFigures {
        let line = try await process.ask("stats")
        guard let figures = SinkFigures(line: line) else {
            throw CommandError(.internalError, "the sink said: \(line)")
        }
        return figures
    }

    /// How late events were.
    func latencies(start: Int64, rate: Int) async throws -> LatencyFigures {
        let line = try await process.ask("latencies \(start) \(rate)")
        guard let figures = LatencyFigures(line: line) else {
            throw CommandError(.internalError, "the sink said: \(line)")
        }
        return figures
    }

    /// Waits until it has seen so many events.
    ///
    /// - Parameters:
    ///   - events: How many.
    ///   - process: Who sends them.
    /// - Returns: What it saw.
    /// - Throws: ``CommandError`` where they do not come.
    func wait(for events: Int, from process: BenchProcess) async throws -> SinkFigures {
        var seen = SinkFigures()
        var since = ContinuousClock.now
        while true {
            let now = try await figures()
            if now.events >= events { return now }
            if now.requests != seen.requests { since = .now }
            seen = now
            guard process.isRunning, since.duration(to: .now) < Self.patience else {
                let reason = process.isRunning ? "no request came within \(Self.patience)" : "the worker ended"
                throw CommandError(.unavailable, "only \(now.events) of \(events) events reached the sink: \(reason)")
            }
            // Asking is what the sink and this process do beside the contenders, so not too often.
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
