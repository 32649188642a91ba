import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps
import NotificationHubs
import Testing

/// Kills: their audiences and their words.
@Suite(.timeLimit(.minutes(1)))
struct KillTests {
    @Test func `a kill has the words of news that may have been accepted`() {
        var harness = CoreHarness(planner: WordsPlanner())
        harness.receive(.sample("a1", story: "a", categories: ["politics"], headline: "It happened"))
        harness.answer(.unknown)
        var kill = NewsEvent.sample("a2", story: "a", revision: 2, kind: .kill, categories: [])
        kill.text = []
        harness.receive(kill)
        #expect(harness.sending == ["It happened"])
    }

    @Test func `a killed story stays killed, and a kill has the audiences and words of the news after a crash`() {
        var harness = CoreHarness(planner: WordsPlanner())
        harness.receive(.sample("a1", story: "a", categories: ["politics"], headline: "It happened"))
        harness.answer(.accepted)
        harness.confirmAll()
        harness.crash()
        var kill = NewsEvent.sample("a2", story: "a", revision: 2, kind: .kill, categories: [])
        kill.text = []
        harness.receive(kill)
        #expect(harness.recalls.map(\.place) == [.source(0)])
        harness.answerRecalls()
        #expect(harness.sends.map(\.expression.description) == ["politics"])
        #expect(harness.sending == ["It happened"])
        harness.answer(.accepted)
        harness.confirmAll()
        harness.crash()
        harness.receive(.sample("a3", story: "a", revision: 3))
        #expect(harness.verdicts.last == "a3: suppressed.killed")
    }

    @Test func `a kill whose words are deleted from the source ends at once`() {
        var harness = CoreHarness(planner: WordsPlanner())
        harness.receive(.sample("a1", story: "a"))
        harness.answer(.accepted)
        harness.confirmAll()
        harness.crash()
        harness.source[0] = .tombstone
        var kill = NewsEvent.sample("a2", story: "a", revision: 2, kind: .kill, categories: [])
        kill.text = []
        harness.receive(kill)
        harness.answerRecalls()
        #expect(harness.verdicts.last == "a2: invalid.no_text")
    }

    @Test func `a kill reaches subscribers who may have been notified`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a", categories: ["politics"]))
        harness.answer(.unknown)
        harness.receive(.sample("a2", story: "a", revision: 2, kind: .kill, categories: []))
        #expect(harness.verdicts == ["a1: superseded.killed"])
        #expect(harness.sends.map(\.expression.description) == ["politics"])
    }

    @Test func `a kill of an unknown story without categories ends with a warning`() {
        var harness = CoreHarness()
        harness.receive(.sample("a2", story: "a", revision: 2, kind: .kill, categories: []))
        #expect(harness.verdicts == ["a2: suppressed.never_sent"])
        #expect(harness.ended.first?.warnings == ["story.unknown"])
    }

    @Test func `a kill of an unknown story goes to its own categories, with a warning`() {
        var harness = CoreHarness()
        harness.receive(.sample("a2", story: "a", revision: 2, kind: .kill, categories: ["world"]))
        harness.finishAll()
        #expect(harness.verdicts == ["a2: sent"])
        #expect(harness.ended.first?.warnings == ["story.unknown"])
    }

    @Test func `a kill of a story that was never sent notifies nobody, whatever its categories`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a", embargo: "2026-03-02T09:00:00Z"))
        harness.receive(.sample("a2", story: "a", revision: 2, kind: .kill, categories: ["world"]))
        harness.confirmAll()
        #expect(harness.sends.isEmpty)
        #expect(harness.verdicts == ["a1: superseded.killed", "a2: suppressed.never_sent"])
        #expect(harness.ended.last?.warnings == [])
    }

    @Test func `a kill ends an event that waits in the ledger`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a", embargo: "2026-03-02T09:00:00Z"))
        harness.confirmAll()
        harness.crash()
        harness.receive(.sample("a2", story: "a", revision: 2, kind: .kill, categories: []))
        harness.confirmAll()
        harness.crash()
        harness.pass(.seconds(4000))
        #expect(harness.sends.isEmpty)
        #expect(harness.verdicts == ["a1: superseded.killed", "a2: suppressed.never_sent"])
    }

    @Test func `an expired kill closes its story`() {
        var harness = CoreHarness()
        harness.receive(.sample("a2", story: "a", revision: 2, kind: .kill, published: "2026-02-20T08:00:00Z"))
        harness.receive(.sample("a3", story: "a", revision: 3))
        #expect(harness.verdicts == ["a2: expired.ttl", "a3: suppressed.killed"])
    }
}

/// A planner like ``OneSendPlanner``, with the headline as the body, so that a test sees whose words are sent.
struct WordsPlanner: EventPlanning {
    func plan(
        _ event: NewsEvent,
        for addressees: Addressees,
        story: StoryFacts?,
        deadline: Timestamp,
        loudness: Audibility,
        now: Timestamp
    ) -> EventPlan {
        let words = event.text.first ?? story?.text.first
        guard let words else { return .end(EventVerdict(.invalid, "invalid.no_text"), stage: .render) }
        return .send(
            addressees.tags(of: event).compactMap { OneSendPlanner.send(words.headline, tag: $0) },
            warnings: []
        )
    }
}
