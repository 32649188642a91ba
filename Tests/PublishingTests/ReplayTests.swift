import NewsflashEvents
import NewsflashHTTPTransport
import NewsflashPublishing
import NewsflashTimestamps
import NotificationHubs
import Testing

/// Events that a person publishes again with a replay.
@Suite(.timeLimit(.minutes(1)))
struct ReplayTests {
    private var harness = CoreHarness()

    private func replayed(
        _ event: NewsEvent,
        id: String = "fix-1",
        onlyTag: String? = nil,
        isAgain: Bool = false
    ) -> NewsEvent {
        var event = event
        event.replay = ReplayMark(
            id: id,
            partition: 0,
            offset: 0,
            onlyTag: onlyTag,
            isAgain: isAgain,
            at: harness.now.wall
        )
        return event
    }

    // MARK: - Like any record

    @Test func `a replayed event does not wait for an embargo that its revision dropped`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a", embargo: "2026-03-02T09:00:00Z"))
        harness.confirmAll()
        harness.receive(replayed(.sample("a2", story: "a", revision: 2)))
        harness.confirmAll()
        #expect(harness.sending == ["a2"])
    }

    @Test mutating func `a replay does not repeat sent events, and sends failed ones`() {
        harness.receive(.sample("a"), .sample("b", categories: ["unknown"]))
        harness.finishAll()
        #expect(harness.verdicts == ["b: invalid.unmapped", "a: sent"])
        harness.receive(replayed(.sample("a")), replayed(.sample("b")))
        #expect(harness.sending == ["b"])
        harness.finishAll()
        #expect(harness.verdicts.suffix(2) == ["a: duplicate.id", "b: sent"])
        #expect(harness.outcomes.last?.replay?.id == "fix-1")
        #expect(harness.outcomes.first?.replay == nil)
    }

    // MARK: - For one tag

    @Test mutating func `a replay for one tag does not change the subscribers' story`() throws {
        harness.receive(.sample("a1", story: "a"))
        harness.finishAll()
        let before = harness.ledger["a"]?.record
        harness.receive(replayed(.sample("a1", story: "a"), onlyTag: "test"))
        harness.finishAll()
        #expect(harness.verdicts == ["a1: sent", "a1: sent"])
        #expect(harness.ledger["a"]?.record == before)
        #expect(harness.ledger["replay fix-1 a"]?.record.isFinal == true)
        harness.receive(.sample("a2", story: "a", revision: 2), .sample("a1", story: "a"))
        harness.finishAll()
        #expect(harness.verdicts.suffix(2).sorted() == ["a1: duplicate.id", "a2: sent"])
    }

    @Test mutating func `a kill for one tag withdraws nothing from subscribers`() {
        harness.receive(.sample("a1", story: "a"))
        harness.finishAll()
        harness.receive(replayed(.sample("a9", story: "a", revision: 9, kind: .kill), onlyTag: "test"))
        harness.finishAll()
        harness.receive(.sample("a2", story: "a", revision: 2))
        harness.finishAll()
        #expect(harness.verdicts == ["a1: sent", "a9: sent", "a2: sent"])
    }

    @Test mutating func `a record of one replay is sent once, also after a crash`() {
        let event = replayed(.sample("a"), onlyTag: "test")
        harness.receive(event, event)
        harness.finishAll()
        harness.crash()
        harness.finishAll()
        harness.receive(event)
        harness.finishAll()
        #expect(harness.outcomes.count { $0.verdict.outcome == .sent } == 1)
        harness.receive(replayed(.sample("a"), id: "fix-2", onlyTag: "test"))
        #expect(harness.sending == ["a"])
    }

    @Test mutating func `the time to live of a replay for one tag counts from the command, not from the publication`() {
        harness.pass(.seconds(30 * 86_400))
        harness.receive(
            replayed(.sample("a", expires: "2026-03-02T08:10:00Z"), onlyTag: "test"),
            replayed(.sample("b")),
            .sample("c")
        )
        #expect(harness.sending == ["a"])
        #expect(harness.verdicts == ["b: expired.ttl", "c: expired.ttl"])
        let late = replayed(.sample("d"), onlyTag: "test")
        harness.pass(.seconds(7201))
        harness.receive(late)
        #expect(harness.verdicts.last == "d: expired.ttl")
    }

    @Test
    mutating func `a replay for one tag is not paused with its source, and caps and volume limits do not count it`() {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.policy.volumeLimits.perSource = Rate(1, per: .seconds(60))
        harness = CoreHarness(configuration)
        let marked = ["a", "b", "c"].map { replayed(.sample($0), onlyTag: "test") }
        harness.receive(marked)
        #expect(harness.sends.count == 3)
        harness.finishAll()
        harness.receive(.sample("d"))
        #expect(harness.sending == ["d"])
        harness.receive(.sample("e"))
        #expect(harness.orders.count == 1)
        harness.receive(replayed(.sample("f"), onlyTag: "test"))
        #expect(harness.sending.contains("f"))
        #expect(!harness.sending.contains("e"))
    }

    @Test mutating func `a replay for one tag is not express, whatever its kind`() {
        #expect(replayed(.sample("a", kind: .flash), onlyTag: "test").lane == .normal)
        #expect(NewsEvent.sample("a", kind: .flash).lane == .express)
    }

    // MARK: - Again

    @Test mutating func `a named story is sent again once for each replay`() {
        harness.receive(.sample("a1", story: "a"))
        harness.finishAll()
        harness.pass(.seconds(60))
        let event = replayed(.sample("a1", story: "a"), isAgain: true)
        harness.receive(event)
        #expect(harness.sending == ["a1"])
        harness.finishAll()
        harness.receive(event)
        #expect(harness.verdicts == ["a1: sent", "a1: sent", "a1: duplicate.replay"])
        harness.finishAll()
        harness.crash()
        harness.receive(event)
        #expect(harness.sends.isEmpty)
        harness.finishAll()
        harness.pass(.seconds(1))
        harness.receive(replayed(.sample("a1", story: "a"), id: "fix-2", isAgain: true))
        #expect(harness.sending == ["a1"])
    }

    @Test mutating func `a second copy of a replayed event is a duplicate while the first is in flight`() {
        harness.receive(.sample("a"))
        harness.finishAll()
        harness.pass(.seconds(60))
        let event = replayed(.sample("a"), isAgain: true)
        harness.receive(event, event)
        #expect(harness.sending == ["a"])
        harness.finishAll()
        #expect(harness.verdicts == ["a: sent", "a: duplicate.replay", "a: sent"])
    }

    @Test mutating func `only the latest revision of a story is sent again, and a withdrawn story is not`() {
        harness.receive(.sample("a1", story: "a"))
        harness.finishAll()
        harness.receive(.sample("a2", story: "a", revision: 2, headline: "More"))
        harness.finishAll()
        harness.receive(replayed(.sample("a1", story: "a"), isAgain: true))
        #expect(harness.verdicts.last == "a1: superseded.revision")
        harness.receive(.sample("a3", story: "a", revision: 3, kind: .kill))
        harness.finishAll()
        harness.receive(replayed(.sample("a2", story: "a", revision: 2), isAgain: true))
        #expect(harness.verdicts.last == "a2: suppressed.killed")
    }

    @Test mutating func `a crash between two hubs repeats the replay at neither`() {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.hubs = [HubRole("north"), HubRole("south")]
        harness = CoreHarness(configuration, planner: EveryHubPlanner())
        harness.receive(.sample("a"))
        harness.finishAll()
        harness.pass(.seconds(60))
        harness.receive(replayed(.sample("a"), isAgain: true))
        #expect(harness.sends.count == 2)
        harness.pass(.seconds(1))
        harness.answer(.accepted)
        harness.answer(.unavailable)
        harness.pass(.seconds(15))
        harness.answer(.unavailable)
        harness.confirmAll()
        harness.crash()
        #expect(harness.sends.count == 1)
    }

    @Test mutating func `the event's own expiry stays valid, and the usual time to live counts from the command`() {
        harness.receive(.sample("a"), .sample("b", expires: "2026-03-02T09:00:00Z"))
        harness.finishAll()
        harness.pass(.seconds(86_400))
        let timed = NewsEvent.sample("b", expires: "2026-03-02T09:00:00Z")
        harness.receive(replayed(.sample("a"), isAgain: true), replayed(timed, isAgain: true))
        #expect(harness.sending == ["a"])
        #expect(harness.verdicts.last == "b: expired.explicit")
    }
}
