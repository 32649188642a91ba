import NewsflashCommands
import NewsflashOperations

/// The sink, which runs until the bench ends.
struct BenchSink {
    let url: String
    private let process: BenchProcess
    /// The maximum time without a request.
    private static let patience = Duration.seconds(60)

    init(_ process: BenchProcess) async throws {
        url = try await process.ready()
        self.process = process
    }

    /// Resets the counts of the sink.
    func reset(expecting events: Int) async throws {
        _ = try await process.ask("reset \(events)")
    }

    /// Returns the current counts of the sink.
    func figures() async throws -> SinkFigures {
        let line = try await process.ask("stats")
        guard let figures = SinkFigures(line: line) else {
            throw OperationError(.internalError, "unexpected answer of the sink: \(line)")
        }
        return figures
    }

    /// Returns how late events were.
    func latencies(start: Int64, rate: Int) async throws -> LatencyFigures {
        let line = try await process.ask("latencies \(start) \(rate)")
        guard let figures = LatencyFigures(line: line) else {
            throw OperationError(.internalError, "unexpected answer of the sink: \(line)")
        }
        return figures
    }

    /// Waits until the sink has seen a number of events.
    ///
    /// - Parameters:
    ///   - events: The number of events.
    ///   - process: The process that sends them.
    /// - Returns: The counts of the sink.
    /// - Throws: ``OperationError`` if the process ends first or no request arrives for 60 s.
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
                throw OperationError(.unavailable, "only \(now.events) of \(events) events reached the sink: \(reason)")
            }
            // Polls every 20 ms only, because polling itself takes processor time during the measurement.
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
