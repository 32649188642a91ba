import NewsflashGuarantees
import NewsflashTestSupport
import Testing

/// The memory of a worker for waiting events and for stories.
@Suite(.serialized, .timeLimit(.minutes(60)))
struct MemoryTests {
    private static func setup(_ count: Int) -> ChaosRun.Setup {
        ChaosRun.Setup(brokers: 1, partitions: 6, mix: .alerts, count: count, isWatched: false)
    }

    @Test(.enabled(if: Chaos.memory.isAskedFor, Chaos.howTo))
    func `memory: two hundred thousand events wait, and the worker stays small`() async throws {
        let count = Int(200_000 * Chaos.memory.share)
        try await ChaosRun.run(.memory, Self.setup(count)) { run in
            try await run.fleet.start("a")
            let idle = try #require(await run.fleet.process(of: "a"))
            _ = try await idle.assignment(1, of: run.newsroom)
            try await run.wait(.seconds(5))
            let idleSize = try #require(idle.memory("VmRSS"))
            try await run.fleet.stop("a")

            try await run.newsroom.write(.batches(10_000, backlog: .max))
            let began = ContinuousClock.now
            try await run.fleet.start("a")
            let worker = try #require(await run.fleet.process(of: "a"))
            try await run.newsroom.outcomeReader.finalOutcomes(count)
            let took = ContinuousClock.now - began
            let size = try #require(worker.memory("VmHWM"))
            let rate = Int(Double(count) / (took / .seconds(1)))
            run.say("idle \(idleSize / 1024) MB, \(count) events waiting at most \(size / 1024) MB, \(rate) a second")
            #expect(idleSize <= 40 << 10, "idle \(idleSize) kB")
            #expect(size <= 120 << 10, "\(size) kB")
            try await run.fleet.stopAll()
        }
    }

    @Test(.enabled(if: Chaos.memory.isAskedFor, Chaos.howTo))
    func `memory: the ledger of a million stories is restored quickly and stored compactly`() async throws {
        let count = Int(1_000_000 * Chaos.memory.share)
        try await ChaosRun.run(.memory, Self.setup(count)) { run in
            // The memory of a worker without stories.
            try await run.fleet.start("a", level: "info")
            let empty = try #require(await run.fleet.process(of: "a"))
            try await empty.restored(run.setup.partitions)
            let emptySize = try #require(empty.memory("VmRSS"))
            try await run.fleet.stop("a")

            // A worker writes the ledger, as in production.
            try await run.fleet.start("a")
            try await run.newsroom.write(.batches(10_000, backlog: 50_000))
            try await run.newsroom.outcomeReader.finalOutcomes(count)
            try await run.fleet.stop("a")

            let began = ContinuousClock.now
            try await run.fleet.start("a", level: "info")
            let worker = try #require(await run.fleet.process(of: "a"))
            try await worker.restored(run.setup.partitions)
            let took = ContinuousClock.now - began
            let size = try #require(worker.memory("VmRSS"))
            let bytes = (size - emptySize) * 1024 / count
            run.say(
                "\(count) stories restored in \(took.milliseconds), \(bytes) bytes a story, \(size / 1024) MB in all"
            )
            #expect(took <= .seconds(15))
            #expect(bytes <= 300)
            try await run.fleet.stopAll()
        }
    }
}

extension WorkerProcess {
    /// Waits until the worker has logged that the ledgers of `count` partitions are restored.
    fileprivate func restored(_ count: Int) async throws {
        try await program.lines.wait { lines in
            lines.count { $0.contains("a partition was restored") } >= count ? () : nil
        }
    }
}
