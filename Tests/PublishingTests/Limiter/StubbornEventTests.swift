import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps
import NotificationHubs
import Testing

/// An event that alone fails at the hub ends with its own failure.
@Suite(.timeLimit(.minutes(1)))
struct StubbornEventTests {
    @Test func `a flash that is always answered with 503 ends, and other news is sent meanwhile`() {
        var harness = CoreHarness()
        harness.receive(.sample("flash", kind: .flash))
        var seconds = 0
        while harness.ended.count(where: { $0.event == "flash" }) == 0, seconds < 600 {
            harness.receive(.sample("n\(seconds)"))
            for _ in harness.sends { harness.answer(harness.sending.first == "flash" ? .unavailable : .accepted) }
            harness.pass(.seconds(1))
            seconds += 1
        }
        #expect(seconds < 120, "\(seconds) s")
        #expect(harness.reports.allSatisfy { if case .circuitOpened = $0 { false } else { true } })
        let end = harness.ended.first { $0.event == "flash" }
        #expect(end?.verdict.reason == "failed.unavailable")
        #expect(end?.targets.first?.report.attempts == 9)
        harness.rememberAll()
        #expect(harness.writes.count { $0.deadLetter == .send } == 1)
        #expect(harness.ended.count { $0.verdict.outcome == .sent } >= seconds - 1)
    }

    @Test func `probes distinguish the flash's fault from the hub's if nothing else is sent`() {
        var harness = CoreHarness()
        harness.receive(.sample("flash", kind: .flash))
        var attempts = 0
        for _ in 0..<900 where harness.ended.isEmpty {
            harness.drain { harness in
                guard !harness.sends.isEmpty else { return false }
                attempts += 1
                harness.answer(.unavailable)
                return true
            }
            harness.answerAllProbes(.accepted)
            harness.pass(.milliseconds(500))
        }
        #expect(harness.verdicts == ["flash: failed.unavailable"])
        #expect(attempts <= 16, "\(attempts) attempts")
        #expect(harness.core.status(now: harness.now).circuit == nil)
    }

    @Test func `no event fails on its own in an outage`() {
        var harness = CoreHarness()
        harness.receive((0..<10).map { .sample("e\($0)") })
        for second in 0..<1200 {
            // The hub responds for a moment once a minute.
            let isBack = second % 60 == 59
            harness.answerAllProbes(isBack ? .accepted : .unavailable)
            harness.answerAll(.unavailable)
            harness.pass(.seconds(1))
        }
        #expect(harness.ended.isEmpty)
    }

    @Test
    func
        `an answer that is lost again and again ends the event as unknown, and in time nobody is pushed a fourth time`()
    {
        var harness = CoreHarness()
        harness.receive(.sample("flash", kind: .flash))
        var attempts = 0
        // For five minutes the hub answers too late.
        for _ in 0..<300 {
            for _ in harness.sends {
                harness.now = harness.now + .seconds(15)
                attempts += 1
                harness.answer(.late)
            }
            for _ in harness.probes { harness.answerProbe(.late) }
            harness.pass(.seconds(1))
        }
        #expect(attempts == 2)
        #expect(harness.core.status(now: harness.now).circuit?.reason == .hubUnavailable)
        // The hub answers probes, and loses the flash each time.
        for _ in 0..<300 where harness.ended.isEmpty {
            for _ in harness.probes { harness.answerProbe(.accepted) }
            for _ in harness.sends {
                attempts += 1
                harness.answer(.unknown)
            }
            harness.pass(.seconds(1))
        }
        #expect(attempts == 5)
        #expect(harness.verdicts == ["flash: failed.unknown"])
        harness.rememberAll()
        #expect(harness.writes.count { $0.deadLetter == .send } == 1)
        #expect(harness.ended.first?.targets.first?.report.status == .unknown)
    }
}
