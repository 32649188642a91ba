import NewsflashCommands
import NewsflashOperations

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Measures the cost of a crash: a worker is killed at full speed and restarted at once, until all events are sent.
struct KillRun: Sendable {
    let settings: BenchSettings
    let newsroom: BenchNewsroom
    let sink: BenchSink
    let programs: BenchPrograms
    /// The folder for the configuration and the log.
    let folder: String

    /// Runs the measurement.
    ///
    /// - Returns: The number of events sent twice.
    /// - Throws: ``OperationError`` if events do not reach the sink.
    func run() async throws -> KillFigures {
        let config = try newsroom.write(to: folder)
        let log = "\(folder)/\(newsroom.name).log"
        try await BenchLoader.with(newsroom, linger: .milliseconds(50)) { loader in
            try await loader.write(0..<settings.events)
        }
        try await sink.reset(expecting: settings.events)
        var figures = KillFigures()
        for number in 1...settings.kills + 1 {
            let before = try await sink.figures()
            try await BenchProcess.with([programs.newsflash, "run", "--config", config], log: log) { worker in
                let due = settings.events * number / (settings.kills + 1)
                _ = try await sink.wait(for: due, from: worker)
                worker.signal(number > settings.kills ? SIGTERM : SIGKILL)
                guard await worker.end(within: .seconds(30)) != nil else {
                    throw OperationError(.unavailable, "process \(worker.identifier) did not stop within 30 s")
                }
            }
            let after = try await sink.figures()
            let doubles = (after.requests - after.events) - (before.requests - before.events)
            // Events that the first worker sent twice were not caused by a kill.
            if number == 1 { figures.withoutCrash = doubles } else { figures.doubles.append(doubles) }
        }
        return figures
    }
}

/// The number of events sent twice because a worker was killed.
struct KillFigures: Sendable, Equatable {
    /// The number before the first kill; expected to be zero.
    var withoutCrash = 0
    /// The number after each kill.
    var doubles: [Int] = []
}
