import NewsflashEvents
import NewsflashGuarantees
import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashTimestamps
import Testing

/// Hubs that throttle, fail on one event, answer late or not at all, while the other hub works or has another fault.
@Suite(.serialized, .timeLimit(.minutes(40)))
struct HubTests {
    @Test(.enabled(if: Chaos.throttle.isAskedFor, Chaos.howTo))
    func `throttle: a hub that allows 200 requests a second accepts nearly as many, and a flash goes first`()
        async throws
    {
        let flashes = Int(200 * Chaos.throttle.share)
        let backlog = flashes * 300
        let setup = Self.setup(backlog: backlog, flashes: flashes)
        try await ChaosRun.run(.throttle, setup) { run in
            var fault = Fault()
            fault.throttle = 200
            fault.retryAfter = .seconds(1)
            run.newsroom.hub.setFaults([fault, Fault(latency: .milliseconds(20))])
            try await run.newsroom.write(.batches(10_000, backlog: .max), 0..<run.lastNumbers.lowerBound)
            try await run.fleet.start("a")
            // The limiter finds the rate in the first seconds.
            _ = await run.newsroom.hub.waitForPushes(count: 1000)
            let before = run.newsroom.hub.stats
            let start = Timestamp.now()
            try await run.newsroom.write(.perSecond(1), run.lastNumbers)
            let seconds = (Timestamp.now() - start) / .seconds(1)
            let after = run.newsroom.hub.stats
            let lag = try await run.uncommitted()
            let rate = Double(after.accepted - before.accepted) / seconds
            let refused = Double(after.byStatus[429, default: 0]) / Double(after.received)
            try await run.newsroom.outcomeReader.finalOutcomes(run.newsroom.desk.plan.records.count)
            let acceptances = try #require(run.newsroom.acceptanceReader).acceptances
            let waits = try run.waits(of: "flash-", in: acceptances)
            let kills = try run.waits(of: "withdrawn-kill-", in: acceptances)
            let slow = waits[waits.count * 99 / 100]
            #expect(rate >= 190, "\(rate) a second")
            #expect(refused <= 0.05, "\(refused) refused")
            #expect(slow <= .milliseconds(100), "flash p99 \(slow.milliseconds)")
            #expect(lag <= 1000, "\(lag) accepted and not committed")
            try await run.conclude(
                "\(Int(rate)) accepted a second, \((refused * 1000).rounded() / 10) % refused, flash p50 "
                    + "\(waits[waits.count / 2].milliseconds), p99 \(slow.milliseconds), kills at most "
                    + "\(kills.last?.milliseconds ?? ""), \(lag) accepted and not committed"
            )
        }
    }

    @Test(.enabled(if: Chaos.backlog.isAskedFor, Chaos.howTo))
    func `backlog: a flash does not wait for a million events of its partition`() async throws {
        let flashes = 200
        var setup = Self.setup(backlog: Int(1_000_000 * Chaos.backlog.share), flashes: flashes)
        setup.partitions = 1
        setup.longestEnd = .seconds(900)
        try await ChaosRun.run(.backlog, setup) { run in
            for hub in run.newsroom.hubs { hub.emulator.setFault(nil) }
            try await run.newsroom.write(.batches(10_000, backlog: .max), 0..<run.lastNumbers.lowerBound)
            try await run.fleet.start("a")
            _ = await run.newsroom.hub.waitForPushes(count: 1000)
            async let arrivals = run.arrivals(of: "flash-", count: flashes)
            try await run.newsroom.write(.perSecond(4), run.lastNumbers)
            let behind = run.newsroom.desk.plan.records.count - run.newsroom.outcomeReader.count
            // The hub itself does not keep a million sends.
            let waits = try run.waits(of: "flash-", in: try await arrivals)
            let slow = waits[waits.count * 99 / 100]
            let worker = try #require(await run.fleet.process(of: "a"))
            let size = try #require(worker.memory("VmHWM"))
            #expect(behind > 0, "the backlog was too short for a result")
            #expect(slow <= .milliseconds(250), "flash p99 \(slow.milliseconds)")
            #expect(size <= 120 << 10, "\(size) kB")
            try await run.conclude(
                "flash p50 \(waits[waits.count / 2].milliseconds), p99 \(slow.milliseconds), most "
                    + "\(waits.last?.milliseconds ?? ""); \(behind) events were still waiting, \(size / 1024) MB"
            )
        }
    }

