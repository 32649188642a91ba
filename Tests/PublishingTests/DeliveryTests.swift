import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps
import NotificationHubs
import Testing

/// From a record to a commit, on the usual path.
@Suite(.timeLimit(.minutes(1)))
struct DeliveryTests {
    @Test func `an offset is committed only after the outcome is confirmed`() {
        var harness = CoreHarness()
        harness.receive(.sample("a"))
        #expect(harness.sending == ["a"])
        #expect(harness.writes.isEmpty)
        harness.answer(.accepted)
        #expect(harness.verdicts == ["a: sent"])
        #expect(harness.commits.isEmpty)
        harness.confirmAll()
        #expect(harness.committed == 1)
    }

    @Test func `the committed offset is the lowest one not yet processed`() throws {
        var harness = CoreHarness()
        harness.receive(.sample("a"), .sample("b"), .sample("c"))
        let first = try #require(harness.sends.first)
        harness.sends.removeFirst()
        harness.answerAll(.accepted)
        harness.confirmAll()
        #expect(harness.commits.isEmpty)
        harness.core.requestsEnded([SendResult(id: first.id, reply: .accepted)], now: harness.now)
        harness.perform()
        harness.confirmAll()
        #expect(harness.committed == 3)
    }

    @Test func `a write that failed is written again until it is confirmed`() {
        var harness = CoreHarness()
        harness.receive(.sample("a"))
        harness.answer(.accepted)
        harness.failWrite()
        #expect(harness.commits.isEmpty)
        harness.pass(.seconds(1))
        harness.rememberAll()
        #expect(harness.writes.map(\.outcome?.outcome.event) == ["a"])
        harness.confirmAll()
        #expect(harness.committed == 1)
    }

    @Test func `the offset of an unreadable record is processed when its dead letter is confirmed`() {
        var harness = CoreHarness()
        harness.receiveContents([.rejected(EventRejection(.json, "offset 3: a value was expected"))])
        #expect(harness.writes.count == 1)
        harness.rememberAll()
        #expect(harness.writes.first?.deadLetter == .decode)
        #expect(harness.writes.first?.outcome?.outcome.verdict.reason == "invalid.json")
        #expect(harness.commits.isEmpty)
        harness.confirmAll()
        #expect(harness.committed == 1)
    }

    @Test func `a record without a value is skipped and committed`() {
        var harness = CoreHarness()
        harness.receiveContents([.tombstone])
        #expect(harness.writes.isEmpty)
        #expect(harness.committed == 1)
    }

    @Test func `a payload that the hub refuses is dead-lettered, the others are not`() {
        var harness = CoreHarness()
        harness.receive(.sample("good"), .sample("bad"), .sample("fine"))
        harness.answer(.accepted)
        harness.answer(.refused)
        harness.answer(.accepted)
        #expect(harness.verdicts == ["good: sent", "bad: failed.refused", "fine: sent"])
        harness.rememberAll()
        #expect(harness.writes.map { $0.deadLetter != nil } == [false, true, false])
    }

    @Test func `an event that part of its audience cannot get is partial and not a dead letter`() {
        var harness = CoreHarness()
        harness.receive(.sample("a", categories: ["world", "sports"]))
        #expect(harness.sends.count == 2)
        harness.answer(.accepted)
        #expect(harness.ended.isEmpty)
        harness.answer(.refused)
        #expect(harness.verdicts == ["a: partial.refused"])
        harness.rememberAll()
        #expect(harness.writes.first?.deadLetter == nil)
        #expect(harness.ended.first?.targets.map(\.report.status) == [.accepted, .rejected])
    }

    @Test func `sending waits for a slow broker, and express events have their own limit`() {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.exposureLimit = RiskLimit(total: 3, reserve: 1)
        var harness = CoreHarness(configuration)
        harness.receive(.sample("a"), .sample("b"))
        harness.answerAll(.accepted)
        harness.receive(.sample("c"), .sample("flash", kind: .flash), .sample("second", kind: .flash))
        #expect(harness.sending == ["flash"])
        harness.confirm()
        #expect(harness.sending == ["flash", "second"])
        harness.answerAll(.accepted)
        harness.confirmAll()
        #expect(harness.sending == ["c"])
    }

