import NewsflashGuarantees
import NewsflashHubEmulator
import NewsflashTimestamps
import Testing

/// All kinds of news and hub faults, while workers and brokers die.
@Suite(.serialized, .timeLimit(.minutes(40)))
struct NewsTests {
    @Test(.enabled(if: Chaos.short.isAskedFor, Chaos.howTo))
    func `short: workers are killed and stopped, a broker and a hub fail, and news is mixed`() async throws {
        // A low rate for programs that were not optimized.
        var setup = ChaosRun.Setup(rate: 60, mix: .mixed)
        setup.patience.takeover = .seconds(13)
        // A heartbeat, which is one second here, and the answer of a slow hub: a worker that gives partitions back
        // waits for it and reads nothing meanwhile.
        setup.patience.handover = .seconds(1) + HubFault.delay
        setup.patience.record = .seconds(12)
        // For a program that was not optimized, on a busy machine. The limit of `mixed` is a tenth of that.
        setup.patience.embargo = .seconds(1)
        setup.patience.request = .seconds(1)
        try await ChaosRun.run(.short, setup) { run in
            try await run.fleet.start("a", "b", "c")
            try await run.underLoad {
                try await run.warmUp()
                let frozen = try await run.fleet.freeze("c")
                try await run.wait(ChaosRun.session * 1.5)
                try await run.fleet.thaw("c")
                try await run.fleet.settle()
                let silence = try run.gaps(of: frozen.worker, since: frozen.time).others
                try await run.lose(2, for: .seconds(3))
                async let away: Void = run.withoutHub { try await run.wait(.seconds(20)) }
                let kills = try await Self.killInTurns(["b", "a", "c"], every: .seconds(15), in: run, share: 0.4)
                try await away
                return "others silent for \(silence.milliseconds) while one stood still, a broker restarted, "
                    + "a hub away for 20 s, \(kills) kills"
            }
        }
    }

    @Test(.enabled(if: Chaos.million.isAskedFor, Chaos.howTo))
    func `million: a million events while workers die and the hub has faults`() async throws {
        let count = Int(1_000_000 * Chaos.million.share)
        var setup = ChaosRun.Setup(partitions: 12, rate: 1500, mix: .million, count: count)
        setup.patience.takeover = .seconds(13)
        setup.patience.handover = .seconds(3)
        setup.patience.record = .seconds(12)
        setup.longestEnd = .seconds(1200)
        setup.givenUp = 0.01
        try await Self.killAndRestart(.million, setup, every: .seconds(20), isHubAway: true)
    }

    @Test(.enabled(if: Chaos.mixed.isAskedFor, Chaos.howTo))
    func `mixed: all kinds of news, and a worker killed every 15 s`() async throws {
        var setup = ChaosRun.Setup(mix: .mixed)
        setup.patience.takeover = .seconds(6)
        setup.patience.handover = .seconds(2)
        try await ChaosRun.run(.mixed, setup) { run in
            try await run.fleet.start("a", "b", "c")
            try await run.underLoad {
                try await run.warmUp()
                async let outages = Self.interruptHub(every: .seconds(60), for: .seconds(20), in: run)
                let kills = try await Self.killInTurns(["b", "c", "a"], every: .seconds(15), in: run)
                return "\(kills) kills, a hub away \(try await outages) times"
            }
        }
    }

    @Test(.enabled(if: Chaos.scale.isAskedFor, Chaos.howTo))
    func `scale: one worker, four, two, one, with embargoes and retries open`() async throws {
        var mix = NewsMix(embargo: 0.02, kill: 0.006, faults: [.unavailable: 0.02])
        mix.embargoes = .seconds(5)...Duration.seconds(40)
        // A worker that leaves for good gives its partitions back at once only without a stable name.
        var setup = ChaosRun.Setup(mix: mix, isStable: false)
        setup.patience.handover = .seconds(5)
        try await ChaosRun.run(.scale, setup) { run in
            let fleet = run.fleet
            try await fleet.start("a")
            try await run.underLoad {
                try await fleet.settle()
                let start = Timestamp.now()
                let phase = run.scenario.length / 4
                try await run.wait(phase)
                try await fleet.start("b", "c", "d")
                try await fleet.settle()
                try await run.wait(phase)
                try await fleet.stop("a")
                try await fleet.stop("c")
                try await fleet.settle()
                try await run.wait(phase)
                try await fleet.stop("b")
                try await fleet.settle()
                try await run.wait(phase)
                let gap = try run.gaps(of: "", since: start).others
                #expect(gap <= run.bound(.seconds(5)), "a partition was idle for \(gap.milliseconds)")
                return "longest idle \(gap.milliseconds)"
            }
        }
    }

