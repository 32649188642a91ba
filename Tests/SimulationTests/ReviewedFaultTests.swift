import NewsflashSimulation
import Testing

/// Faults that a review of the core found by reading, each with a short run that shows it.
@Suite(.timeLimit(.minutes(2)))
struct ReviewedFaultTests {
    private func expectNoViolation(
        _ scenario: Scenario,
        sourceLocation: SourceLocation = #_sourceLocation,
        expecting check: (RunReport) -> [String] = { _ in [] }
    ) {
        let result = FleetSimulation.run(scenario, isTraced: true, expecting: check)
        let text = result.violations.map(\.description).joined(separator: "\n")
        let trace = result.trace.joined(separator: "\n")
        #expect(result.violations.isEmpty, "\(text)\n\(trace)", sourceLocation: sourceLocation)
    }

    private func event(
        _ id: String,
        _ kind: SimEvent.Kind,
        revision: Int64,
        of story: String = "quake",
        _ change: (inout SimEvent) -> Void = { _ in }
    ) -> Scenario.Act {
        var event = SimEvent(id, kind, of: story, revision: revision)
        change(&event)
        return .publish(event)
    }

    @Test func `a kill with the revision of the alert reaches those who were notified`() {
        var run = Scenario("A1")
        run.at(3, event("e1", .alert, revision: 1))
        run.at(6, event("e2", .kill, revision: 1))
        expectNoViolation(run)
    }

    @Test func `a clean restart while one of two hubs is away sends nothing twice`() {
        var settings = SimSettings()
        settings.hubs = ["a", "b"]
        var run = Scenario("A2", settings)
        run.at(1, .hub("b", HubWeather([(.unavailable, 1)], latency: 200...200), for: .seconds(60)))
        run.at(3, event("e1", .alert, revision: 1))
        run.at(8, .stop(1))
        run.at(20, .start(1))
        expectNoViolation(run)
    }

    @Test func `a clean stop during an event for 400 users sends nothing twice`() {
        var settings = SimSettings()
        settings.concurrency = 2
        var run = Scenario("A2b", settings)
        run.at(1, .hub("a", .slow(1000), for: .seconds(60)))
        run.at(3, event("e1", .alert, revision: 1) { $0.users = 400 })
        run.at(7, .stop(1))
        run.at(20, .start(1))
        expectNoViolation(run)
    }

    @Test func `a crash during events for many users sends at most 100 notifications twice`() {
        var settings = SimSettings()
        settings.concurrency = 64
        var run = Scenario("A2c", settings)
        run.at(1, .hub("a", HubWeather([(.accept, 9), (.silenceBefore, 1)], latency: 20...80), for: .seconds(60)))
        for number in 1...5 {
            run.at(3, event("e\(number)", .alert, revision: 1, of: "story-\(number)") { $0.users = 600 })
        }
        run.at(6, .crash(1))
        run.at(7, .start(1))
        expectNoViolation(run)
    }

    @Test func `a kill after unanswered requests and a pause reaches all who may have been notified`() {
        var run = Scenario("A3")
        run.at(1, .hub("a", .always(.cutAfter), for: .seconds(20)))
        run.at(3, event("e1", .alert, revision: 1))
        run.at(15, .pause(source: nil))
        run.at(22, event("e2", .kill, revision: 2))
        run.at(30, .resume(source: nil))
        expectNoViolation(run)
    }

    @Test func `a kill after a clean stop with a request in flight reaches its audience`() {
        var settings = SimSettings()
        settings.requestTimeout = .seconds(30)
        var run = Scenario("A4", settings)
        run.at(1, .hub("a", .slow(20_000), for: .seconds(8)))
        run.at(3, event("e1", .flash, revision: 1))
        run.at(4, .stop(1))
        run.at(12, event("e2", .kill, revision: 2))
        run.at(13, .start(1))
        expectNoViolation(run)
    }

    @Test func `a kill after a crash with a request in flight reaches its audience`() {
        var settings = SimSettings()
        settings.requestTimeout = .seconds(30)
        var run = Scenario("A4b", settings)
        run.at(1, .hub("a", .slow(20_000), for: .seconds(8)))
        run.at(3, event("e1", .flash, revision: 1))
        run.at(4, .crash(1))
        run.at(12, event("e2", .kill, revision: 2))
        run.at(13, .start(1))
        expectNoViolation(run)
    }

    @Test func `an update does not overtake the kill before it when their story is read from the ledger`() {
        var settings = SimSettings()
        settings.partitions = 1
        settings.storyMemoryBytes = 1
        var run = Scenario("A5", settings)
        run.at(3, event("e1", .alert, revision: 1))
        run.at(10, event("e2", .kill, revision: 2) { $0.words = "" })
        run.at(10, event("e3", .update, revision: 3))
        expectNoViolation(run) { report in
            report.outcome(of: "e2", .kill) == "sent"
                ? [] : ["e2 ends as \(report.outcome(of: "e2", .kill) ?? "nothing")"]
        }
    }

