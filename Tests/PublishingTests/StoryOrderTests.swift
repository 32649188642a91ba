import NewsEvents
import NotificationHubs
import Publishing
import Testing
import Timestamps

@Suite(.timeLimit(.minutes(1)))
struct StoryOrderTests {
    @Test func `a newer revision waits for the one in flight`() {
        var harness = CoreHarness()
        harness.take(.sample("a1", story: "a"))
        harness.take(.sample("a2", story: "a", revision: 2))
        #expect(harness.sending == ["a1"])
        harness.answer(.accepted)
        #expect(harness.sending == ["a2"])
    }

    @Test func `stories do not wait for each other`() {
        var harness = CoreHarness()
        harness.take(.sample("a"), .sample("b"), .sample("c"))
        #expect(harness.sending == ["a", "b", "c"])
    }

    @Test func `a newer revision takes the place of one that is queued`() {
        var harness = CoreHarness()
        harness.take(.sample("a1", story: "a"))
        harness.take(.sample("a2", story: "a", revision: 2))
        harness.take(.sample("a3", story: "a", revision: 3))
        #expect(harness.verdicts == ["a2: superseded.revision"])
        harness.answer(.accepted)
        #expect(harness.sending == ["a3"])
    }

    @Test func `a newer revision ends the retries of an older one`() {
        var harness = CoreHarness()
        harness.take(.sample("a1", story: "a"))
        harness.answer(.unavailable)
        harness.take(.sample("a2", story: "a", revision: 2))
        #expect(harness.verdicts == ["a1: superseded.revision"])
        #expect(harness.sending == ["a2"])
    }

    @Test func `what was to go first does not fall behind because there is more to say`() {
        let limits = Governor.Limits(concurrency: 1, expressReserve: 0)
        var harness = CoreHarness(PublishingConfiguration(limits: limits, commitInterval: .zero))
        harness.take(.sample("busy"), .sample("news"))
        harness.take(
            .sample("flash", story: "f", kind: .flash),
            .sample("update", story: "f", revision: 2, kind: .update)
        )
        harness.answer(.accepted)
        #expect(harness.sending == ["update"])
    }

    @Test func `a hold stops what is queued, and the next revision releases`() {
        var harness = CoreHarness()
        harness.take(.sample("a1", story: "a", embargo: "2026-03-02T09:00:00Z"))
        harness.take(.sample("a2", story: "a", revision: 2, kind: .hold, categories: []))
        #expect(harness.verdicts == ["a1: suppressed.hold", "a2: suppressed.hold"])
        harness.take(.sample("a3", story: "a", revision: 3))
        #expect(harness.sending == ["a3"])
    }

    @Test func `a kill goes to the audience of what was sent, and closes the story`() {
        var harness = CoreHarness()
        harness.take(.sample("a1", story: "a", categories: ["politics"]))
        harness.answer(.accepted)
        harness.take(.sample("a2", story: "a", revision: 2, kind: .kill, categories: []))
        #expect(harness.sends.map(\.expression.description) == ["politics"])
        harness.answer(.accepted)
        harness.take(.sample("a3", story: "a", revision: 3))
        #expect(harness.verdicts == ["a1: sent", "a2: sent", "a3: suppressed.killed"])
    }

    @Test func `a kill of what was never sent stops it and tells nobody`() {
        var harness = CoreHarness()
        harness.take(.sample("a1", story: "a", embargo: "2026-03-02T09:00:00Z"))
        harness.take(.sample("a2", story: "a", revision: 2, kind: .kill, categories: []))
        #expect(harness.verdicts == ["a1: superseded.killed", "a2: suppressed.never_sent"])
        #expect(harness.sends.isEmpty)
    }

    @Test func `a kill waits for what is in flight, so that it knows whom to tell`() {
        var harness = CoreHarness()
        harness.take(.sample("a1", story: "a"))
        harness.take(.sample("a2", story: "a", revision: 2, kind: .kill, categories: []))
        #expect(harness.sending == ["a1"])
        harness.answer(.accepted)
        #expect(harness.sending == ["a2"])
    }

    @Test func `an embargoed event goes at its instant`() {
        var harness = CoreHarness()
        harness.take(.sample("a", embargo: "2026-03-02T08:10:00Z"))
        #expect(harness.announced.map(\.verdict.reason) == ["held.embargo"])
        harness.pass(.seconds(599))
        #expect(harness.sends.isEmpty)
        #expect(harness.core.nextTimer == Timestamp(rfc3339: "2026-03-02T08:10:00Z"))
        harness.pass(.seconds(1))
        #expect(harness.sending == ["a"])
    }