    @Test(.enabled(if: Chaos.volume.isAskedFor, Chaos.howTo))
    func `volume: a hundred thousand events while workers die and brokers restart`() async throws {
        let count = Int(100_000 * Chaos.volume.share)
        var setup = ChaosRun.Setup(partitions: 12, rate: 600, mix: .plain, count: count)
        setup.mix.unreadable = 0.001
        setup.patience.takeover = .seconds(13)
        // A record may wait for a broker that has just died.
        setup.patience.record = .seconds(12)
        try await Self.killAndRestart(.volume, setup, every: .seconds(10))
    }

    @Test(.enabled(if: Chaos.deploy.isAskedFor, Chaos.howTo))
    func `deploy: every worker is restarted with forty pushes after an embargoed event`() async throws {
        let instant = max(.seconds(20), Chaos.deploy.length)
        // Each partition probably has two of them before other events.
        var setup = ChaosRun.Setup(rate: 40, mix: .plain)
        setup.first = (1...12).map { number in
            PlannedRecord(
                event: "embargo-\(number)",
                story: "urn:example:embargo:\(number)",
                revision: 1,
                embargo: instant,
                permitted: ["sent"]
            )
        }
        try await ChaosRun.run(.deploy, setup) { run in
            try await run.fleet.start("a", "b", "c")
            let start = ContinuousClock.now
            try await run.underLoad {
                try await run.warmUp()
                // Forty pushes in each partition.
                _ = await run.newsroom.hub.waitForPushes(count: 40 * run.setup.partitions)
                for name in ["a", "b", "c"] {
                    try await run.fleet.stop(name)
                    try await run.fleet.start(name)
                    try await run.fleet.settle()
                }
                let took = ContinuousClock.now - start
                try await run.wait(max(.zero, instant - took) + .seconds(2))
                return "restarted within \(took.milliseconds), embargoes of \(instant)"
            }
        }
    }

    /// Runs four workers and kills one from time to time, while each broker is restarted once.
    private static func killAndRestart(
        _ scenario: Chaos,
        _ setup: ChaosRun.Setup,
        every period: Duration,
        isHubAway: Bool = false
    ) async throws {
        try await ChaosRun.run(scenario, setup) { run in
            try await run.fleet.start("a", "b", "c", "d")
            try await run.underLoad {
                try await run.warmUp()
                async let brokers: Void = restartBrokers(in: run)
                async let outages =
                    isHubAway ? interruptHub(every: .seconds(180), for: .seconds(20), in: run) : 0
                let kills = try await killInTurns(["b", "c", "d", "a"], every: period, in: run)
                try await brokers
                return "\(kills) kills, each broker restarted, a hub away \(try await outages) times, "
                    + "\(run.newsroom.desk.plan.storyCount) stories"
            }
        }
    }

    /// Kills workers in turns for the duration of the scenario, and starts each again after a second.
    ///
    /// - Parameters:
    ///   - names: The workers.
    ///   - period: The time from one kill to the next.
    ///   - run: The scenario.
    ///   - share: The share of its duration.
    /// - Returns: The number of killed workers.
    /// - Throws: An error if a worker does not start.
    private static func killInTurns(
        _ names: [String],
        every period: Duration,
        in run: ChaosRun,
        share: Double = 1
    ) async throws -> Int {
        let end = ContinuousClock.now + run.scenario.length * share
        var kills = 0
        repeat {
            let name = names[kills % names.count]
            try await run.fleet.kill(name)
            kills += 1
            try await run.wait(.seconds(1))
            try await run.fleet.start(name)
            try await run.wait(period - .seconds(1))
        } while ContinuousClock.now < end
        return kills
    }

    /// Makes the second hub answer 503 repeatedly for the duration of the scenario, at least once.
    ///
    /// - Parameters:
    ///   - period: The time from one outage to the next.
    ///   - time: The duration of each outage.
    ///   - run: The scenario.
    /// - Returns: The number of outages.
    /// - Throws: `CancellationError`.
    private static func interruptHub(every period: Duration, for time: Duration, in run: ChaosRun) async throws -> Int {
        let end = ContinuousClock.now + run.scenario.length
        var count = 0
        repeat {
            try await run.wait(.seconds(5))
            try await run.withoutHub { try await run.wait(time) }
            count += 1
            try await run.wait(min(period - time - .seconds(5), max(.zero, end - .now)))
        } while ContinuousClock.now + time + .seconds(5) < end
        return count
    }

    /// Kills each broker once during the scenario, and starts it again.
    private static func restartBrokers(in run: ChaosRun) async throws {
        let pause = run.scenario.length / (run.setup.brokers + 1)
        for broker in 1...Int32(run.setup.brokers) {
            try await run.wait(pause)
            try await run.lose(broker, for: .seconds(3))
        }
    }
}
