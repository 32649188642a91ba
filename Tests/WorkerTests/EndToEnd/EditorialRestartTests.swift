import NewsflashEvents
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashWorker
import Testing

/// Decisions of editors outlive the worker. They are the same as without a restart, with one outcome for each event.
@Suite(.timeLimit(.minutes(4)))
struct EditorialRestartTests {
    @Test
    func `a source stays paused over a restart, and its waiting events are sent when it is resumed`() async throws {
        try await Newsroom.open { newsroom in
            try await newsroom.order(.pause)
            var elsewhere = Desk.event("elsewhere")
            elsewhere.source = "https://wire.example.net/feed"
            try await newsroom.withWorker { _ in
                try await newsroom.publish([Desk.event("held"), elsewhere])
                _ = try await newsroom.finalOutcomes(1)
                _ = try await newsroom.provisionalOutcomes(1)
            }
            #expect(newsroom.hub.pushes.map { $0.property("id") } == ["elsewhere"])
            #expect(try await newsroom.progress().committed == [2])
            try await newsroom.withWorker { _ in
                try await newsroom.publish([Desk.event("also-held")])
                _ = try await newsroom.provisionalOutcomes(2)
                #expect(newsroom.hub.pushes.count == 1)
                try await newsroom.order(.resume)
                _ = try await newsroom.finalOutcomes(3)
            }
            try await newsroom.expectOneEnd(of: ["held", "elsewhere", "also-held"])
            #expect(newsroom.outcomes.filter { !$0.isFinal }.map(\.reason) == ["held.source", "held.source"])
        }
    }

    @Test
    func `a running worker obeys a command`() async throws {
        try await Newsroom.open { newsroom in
            try await newsroom.withWorker { _ in
                try await newsroom.publish([Desk.event("before")])
                _ = try await newsroom.finalOutcomes(1)
                try await newsroom.order(.pause)
                try await newsroom.reports.wait { reports in
                    reports.contains { if case .controlled = $0 { true } else { false } } ? () : nil
                }
                try await newsroom.publish([Desk.event("after")])
                _ = try await newsroom.provisionalOutcomes(1)
                #expect(newsroom.hub.pushes.count == 1)
            }
        }
    }

    @Test
    func `a starting worker logs the pauses in force and no others, and then the next command`() async throws {
        try await Newsroom.open { newsroom in
            // The clock of the pause's author was ten minutes fast.
            try await newsroom.order(.pause, at: .now() + .seconds(600))
            try await newsroom.order(.resume)
            try await newsroom.order(.pause, .source("https://wire.example.net/feed"))
            try await newsroom.withWorker { _ in
                try await newsroom.publish([Desk.event("goes")])
                _ = try await newsroom.finalOutcomes(1)
                #expect(newsroom.sourceLines == ["a source is paused: its news waits https://wire.example.net/feed"])
                try await newsroom.order(.resume, .source("https://wire.example.net/feed"))
                try await newsroom.log.wait { entries in
                    entries.contains { $0.message == "a source was resumed" } ? () : nil
                }
                #expect(newsroom.sourceLines.count == 2)
            }
        }
    }

    @Test
    func `the next worker refuses a flash without enough approvals in time, with a dead letter`() async throws {
        try await Newsroom.open { newsroom in
            var configuration = newsroom.configuration
            configuration.publishing.policy.approvals = [.flash: 2]
            configuration.publishing.policy.approvalWait = .seconds(5)
            var flash = Desk.event("flash", kind: .flash)
            flash.approvedBy = ["novak"]
            var confirmed = Desk.event("confirmed", kind: .flash)
            confirmed.approvedBy = ["novak", "adeyemi"]
            try await newsroom.withWorker(configuration) { _ in
                try await newsroom.publish([flash, confirmed])
                _ = try await newsroom.finalOutcomes(1)
                _ = try await newsroom.provisionalOutcomes(1)
            }
            try await newsroom.withWorker(configuration) { _ in
                _ = try await newsroom.finalOutcomes(2)
            }
            try await newsroom.expectOneEnd(of: ["flash", "confirmed"])
            #expect(newsroom.outcomes.first { $0.event == "flash" && $0.isFinal }?.reason == "failed.unconfirmed")
            #expect(newsroom.deadLetters.count == 1)
            #expect(newsroom.hub.pushes.map { $0.property("id") } == ["confirmed"])
        }
    }

