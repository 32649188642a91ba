import NewsflashGuarantees
import NewsflashTimestamps
import Testing

/// Workers that die under an even load, and the silence that follows.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct CrashTests {
    private static let load = ChaosRun.Setup(mix: .plain)

    @Test(.enabled(if: Chaos.crashStatic.isAskedFor, Chaos.howTo))
    func `crash-static: a worker with a stable name that returns after a second causes a short silence only`()
        async throws
    {
        try await ChaosRun.run(.crashStatic, Self.load) { run in
            try await run.fleet.start("a", "b", "c")
            try await run.underLoad {
                try await run.warmUp()
                let (own, others) = try await Self.gaps(in: run) { name in
                    let death = try await run.fleet.kill(name)
                    try await run.wait(.seconds(1))
                    try await run.fleet.start(name)
                    try await run.wait(ChaosRun.session + .seconds(5))
                    return death
                }
                #expect(others <= run.bound(.seconds(2)), "the others were silent for \(others.milliseconds)")
                #expect(own <= run.bound(.seconds(6)), "its own partitions were silent for \(own.milliseconds)")
                return "gap of others \(others.milliseconds), of its own \(own.milliseconds)"
            }
        }
    }

    @Test(.enabled(if: Chaos.crashGone.isAskedFor, Chaos.howTo))
    func `crash-gone: the partitions of a worker that stays away continue after a session timeout`() async throws {
        try await ChaosRun.run(.crashGone, Self.load) { run in
            try await run.fleet.start("a", "b", "c")
            try await run.underLoad {
                try await run.warmUp()
                let death = try await run.fleet.kill("c")
                try await run.wait(ChaosRun.session + .seconds(5))
                try await run.fleet.settle()
                let gone = try run.gaps(of: death.worker, since: death.time)

                let second = try await run.fleet.kill("b")
                try await run.wait(.seconds(2))
                try await run.fleet.start("d")
                try await run.wait(ChaosRun.session + .seconds(5))
                try await run.fleet.settle()
                let joined = try run.gaps(of: second.worker, since: second.time)
                #expect(gone.own <= ChaosRun.session + run.bound(.seconds(3)), "silent for \(gone.own.milliseconds)")
                #expect(
                    joined.others <= run.bound(.seconds(3)),
                    "a new worker silenced others for \(joined.others.milliseconds)"
                )
                return "gap of its own \(gone.own.milliseconds), of others \(gone.others.milliseconds); "
                    + "of others while one joins \(joined.others.milliseconds), of its own \(joined.own.milliseconds)"
            }
        }
    }

    @Test(.enabled(if: Chaos.coordinator.isAskedFor, Chaos.howTo))
    func `coordinator: the group continues after its coordinating broker has died`() async throws {
        try await ChaosRun.run(.coordinator, Self.load) { run in
            try await run.fleet.start("a", "b", "c")
            try await run.underLoad {
                try await run.warmUp()
                let broker = try await run.coordinator()
                let start = Timestamp.now()
                async let moves = run.coordinatorMoves(from: broker)
                let gap = try await run.lose(broker, for: .seconds(30)) { try run.gaps(of: "", since: start).others }
                let moved = try await moves - start
                // Kafka waits up to nine seconds for a broker's heartbeats (`broker.session.timeout.ms`).
                #expect(
                    gap <= moved + run.bound(.seconds(3)),
                    "silent for \(gap.milliseconds), Kafka chose another coordinator after \(moved.milliseconds)"
                )
                return "gap \(gap.milliseconds) after broker \(broker) was killed, "
                    + "another coordinator after \(moved.milliseconds)"
            }
        }
    }

    @Test(.enabled(if: Chaos.stopped.isAskedFor, Chaos.howTo))
    func `stopped: a worker suspended for longer than its session sends nothing of lost partitions`() async throws {
        try await ChaosRun.run(.stopped, Self.load) { run in
            try await run.fleet.start("a", "b", "c")
            try await run.underLoad {
                try await run.warmUp()
                let (own, others) = try await Self.gaps(in: run) { name in
                    let stop = try await run.fleet.freeze(name)
                    try await run.wait(ChaosRun.session * 1.5)
                    try await run.fleet.thaw(name)
                    try await run.wait(.seconds(5))
                    return stop
                }
                return "gap of others \(others.milliseconds), of its own \(own.milliseconds)"
            }
        }
    }

    /// Disturbs one worker after the other, for the duration of the scenario.
    ///
    /// - Returns: The longest silence after a disturbance, in the partitions of the disturbed worker and in all others.
    private static func gaps(
        in run: ChaosRun,
        after disturb: (String) async throws -> Disturbance
    ) async throws -> (own: Duration, others: Duration) {
        var own = Duration.zero
        var others = Duration.zero
        let end = ContinuousClock.now + run.scenario.length
        var names = ["b", "c", "a"]
        repeat {
            let disturbance = try await disturb(names[0])
            try await run.fleet.settle()
            let gaps = try run.gaps(of: disturbance.worker, since: disturbance.time)
            own = max(own, gaps.own)
            others = max(others, gaps.others)
            names.append(names.removeFirst())
        } while ContinuousClock.now < end
        return (own, others)
    }
}
