#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What a crash costs: a worker is killed at full speed, another follows at once, until all events are sent.
struct KillRun: Sendable {
    let settings: BenchSettings
    let newsroom: BenchNewsroom
    let sink: BenchSink
    let program: String
    /// For the configuration and the log.
    let folder: String

    /// Measures.
    ///
    /// - Returns: What was sent twice.
    /// - Throws: ``CommandError`` where events do not reach the sink.
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
            try await BenchProcess.with([program, "run", "--config", config], log: log) { worker in
                let due = settings.events * number / (settings.kills + 1)
                _ = try await sink.wait(for: due, from: worker)
                worker.signal(number > settings.kills ? SIGTERM : SIGKILL)
                guard await worker.end(within: .seconds(30)) != nil else {
                    throw CommandError(.unavailable, "process \(worker.identifier) did not stop within 30 s")
                }
            }
            let after = try await sink.figures()
            let doubles = (after.requests - after.events) - (before.requests - before.events)
            // What the first worker sent twice has no crash to blame.
            if number == 1 { figures.withoutCrash = doubles } else { figures.doubles.append(doubles) }
        }
        return figures
    }
}

/// What was sent twice because a worker was killed.
struct KillFigures: Sendable, Equatable {
    /// Before anything was killed; zero if all is well.
    var withoutCrash = 0
    /// After each kill.
    var doubles: [Int] = []
}