    @Test(.enabled(if: Chaos.stubborn.isAskedFor, Chaos.howTo))
    func `stubborn: a flash that is always answered with 503 delays no other event, and ends`() async throws {
        var setup = ChaosRun.Setup(rate: 20, mix: .alerts)
        setup.mix.kill = 0.03
        var flash = Self.flash(1)
        flash.fault = .unavailable
        flash.permitted = ["failed"]
        // The second hub answers 503 to one alert that the first accepts. Its kill goes to both hubs, because after a
        // 503 the alert may still have been accepted.
        let alert = PlannedRecord(
            event: "half-1",
            story: "urn:example:half:1",
            revision: 1,
            permitted: ["sent", "partial"]
        )
        setup.first = [flash, alert]
        setup.last = [Self.kill("withdrawn-kill-1", of: alert, revision: 1)]
        try await ChaosRun.run(.stubborn, setup) { run in
            let refusal = Fault(status: 503, containing: HubFault.unavailable.mark)
            run.newsroom.hub.setFault(refusal)
            let other = run.newsroom.hubs[1].emulator
            other.setFaults([refusal, Fault(status: 503, containing: alert.event)])
            try await run.fleet.start("a")
            try await run.underLoad {
                try await run.fleet.settle()
                let start = Timestamp.now()
                try await run.wait(run.scenario.length)
                let gap = try run.gaps(of: "", since: start).others
                let attempts = run.newsroom.hub.stats.byStatus[503, default: 0]
                let others = other.stats.byStatus[503, default: 0]
                #expect(gap <= run.bound(.seconds(3)), "routine news was silent for \(gap.milliseconds)")
                #expect(attempts <= 20, "\(attempts) attempts")
                #expect(others <= 40, "\(others) attempts of two events")
                let ends = run.newsroom.outcomeReader.present
                #expect(ends.deadLetters.count == 1)
                #expect(ends.outcomes.values.count { $0.contains { $0.reason == "partial.unavailable" } } == 1)
                try await run.newsroom.write(.batches(1, backlog: .max), run.lastNumbers)
                return "routine news silent at most \(gap.milliseconds), \(attempts) attempts, of two \(others)"
            }
        }
    }

    @Test(.enabled(if: Chaos.late.isAskedFor, Chaos.howTo))
    func `late: a hub that accepts and answers too late gets no event more than three times`() async throws {
        var setup = ChaosRun.Setup(rate: 5, mix: .alerts)
        setup.mix.kill = 0.06
        try await ChaosRun.run(.late, setup) { run in
            try await run.fleet.start("a", "b", "c")
            async let written: Void = run.newsroom.write(.perSecond(run.setup.rate))
            try await run.warmUp()
            run.newsroom.hub.setFault(Fault(latency: .seconds(20)))
            try await run.wait(run.scenario.length)
            run.newsroom.hub.setFault(Fault(latency: .milliseconds(20)))
            let end = Timestamp.now()
            try await run.wait(.seconds(20))
            run.newsroom.desk.stop()
            try await written
            try await run.newsroom.outcomeReader.finalOutcomes(run.newsroom.desk.places.count)
            let pushes = Dictionary(grouping: run.newsroom.hub.pushes) { $0.text }
            let most = pushes.values.map(\.count).max() ?? 0
            let several = pushes.values.count { $0.count > 1 }
            let first = run.newsroom.hub.pushes.first { $0.time > end }?.time
            #expect(most <= 3, "\(most) pushes of one event")
            for same in pushes.values {
                #expect(Set(same.map { $0.headers["apns-collapse-id"] }).count == 1)
            }
            let pause = first.map { ($0 - end).milliseconds } ?? ""
            try await run.conclude(
                "pushed more than once \(several), at most \(most) times; sending \(pause) after it answers in time"
            ) { [$0.lost, $0.order, $0.outcomes, $0.forbidden, $0.withdrawals, $0.enough] }
        }
    }

