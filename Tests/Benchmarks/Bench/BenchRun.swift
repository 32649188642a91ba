import NewsflashCommands
import NewsflashOperations

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Runs the laps, each contender in its own process.
struct BenchRun: Sendable {
    let settings: BenchSettings
    let programs: BenchPrograms
    /// Called with a description of the current activity.
    let progress: @Sendable (String) -> Void

    /// Runs all laps.
    ///
    /// - Returns: The figures of all laps.
    /// - Throws: ``OperationError`` if a lap fails, `CancellationError` if the task is cancelled.
    func run() async throws -> BenchReport {
        let folder = try BenchFolder()
        defer { folder.remove() }
        let words = [programs.bench, "part", "sink", "--delay", "\(settings.delay)"]
        return try await BenchProcess.with(words) { process in
            try await run(in: folder.path, sink: try await BenchSink(process))
        }
    }

    private func run(in folder: String, sink: BenchSink) async throws -> BenchReport {
        var report = BenchReport(settings: settings, machine: .here())
        for lap in settings.laps {
            let round = "round \(min(settings.rounds, report.worker.count + 1)) of \(settings.rounds)"
            switch lap {
            case .bare:
                progress("\(round): bare libcurl")
                report.bare.append(try await bareLap(sink))
            case .worker:
                progress("\(round): newsflash")
                report.worker.append(try await workerLap(sink, folder))
            case .allocations:
                progress("allocations")
                report.allocations = try await allocationLap(sink, folder)
            case .kills:
                progress("kills")
                report.kills = try await killLap(sink, folder)
            }
        }
        return report
    }

    private func bareLap(_ sink: BenchSink) async throws -> BenchLap {
        try await sink.reset(expecting: 0)
        let requests = settings.bareRequests
        let words = [
            programs.bench, "part", "bare", "--url", "\(sink.url)/hub/messages/?api-version=2015-01", "--in-flight",
            "\(settings.inFlight)", "--requests", "\(requests)",
        ]
        return try await BenchProcess.with(words) { bare in
            let line = try await bare.line()
            guard line == "done \(requests)" else { throw OperationError(.unavailable, "bare libcurl \(line)") }
            let look = ProcessSnapshot(at: bare.identifier)
            let seen = try await sink.figures()
            return BenchLap(bare, try await stopped(bare), seen, events: seen.requests, look)
        }
    }

    private func workerLap(_ sink: BenchSink, _ folder: String) async throws -> BenchLap {
        try await BenchKafka.with(settings, programs: programs, sink: sink.url) { newsroom in
            let run = WorkerRun(settings: settings, newsroom: newsroom, sink: sink, folder: folder)
            return try await run.with([programs.newsflash, "run"], events: settings.events) { worker in
                let seen = try await sink.wait(for: settings.events, from: worker.process)
                let look = ProcessSnapshot(at: worker.process.identifier)
                let latency: LatencyFigures? =
                    if let rate = settings.rate, let due = worker.due {
                        try await sink.latencies(start: due, rate: rate)
                    } else { nil }
                let end = try await stopped(worker.process)
                guard end.code == 0 else {
                    throw OperationError(
                        .unavailable,
                        "newsflash sent all events, then ended with exit code \(end.code)"
                    )
                }
                return BenchLap(
                    worker.process,
                    end,
                    seen,
                    events: settings.events,
                    look,
                    first: worker.first,
                    latency: latency
                )
            }
        }
    }

    /// Returns the allocations per event, excluding the start and the first fifth of the events.
    ///
    /// - Returns: `nil` if the runtime does not support counting.
    private func allocationLap(_ sink: BenchSink, _ folder: String) async throws -> Double? {
        var settings = settings
        (settings.events, settings.rate) = (settings.countedEvents, nil)
        return try await BenchKafka.with(settings, programs: programs, sink: sink.url) { [settings] newsroom in
            let run = WorkerRun(settings: settings, newsroom: newsroom, sink: sink, folder: folder)
            return try await run.with([programs.bench, "part", "worker"], events: settings.events) { worker in
                _ = try await worker.process.ready()
                let from = try await sink.wait(for: settings.events / 5, from: worker.process).events
                let before = Int(try await worker.process.ask("count"))
                let to = try await sink.wait(for: settings.events, from: worker.process).events
                let after = Int(try await worker.process.ask("count"))
                guard let before, let after, to > from else { return nil }
                return Double(after - before) / Double(to - from)
            }
        }
    }

    private func killLap(_ sink: BenchSink, _ folder: String) async throws -> KillFigures {
        try await BenchKafka.with(settings, programs: programs, sink: sink.url) { newsroom in
            let run = KillRun(settings: settings, newsroom: newsroom, sink: sink, programs: programs, folder: folder)
            return try await run.run()
        }
    }

    /// Stops a process.
    private func stopped(_ process: BenchProcess) async throws -> BenchProcess.End {
        process.signal(SIGTERM)
        if let end = await process.end(within: .seconds(30)) { return end }
        try Task.checkCancellation()
        throw OperationError(.unavailable, "process \(process.identifier) did not stop within 30 s")
    }
}

extension BenchLap {
    /// Computes the figures of a process that has ended.
    fileprivate init(
        _ process: BenchProcess,
        _ end: BenchProcess.End,
        _ seen: SinkFigures,
        events: Int,
        _ look: ProcessSnapshot,
        first: Int64? = nil,
        latency: LatencyFigures? = nil
    ) {
        self.init(
            events: events,
            requests: seen.requests,
            seconds: seen.seconds,
            cpu: end.cpu,
            steps: BenchStep.seconds(of: look.threads, ticksPerSecond: ProcessSnapshot.ticksPerSecond, total: end.cpu),
            peak: look.peak ?? 0,
            toFirst: Double((first ?? seen.first) - process.start) / 1e9,
            latency: latency
        )
    }
}