    @Test func `partitions that leave keep what is in flight and drop the rest without an outcome`() {
        let limits = Governor.Limits(concurrency: 1, expressReserve: 0)
        var harness = CoreHarness(PublishingConfiguration(limits: limits, commitInterval: .zero))
        harness.take(.sample("a"), .sample("b"))
        let leaving = [CoreHarness.partition]
        harness.core.beginDraining(leaving, now: harness.now)
        harness.perform()
        #expect(harness.released == [RecordID(2)])
        #expect(!harness.core.isDrained(leaving))
        harness.answer(.accepted)
        #expect(!harness.core.isDrained(leaving))
        harness.confirmAll()
        #expect(harness.core.isDrained(leaving))
        #expect(harness.core.leave(leaving) == [CoreHarness.partition: 1])
        #expect(harness.verdicts == ["a: sent"])
        #expect(harness.sends.isEmpty)
    }

    @Test func `what follows a request in flight is finished with it, so that later events are not sent twice`() {
        var harness = CoreHarness()
        let leaving = [CoreHarness.partition]
        harness.take(.sample("a1", story: "a"))
        harness.take(.sample("a2", story: "a", revision: 2), .sample("b"))
        #expect(harness.sending == ["a1", "b"])
        harness.core.beginDraining(leaving, now: harness.now)
        harness.perform()
        harness.answerAll(.accepted)
        harness.confirmAll()
        #expect(harness.core.isDrained(leaving))
        #expect(harness.verdicts == ["a1: sent", "b: sent", "a2: sent"])
        #expect(harness.core.leave(leaving) == [CoreHarness.partition: 3])
    }

    @Test func `what a flash has overtaken is finished before partitions leave, so that the flash is not sent twice`() {
        let limits = Governor.Limits(concurrency: 1, expressReserve: 0)
        var harness = CoreHarness(PublishingConfiguration(limits: limits, commitInterval: .zero))
        let leaving = [CoreHarness.partition]
        harness.take(.sample("a"), .sample("b"), .sample("flash", kind: .flash), .sample("c"))
        #expect(harness.sending == ["flash"])
        harness.answer(.accepted)
        #expect(harness.sending == ["a"])
        harness.core.beginDraining(leaving, now: harness.now)
        harness.perform()
        #expect(harness.released == [RecordID(4)])
        harness.answerAll(.accepted)
        harness.confirmAll()
        #expect(harness.core.isDrained(leaving))
        #expect(harness.core.leave(leaving) == [CoreHarness.partition: 3])
        #expect(harness.verdicts == ["flash: sent", "a: sent", "b: sent"])
    }

    @Test func `a held line is not waited for when partitions leave`() {
        var harness = CoreHarness()
        let leaving = [CoreHarness.partition]
        harness.take(.sample("a"), .sample("b"))
        harness.core.beginDraining(leaving, now: harness.now)
        harness.answerAll(.unauthorized)
        #expect(harness.core.isDrained(leaving))
        #expect(harness.core.leave(leaving) == [:])
    }

    @Test func `a follower behind everything sent, or whose own request fails, is left to the next owner`() {
        var harness = CoreHarness()
        let leaving = [CoreHarness.partition]
        harness.take(.sample("a1", story: "a"))
        harness.take(.sample("a2", story: "a", revision: 2), .sample("b"))
        harness.take(.sample("c", embargo: "2026-03-02T09:00:00Z"))
        harness.core.beginDraining(leaving, now: harness.now)
        harness.perform()
        #expect(harness.released == [RecordID(4)])
        harness.answer(.accepted)
        #expect(harness.sending == ["b", "a2"])
        harness.answer(.unavailable)
        harness.answer(.unavailable)
        harness.confirmAll()
        #expect(harness.core.isDrained(leaving))
        #expect(harness.core.leave(leaving) == [CoreHarness.partition: 1])
        #expect(harness.verdicts == ["a1: sent"])
    }

    @Test func `a partition that comes back is read again from where it was committed`() {
        var harness = CoreHarness()
        harness.take(.sample("a"))
        _ = harness.core.leave([CoreHarness.partition])
        harness.perform()
        harness.core.assign([CoreHarness.partition])
        let record = IncomingRecord(
            id: RecordID(9),
            origin: RecordOrigin(partition: CoreHarness.partition, offset: 0),
            byteCount: 10,
            content: .event(.sample("a"), warnings: [])
        )
        harness.core.take([record], now: harness.now)
        harness.perform()
        #expect(harness.sending == ["a", "a"])
    }
}
