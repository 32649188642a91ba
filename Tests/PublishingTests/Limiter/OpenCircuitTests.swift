import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps
import NotificationHubs
import Testing

/// A fault that an event did not cause opens the circuit and loses nothing.
@Suite(.timeLimit(.minutes(1)))
struct OpenCircuitTests {
    @Test func `five failures in a row open the circuit, and one probe at a time tests whether it can close`() {
        var harness = CoreHarness()
        harness.receive((0..<8).map { .sample("e\($0)") })
        harness.answerAll(.unavailable)
        #expect(harness.core.status(now: harness.now).circuit?.reason == .hubUnavailable)
        harness.pass(.seconds(1))
        #expect(harness.probes.count == 1)
        harness.pass(.seconds(60))
        #expect(harness.probes.count == 1)
        harness.answerProbe(.unavailable)
        #expect(harness.probes.isEmpty)
        harness.pass(.seconds(2))
        #expect(harness.probes.count == 1)
        #expect(harness.sends.isEmpty, "only probes are sent")
        harness.answerProbe(.accepted)
        #expect(harness.core.status(now: harness.now).circuit == nil)
        harness.answerAll(.accepted)
        harness.pass(.seconds(1))
        harness.answerAll(.accepted)
        #expect(harness.verdicts.sorted() == (0..<8).map { "e\($0): sent" })
        harness.rememberAll()
        #expect(harness.writes.allSatisfy { $0.deadLetter == nil })
    }

    @Test func `a probe contains no news and has no recipients`() {
        var harness = CoreHarness()
        harness.receive(.sample("a", kind: .flash, headline: "Bridge closed"))
        harness.answer(.unauthorized)
        harness.pass(.seconds(1))
        #expect(harness.probes.map(\.expression.description) == ["newsflash-probe"])
        #expect(harness.probes.map { String(decoding: $0.message.body, as: UTF8.self) } == [#"{"newsflash":"probe"}"#])
    }

    @Test(arguments: [
        (HubReply.unauthorized, CircuitReason.unauthorized), (.forbidden, .forbidden), (.notFound, .hubNotFound),
    ])
    func `a fault of our credentials or names opens the circuit at once`(reply: HubReply, reason: CircuitReason) {
        var harness = CoreHarness()
        harness.receive((0..<30).map { .sample("e\($0)") })
        harness.answerAll(reply)
        #expect(harness.core.status(now: harness.now).circuit?.reason == reason)
        #expect(harness.ended.isEmpty)
        // The secrets are read again before every probe.
        harness.pass(.seconds(1))
        #expect(harness.reloads == 1)
        harness.answerProbe(reply)
        #expect(harness.ended.isEmpty)
        harness.pass(.seconds(3))
        #expect(harness.reloads == 2)
        #expect(harness.sends.isEmpty)
        harness.answerProbe(.accepted)
        harness.answerAll(.accepted)
        #expect(harness.ended.count == 30)
        #expect(harness.ended.allSatisfy { $0.verdict.outcome == .sent && $0.targets.count == 1 })
    }

    @Test func `a burst of refusals opens the circuit and keeps the other events`() {
        let limits = SendLimiter.Limits(concurrency: 1, expressReserve: 0)
        var harness = CoreHarness(PublishingConfiguration(limits: limits, commitInterval: .zero))
        harness.receive((0..<40).map { .sample("e\($0)") })
        for _ in 0..<20 { harness.answer(.refused) }
        #expect(harness.core.status(now: harness.now).circuit?.reason == .refusals)
        #expect(harness.ended.count == 19)
        #expect(harness.sends.isEmpty)
        // The probe has the body of a waiting event but no recipients, so its answer does not decide that event. Each
        // probe uses another event.
        harness.pass(.seconds(2))
        let probe = harness.probes.map(\.message.body)
        #expect(harness.probes.map(\.expression.description) == ["newsflash-probe"])
        harness.answerProbe(.refused)
        #expect(harness.ended.count == 19)
        harness.pass(.seconds(15))
        #expect(harness.probes.map(\.message.body) != probe)
        harness.answerProbe(.accepted)
        harness.answerAll(.accepted)
        #expect(harness.ended.count == 40)
        #expect(harness.ended.count { $0.verdict.outcome == .failed } == 19)
    }