    @Test(.enabled(if: Chaos.outage.isAskedFor, Chaos.howTo))
    func `outage: events are neither lost nor dead letters, and flashes go first afterwards`() async throws {
        var setup = ChaosRun.Setup(rate: 50, mix: .alerts)
        setup.mix.expired = 0.02
        setup.mix.kill = 0.006
        setup.last = (1...20).map(Self.flash)
        try await ChaosRun.run(.outage, setup) { run in
            try await run.fleet.start("a")
            try await run.underLoad {
                try await run.warmUp()
                let before = try await run.withoutHub(0) {
                    try await run.wait(run.scenario.length)
                    try await run.newsroom.write(.batches(20, backlog: .max), run.lastNumbers)
                    try await run.wait(.seconds(5))
                    return run.newsroom.hub.pushes.count
                }
                let end = Timestamp.now()
                // Kills of news that the hub had accepted before have the same lane, and are older.
                let pushes = await run.newsroom.hub.waitForPushes(count: before + 60).dropFirst(before)
                let pause = (pushes.first?.time ?? end) - end
                let urgent = pushes.filter { !$0.text.contains("-kill\"") }
                let flashes = urgent.prefix(20).count { $0.text.contains("\"flash-") }
                // Now the other hub fails, which had accepted everything meanwhile.
                try await run.withoutHub { try await run.wait(min(run.scenario.length, .seconds(60))) }
                let worker = try #require(await run.fleet.process(of: "a"))
                let size = try #require(worker.memory("VmHWM"))
                #expect(pause <= .seconds(5), "sending began \(pause.milliseconds) after the end")
                #expect(flashes == 20, "\(flashes) of the first twenty were flashes")
                #expect(run.newsroom.outcomeReader.present.deadLetters.isEmpty)
                #expect(size <= 120 << 10, "\(size) kB")
                return "sending \(pause.milliseconds) after its end, \(flashes) flashes first, \(size / 1024) MB"
            }
        }
    }

    /// Alerts, and flashes after them. Every tenth flash is followed by a kill of one of the first stories, with the
    /// same revision or a lower one.
    private static func setup(backlog: Int, flashes: Int) -> ChaosRun.Setup {
        var setup = ChaosRun.Setup(mix: .alerts, count: backlog)
        for number in 1...max(1, flashes) {
            setup.last.append(flash(number))
            guard number % 10 == 1 else { continue }
            let news = PlannedRecord(
                event: "withdrawn-\(number)",
                story: "urn:example:withdrawn:\(number)",
                revision: 2,
                permitted: ["sent"]
            )
            setup.first.append(news)
            setup.last.append(kill("withdrawn-kill-\(number)", of: news, revision: number % 20 == 1 ? 2 : 1))
        }
        return setup
    }

    /// A kill of a story that a hub has accepted.
    private static func kill(_ event: String, of news: PlannedRecord, revision: Int64) -> PlannedRecord {
        PlannedRecord(event: event, story: news.story, revision: revision, kind: .kill, permitted: ["sent"])
    }

    private static func flash(_ number: Int) -> PlannedRecord {
        PlannedRecord(
            event: "flash-\(number)",
            story: "urn:example:flash:\(number)",
            revision: 1,
            kind: .flash,
            permitted: ["sent"]
        )
    }
}

extension ChaosRun {
    /// The times from writing to acceptance of the events whose name has a prefix, ascending.
    fileprivate func waits(of prefix: String, in acceptances: [Acceptance]) throws -> [Duration] {
        let written = newsroom.desk.written
        var first: [String: Acceptance] = [:]
        for acceptance in acceptances where first[acceptance.event] == nil { first[acceptance.event] = acceptance }
        var waits: [Duration] = []
        for (number, record) in newsroom.desk.plan.records.enumerated() where record.event.hasPrefix(prefix) {
            let acceptance = try #require(first[record.event])
            waits.append(acceptance.time - (try #require(written[number])))
        }
        return waits.sorted()
    }

    /// Waits for a number of pushes of events whose name has a prefix.
    fileprivate func arrivals(of prefix: String, count: Int) async throws -> [Acceptance] {
        var seen: [Acceptance] = []
        for await push in newsroom.hub.sendStream() where push.text.contains("\"\(prefix)") {
            seen.append(try Acceptance(push))
            if seen.count == count { break }
        }
        return seen
    }

    /// The number of events with a final outcome after the committed offset.
    fileprivate func uncommitted() async throws -> Int {
        let ended = newsroom.outcomeReader.count
        let offsets = try await newsroom.admin.committedOffsets(
            ofGroup: newsroom.group,
            partitions: newsroom.sourcePartitions
        )
        return ended - offsets.values.reduce(0) { $0 + Int(max(0, $1)) }
    }
}