    @Test
    func `waiting events move with their partition to a joining worker, and end once`() async throws {
        try await Newsroom.open(partitions: 2) { newsroom in
            var configuration = newsroom.configuration
            configuration.publishing.policy.approvals = [.flash: 2]
            configuration.publishing.policy.approvalWait = .seconds(12)
            // The sums of their bytes assign one to each partition.
            let flashes = ["a", "b"].map { (name: String) in Desk.event("flash-\(name)", story: name, kind: .flash) }
            let routine = ["a", "b"].map { (name: String) in Desk.event("held-\(name)", story: "more-\(name)") }
            try await newsroom.withWorker(configuration) { _ in
                try await newsroom.publish(flashes)
                _ = try await newsroom.provisionalOutcomes(2)
                try await newsroom.order(.pause)
                try await newsroom.withWorker(configuration) { _ in
                    // The first worker restored two; the third is the one that has moved.
                    try await newsroom.log.wait { entries in
                        entries.count { $0.message == "a partition was restored" } >= 3 ? () : nil
                    }
                    try await newsroom.publish(routine)
                    _ = try await newsroom.provisionalOutcomes(4)
                    try await newsroom.order(.resume)
                    _ = try await newsroom.finalOutcomes(4)
                }
            }
            try await newsroom.expectOneEnd(of: (flashes + routine).map(\.id))
            let ends = newsroom.outcomes.filter(\.isFinal).map { "\($0.event): \($0.reason ?? $0.outcome)" }
            #expect(
                ends.sorted() == [
                    "flash-a: failed.unconfirmed", "flash-b: failed.unconfirmed", "held-a: sent", "held-b: sent",
                ]
            )
            #expect(Set(newsroom.hub.pushes.map { $0.property("id") }) == ["held-a", "held-b"])
        }
    }

    @Test
    func `a cap counts notifications from before a restart`() async throws {
        try await Newsroom.open { newsroom in
            var configuration = newsroom.configuration
            configuration.publishing.policy.caps = [
                AudibleLimit(category: nil, rate: Rate(2, per: .seconds(600)), scope: .story),
                AudibleLimit(category: "Sports", rate: Rate(2, per: .seconds(600))),
            ]
            let updates = (1...3).map {
                Desk.event("u\($0)", story: "a", revision: Int64($0), headline: "Goal \($0)")
            }
            let sports = (1...3).map { Desk.event("s\($0)", category: "sports", headline: "Match \($0)") }
            try await newsroom.withWorker(configuration) { _ in
                for index in 0..<2 {
                    try await newsroom.publish([updates[index], sports[index]])
                    _ = try await newsroom.finalOutcomes(2 * index + 2)
                }
            }
            try await newsroom.withWorker(configuration) { _ in
                try await newsroom.publish([updates[2], sports[2]])
                _ = try await newsroom.finalOutcomes(6)
            }
            try await newsroom.expectOneEnd(of: (updates + sports).map(\.id))
            let silent = newsroom.outcomes.filter { $0.warnings.contains("cap.silent") }.map(\.event)
            #expect(silent.sorted() == ["s3", "u3"])
        }
    }

    @Test
    func `an event deferred by quiet hours outlives its worker, and a newer revision replaces it`() async throws {
        try await Newsroom.open { newsroom in
            var configuration = newsroom.configuration
            // Quiet hours all day, except the past minute.
            let minute = Int(Timestamp.now().seconds / 60 % 1440)
            let hours = try #require(HoursOfDay(begin: minute, end: (minute + 1430) % 1440))
            let zone = try TimeZoneRules(name: "UTC", tzif: ZoneFile.bytes(rule: "UTC0").span)
            configuration.publishing.policy.quiet = QuietHours(hours: hours, zone: zone)
            var routine = Desk.event("r1", story: "a")
            routine.urgency = 5
            try await newsroom.withWorker(configuration) { _ in
                try await newsroom.publish([routine])
                #expect(try await newsroom.provisionalOutcomes(1).map(\.reason) == ["deferred.quiet_hours"])
            }
            #expect(newsroom.hub.pushes.isEmpty)
            var urgent = Desk.event("r2", story: "a", revision: 2, headline: "It is worse")
            urgent.urgency = 1
            try await newsroom.withWorker(configuration) { _ in
                try await newsroom.publish([urgent])
                _ = try await newsroom.finalOutcomes(2)
            }
            try await newsroom.expectOneEnd(of: ["r1", "r2"])
            #expect(newsroom.hub.pushes.map { $0.property("id") } == ["r2"])
        }
    }

    @Test
    func `a volume limit pauses a source for the next worker as well`() async throws {
        try await Newsroom.open { newsroom in
            var configuration = newsroom.configuration
            configuration.publishing.policy.volumeLimits.perSource = Rate(3, per: .seconds(600))
            try await newsroom.withWorker(configuration) { _ in
                try await newsroom.publish(Desk.alerts(5))
                _ = try await newsroom.finalOutcomes(3)
                _ = try await newsroom.provisionalOutcomes(2)
            }
            // Without the volume limit, because the command keeps the source paused.
            try await newsroom.withWorker { _ in
                try await newsroom.publish([Desk.event("later")])
                _ = try await newsroom.provisionalOutcomes(3)
                #expect(newsroom.hub.pushes.count == 3)
                try await newsroom.order(.resume)
                _ = try await newsroom.finalOutcomes(6)
            }
            try await newsroom.expectOneEnd(of: Desk.alerts(5).map(\.id) + ["later"])
        }
    }
}

extension Newsroom {
    /// The log lines about commands, with the source of each.
    fileprivate var sourceLines: [String] {
        log.events.filter { $0.message.hasPrefix("a source ") }.map { line in
            "\(line.message) \(line.metadata["source"]?.description ?? "")"
        }
    }

    /// Expects one final outcome for each event.
    fileprivate func expectOneEnd(of events: [String]) async throws {
        try await readToTheEnd()
        #expect(outcomes.filter(\.isFinal).map(\.event).sorted() == events.sorted())
    }
}