    @Test func `requests in flight and sends missing in the ledger are at risk together`() {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.exposureLimit = RiskLimit(total: 2, reserve: 0)
        var harness = CoreHarness(configuration)
        harness.receive(.sample("a"), .sample("b"), .sample("c"))
        #expect(harness.sending == ["a", "b"])
        harness.answer(.accepted)
        #expect(harness.sending == ["b"])
        harness.confirm()
        #expect(harness.sending == ["b", "c"])
        let limits = [1, 100, 256, 1024].map { RiskLimit(forConcurrency: $0) }
        #expect(limits.map(\.total) == [100, 100, 360, 1640])
        #expect(limits.map(\.reserve) == [8, 8, 28, 131])
    }

    @Test func `an event whose embargo ends does not wait for a slow broker`() {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.exposureLimit = RiskLimit(total: 1, reserve: 0)
        var harness = CoreHarness(configuration)
        harness.receive(.sample("later", embargo: "2026-03-02T08:01:00Z"))
        harness.confirmAll()
        harness.receive(.sample("a"))
        harness.answer(.accepted)
        harness.receive(.sample("b"))
        #expect(harness.sends.isEmpty)
        harness.pass(.milliseconds(500))
        harness.pass(.seconds(60))
        #expect(harness.sending == ["later"])
    }

    @Test func `sends in the ledger and requests that were never sent do not count as at risk`() {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.exposureLimit = RiskLimit(total: 1, reserve: 0)
        var harness = CoreHarness(configuration)
        harness.receive(.sample("a"))
        harness.answerAll(.accepted)
        for _ in 1...3 { harness.receive(.sample("a")) }
        harness.receive(.sample("b"))
        #expect(harness.sending == [])
        harness.confirmLedger()
        #expect(harness.sending == ["b"])
        #expect(harness.committed == nil)
    }

    @Test func `commits are an interval apart`() {
        var harness = CoreHarness(PublishingConfiguration(commitInterval: .seconds(1)))
        harness.receive(.sample("a"))
        harness.answer(.accepted)
        harness.confirmAll()
        harness.receive(.sample("b"))
        harness.answer(.accepted)
        harness.confirmAll()
        #expect(harness.commits.count == 1)
        #expect(harness.core.nextTimer(now: harness.now) == harness.now.instant + .seconds(1))
        harness.pass(.seconds(1))
        #expect(harness.committed == 2)
    }

    @Test func `an unanswered commit sets no timer, and the next commit follows its answer`() {
        var harness = CoreHarness(PublishingConfiguration(commitInterval: .seconds(1)))
        harness.answersCommits = false
        for event in ["a", "b"] {
            harness.receive(.sample(event))
            harness.answer(.accepted)
            harness.confirmAll()
        }
        harness.pass(.seconds(2))
        #expect(harness.committed == 1)
        let due = harness.core.nextTimer(now: harness.now)
        #expect(due.map { $0 > harness.now.instant } ?? true)
        harness.core.commitEnded([CoreHarness.partition], succeeded: true, now: harness.now)
        harness.perform()
        #expect(harness.committed == 2)
    }

    @Test func `the further requests of an event leave the reserve to express events`() {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.exposureLimit = RiskLimit(total: 4, reserve: 2)
        var harness = CoreHarness(configuration, planner: WordsPlanner())
        let categories = (0..<6).map { "c\($0)" }
        harness.receive(.sample("a", categories: categories, headline: "News"))
        #expect(harness.sending == ["News", "News"])
        harness.receive(.sample("b", kind: .flash, categories: categories, headline: "Flash"))
        #expect(harness.sending == ["News", "News", "Flash", "Flash"])
    }
}
