import NewsflashEvents
import NewsflashTimestamps
import NotificationHubs
import Testing

@testable import NewsflashPublishing

/// Old kills and holds, and holds that arrive again.
@Suite(.timeLimit(.minutes(1)))
struct StaleWithdrawalTests {
    private static let old = "2026-02-20T08:00:00Z"
    private static let life = Duration.seconds(172_800)

    private static func kill(expires: String? = nil, categories: [String] = []) -> NewsEvent {
        .sample("a2", story: "a", revision: 2, kind: .kill, published: old, expires: expires, categories: categories)
    }

    private static func hold(_ id: String = "a2", revision: Int64 = 2) -> NewsEvent {
        .sample(id, story: "a", revision: revision, kind: .hold, published: old, categories: [])
    }

    @Test(arguments: [nil, "2026-02-21T08:00:00Z"], [false, true])
    func `a kill reaches those who were notified, however old it is`(_ expires: String?, _ hasCrashed: Bool) {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a", categories: ["politics"]))
        harness.answer(.accepted)
        harness.confirmAll()
        if hasCrashed { harness.crash() }
        harness.receive(Self.kill(expires: expires))
        #expect(harness.sends.map(\.expression.description) == ["politics"])
        harness.answer(.accepted)
        #expect(harness.verdicts.last == "a2: sent")
    }

    @Test func `a kill reaches those who may have been notified, however old it is`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a", categories: ["politics"]))
        harness.answer(.unknown)
        harness.receive(Self.kill())
        #expect(harness.sends.map(\.expression.description) == ["politics"])
    }

    @Test(arguments: [HubReply.accepted, .unknown, .refused])
    func `an old kill waits for the answers to the requests of its story, and then reaches those who may have the news`(
        _ reply: HubReply
    ) {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a", categories: ["politics"]))
        harness.receive(Self.kill())
        #expect(harness.ended.isEmpty)
        harness.answer(reply)
        harness.confirmAll()
        #expect(harness.sending == (reply.verdict == .refused ? [] : ["a2"]))
        harness.finishAll()
        #expect(harness.verdicts.last == (reply.verdict == .refused ? "a2: expired.ttl" : "a2: sent"))
    }

    @Test(arguments: [[], ["politics"]])
    func `an old kill of an unknown story ends`(_ categories: [String]) {
        var harness = CoreHarness()
        harness.receive(Self.kill(categories: categories))
        #expect(harness.sends.isEmpty)
        #expect(harness.verdicts == ["a2: expired.ttl"])
    }

    @Test func `an old kill stops waiting events, and ends if nobody was notified`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a", embargo: "2026-03-02T09:00:00Z"))
        harness.receive(Self.kill(categories: ["politics"]))
        #expect(harness.verdicts == ["a1: superseded.killed", "a2: expired.ttl"])
        harness.pass(.seconds(3600))
        #expect(harness.sends.isEmpty)
    }

    @Test func `an old kill that was sent is not sent again`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a"))
        harness.answer(.accepted)
        harness.receive(Self.kill())
        harness.answer(.accepted)
        harness.confirmAll()
        harness.crash()
        harness.receive(Self.kill())
        #expect(harness.sends.isEmpty)
        #expect(harness.verdicts.last == "a2: duplicate.id")
    }

    @Test func `a kill is sent when its source is resumed, also after its expiry`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a"))
        harness.answer(.accepted)
        harness.confirmAll()
        let kill = NewsEvent.sample("a2", story: "a", revision: 2, kind: .kill)
        harness.order(
            ControlRecord(.pause, .source(kill.source), by: .person("novak"), reason: "", at: harness.now.wall)
        )
        harness.receive(kill)
        harness.confirmAll()
        harness.pass(Self.life + .seconds(3600))
        harness.answerRecalls()
        #expect(harness.sends.isEmpty)
        harness.order(
            ControlRecord(.resume, .source(kill.source), by: .person("novak"), reason: "", at: harness.now.wall)
        )
        harness.answerRecalls()
        #expect(harness.sending == ["a2"])
    }

    @Test func `a kill is sent when the hub answers again, also after its expiry`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a"))
        harness.answer(.accepted)
        harness.receive(.sample("a2", story: "a", revision: 2, kind: .kill))
        harness.pass(Self.life + .seconds(3600))
        harness.answer(.accepted)
        #expect(harness.verdicts.last == "a2: sent")
    }

    @Test func `a kill sent after its expiry gets a full time to live at push services`() throws {
        let gate = AdmissionRules()
        let now = try #require(Timestamp(rfc3339: "2026-03-02T08:00:00Z"))
        #expect(gate.deadlineOfDelivery(of: Self.kill(), now: now) == now + Self.life)
        let fresh = NewsEvent.sample("a2", kind: .kill, published: "2026-03-02T07:00:00Z")
        #expect(gate.deadlineOfDelivery(of: fresh, now: now) == now - .seconds(3600) + Self.life)
        let alert = NewsEvent.sample("a1", published: Self.old)
        #expect(gate.deadlineOfDelivery(of: alert, now: now) == gate.deadline(of: alert))
    }

    // MARK: Holds that arrive again

    @Test(arguments: [false, true])
    func `a hold that arrives again holds a story that continued`(_ hasCrashed: Bool) {
        var harness = CoreHarness()
        harness.receive(Self.hold())
        harness.receive(.sample("a3", story: "a", revision: 3))
        harness.answer(.accepted)
        harness.confirmAll()
        if hasCrashed { harness.crash() }
        harness.receive(.sample("a4", story: "a", revision: 4, embargo: "2026-03-02T09:00:00Z"))
        harness.receive(Self.hold())
        #expect(harness.verdicts.suffix(2) == ["a4: suppressed.hold", "a2: suppressed.hold"])
        harness.confirmAll()
        #expect(harness.ledger["a"]?.record.phase == .held)
        harness.pass(.seconds(3600))
        #expect(harness.sends.isEmpty)
    }

    @Test func `a hold that arrives again while its story is held is a duplicate`() {
        var harness = CoreHarness()
        harness.receive(Self.hold())
        harness.receive(Self.hold())
        harness.receive(Self.hold("b2"))
        harness.receive(Self.hold())
        #expect(
            harness.verdicts == ["a2: suppressed.hold", "a2: duplicate.id", "b2: suppressed.hold", "a2: duplicate.id"]
        )
        harness.receive(.sample("a3", story: "a", revision: 3))
        #expect(harness.sending == ["a3"])
    }

    @Test func `a hold whose record is read again after a crash has no effect`() {
        var harness = CoreHarness()
        harness.receive(Self.hold())
        harness.receive(.sample("a3", story: "a", revision: 3))
        harness.answer(.accepted)
        harness.confirmAll()
        harness.crash()
        harness.read(0)
        harness.confirmAll()
        #expect(harness.verdicts.filter { $0.hasPrefix("a2") } == ["a2: suppressed.hold"])
        #expect(harness.ledger["a"]?.record.phase == .open)
    }
}