    @Test func `an event whose time to live ends while the circuit is open expires without a dead letter`() {
        var harness = CoreHarness()
        harness.receive(.sample("short", expires: "2026-03-02T08:00:20Z"), .sample("long"))
        harness.answerAll(.unauthorized)
        harness.pass(.seconds(19))
        #expect(harness.ended.isEmpty)
        harness.pass(.seconds(2))
        #expect(harness.verdicts == ["short: expired.explicit"], "while the circuit is still open")
        harness.answerProbe(.accepted)
        #expect(harness.sending == ["long"])
        harness.rememberAll()
        #expect(harness.writes.allSatisfy { $0.deadLetter == nil })
    }

    @Test func `a throttled probe keeps the circuit open until one is accepted, and the closing is reported`() {
        var harness = CoreHarness()
        harness.receive(.sample("a"), .sample("b"))
        harness.answerAll(.unauthorized)
        harness.pass(.seconds(1))
        harness.answerProbe(.throttled(after: .seconds(7)))
        #expect(harness.core.status(now: harness.now).circuit?.reason == .unauthorized)
        harness.pass(.seconds(6))
        #expect(harness.probes.isEmpty)
        harness.pass(.seconds(1))
        harness.answerProbe(.accepted)
        #expect(harness.core.status(now: harness.now).circuit == nil)
        #expect(harness.reports.contains(.circuitClosed(.unauthorized, hub: "main", after: .seconds(8))))
        harness.answerAll(.accepted)
        #expect(harness.verdicts.sorted() == ["a: sent", "b: sent"])
    }

    @Test func `a probe waits for the time in Retry-After, but at most a minute`() {
        var harness = CoreHarness()
        harness.receive((0..<5).map { .sample("e\($0)") })
        harness.answerAll(.unavailable(after: .seconds(20)))
        harness.pass(.seconds(19))
        #expect(harness.probes.isEmpty)
        harness.pass(.seconds(1))
        #expect(harness.probes.count == 1)
        harness.answerProbe(.unavailable(after: .seconds(86_400)))
        harness.pass(.seconds(60))
        #expect(harness.probes.count == 1, "the wait is at most a minute")
    }

    @Test func `two missing answers in a row open the circuit, because each may be a push`() {
        var harness = CoreHarness()
        harness.receive(.sample("a"), .sample("b"))
        harness.now = harness.now + .seconds(15)
        harness.answer(.late)
        #expect(harness.core.status(now: harness.now).circuit == nil)
        harness.answer(.late)
        #expect(harness.core.status(now: harness.now).circuit?.reason == .hubUnavailable)
    }

    @Test func `an open circuit without waiting events sets no timers`() {
        let limits = SendLimiter.Limits(concurrency: 1, expressReserve: 0)
        var harness = CoreHarness(PublishingConfiguration(limits: limits, commitInterval: .zero))
        harness.receive((0..<20).map { .sample("e\($0)", expires: "2026-03-02T08:01:00Z") })
        for _ in 0..<20 { harness.answer(.refused) }
        harness.confirmAll()
        #expect(harness.core.status(now: harness.now).circuit?.reason == .refusals)
        harness.pass(.seconds(2))
        harness.answerProbe(.refused)
        harness.pass(.seconds(90))
        harness.confirmAll()
        #expect(harness.verdicts.last == "e19: expired.explicit")
        while let due = harness.core.nextTimer(now: harness.now), due - harness.now.instant < .seconds(1) {
            harness.pass(.seconds(1))
            guard harness.now.wall < Timestamp(seconds: 1_772_500_000) else {
                Issue.record("a timer is due again and again")
                return
            }
        }
        harness.receive(.sample("next"))
        #expect(harness.probes.count == 1, "a new event leads to a probe at once")
    }
}