    @Test func `a kill after a pause is not superseded by an update of the same source`() {
        var run = Scenario("A6a")
        run.at(3, event("e1", .alert, revision: 1))
        run.at(5, .pause(source: "desk"))
        run.at(6, event("e2", .kill, revision: 2))
        run.at(7, event("e3", .update, revision: 3))
        run.at(10, .resume(source: "desk"))
        expectNoViolation(run) { report in
            report.outcome(of: "e2", .kill) == "sent"
                ? [] : ["e2 ends as \(report.outcome(of: "e2", .kill) ?? "nothing")"]
        }
    }

    @Test func `a second kill with categories after one that reached nobody goes to its categories`() {
        var run = Scenario("A6b")
        run.at(3, event("e1", .kill, revision: 2) { $0.categories = [] })
        run.at(6, event("e2", .kill, revision: 3))
        expectNoViolation(run) { report in
            report.accepted("e2", .kill) == ["a/World"]
                ? [] : ["the second kill went to \(report.accepted("e2", .kill))"]
        }
    }

    @Test func `a kill with a lower revision than a correction reaches all`() {
        var run = Scenario("A6c")
        run.at(3, event("e1", .alert, revision: 1))
        run.at(5, event("e2", .correction, revision: 1_800_000_000_000))
        run.at(7, event("e3", .kill, revision: 4))
        expectNoViolation(run) { report in
            report.outcome(of: "e3", .kill) == "sent"
                ? [] : ["e3 ends as \(report.outcome(of: "e3", .kill) ?? "nothing")"]
        }
    }

    @Test func `a kill with the id of the alert reaches those who were notified`() {
        var run = Scenario("A6d")
        run.at(3, event("e1", .alert, revision: 1))
        run.at(5, event("e1", .kill, revision: 1))
        expectNoViolation(run)
    }

    @Test func `subscribers whom a superseded alert did not reach get the correction`() {
        var settings = SimSettings()
        settings.hubs = ["a", "b"]
        var run = Scenario("A7", settings)
        run.at(1, .hub("a", .always(.unavailable), for: .seconds(30)))
        run.at(2, event("e0", .alert, revision: 1, of: "vote"))
        run.at(8, event("e1", .alert, revision: 1))
        run.at(12, event("e2", .correction, revision: 2))
        expectNoViolation(run)
    }

    @Test func `after a repeat of a superseded alert the correction goes to subscribers whom the alert missed`() {
        var settings = SimSettings()
        settings.hubs = ["a", "b"]
        var run = Scenario("A7b", settings)
        run.at(1, .hub("b", .always(.unavailable), for: .seconds(30)))
        run.at(2, event("e0", .alert, revision: 1, of: "vote"))
        run.at(8, event("e1", .alert, revision: 1))
        run.at(12, event("e2", .correction, revision: 2) { $0.embargo = .seconds(60) })
        run.at(14, .stop(1))
        run.at(20, .jump(.seconds(-3600)))
        run.at(21, event("e1", .alert, revision: 1))
        run.at(24, .start(1))
        expectNoViolation(run)
    }

    @Test func `an event goes on after a pause that ended while a request was in flight`() {
        var settings = SimSettings()
        settings.hubs = ["a", "b"]
        var run = Scenario("A8", settings)
        run.at(1, .hub("b", .always(.unavailable), for: .seconds(9)))
        run.at(2, event("e0", .alert, revision: 1, of: "vote"))
        run.at(6, .hub("a", .slow(9000), for: .seconds(5)))
        run.at(7, event("e1", .alert, revision: 1))
        run.at(8.5, .pause(source: nil))
        run.at(13, .resume(source: nil))
        expectNoViolation(run)
    }

    /// The first end has no dead letter yet when the kill goes on to those whom the owner that crashed may have notified.
    @Test func `a kill that goes on after it had no text needs no dead letter if it is sent`() {
        var settings = SimSettings()
        settings.partitions = 1
        var run = Scenario("a kill that goes on", settings)
        run.at(4, .topic(.deadLetters, TopicWeather(latency: 1...8, lost: 100), for: .seconds(20)))
        run.at(5, .crash(1))
        // The first fetch ends with the kill, and the news comes with the second.
        for number in 1..<SimSettings.fetchedRecords {
            run.at(5, event("e\(number)", .update, revision: 1, of: "story-\(number)") { $0.mode = .backfill })
        }
        run.at(6, event("kill", .kill, revision: 1) { $0.words = "" })
        run.at(7, event("news", .flash, revision: 2))
        run.at(8, .start(1))
        expectNoViolation(run) { report in
            report.accepted("kill", .kill) == ["a/World"] ? [] : ["the kill went to \(report.accepted("kill", .kill))"]
        }
    }
}
