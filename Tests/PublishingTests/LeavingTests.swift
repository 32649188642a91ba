import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps
import Testing

/// Draining of revoked partitions, and the work of the next owner.
@Suite(.timeLimit(.minutes(1)))
struct LeavingTests {
    private let one = PublishingConfiguration(
        limits: SendLimiter.Limits(concurrency: 1, expressReserve: 0),
        commitInterval: .zero
    )

    @Test func `a draining partition finishes requests in flight and drops the rest without an outcome`() {
        var harness = CoreHarness(one)
        harness.receive(.sample("a"), .sample("b"))
        let leaving = [harness.id]
        harness.core.beginDraining(leaving, waitingUntil: harness.now.instant + .seconds(3), now: harness.now)
        harness.perform()
        #expect(!harness.isDrained(leaving))
        harness.answer(.accepted)
        #expect(!harness.isDrained(leaving))
        harness.confirmAll()
        #expect(harness.isDrained(leaving))
        #expect(harness.core.leave(leaving, now: harness.now) == [CoreHarness.partition: 1])
        harness.perform()
        #expect(harness.verdicts == ["a: sent"])
        #expect(harness.sends.isEmpty)
        let open = harness.reports.filter {
            switch $0 {
            case .gaveUp, .leftUnconfirmed: true
            default: false
            }
        }
        #expect(open == [])
    }

    @Test(arguments: [true, false])
    func `an owner that leaves before it has worked keeps the record of the owner before it`(hasLeft: Bool) {
        var harness = CoreHarness()
        let leaving = [harness.id]
        let assignment = harness.core.assign(leaving[0], now: harness.now)
        harness.perform()
        harness.rememberAll()
        let before = LedgerOwner(hasLeft: hasLeft, isSettled: hasLeft, processed: hasLeft ? [3] : [], hubs: [:])
        var owners = LedgerOwners()
        owners.add(before, at: 0)
        let restored = RestoredLedger(
            partition: leaving[0],
            assignment: assignment,
            stories: StoryIndex(byteLimit: 1000),
            waiting: [],
            owners: owners,
            sourceEnd: 9
        )
        harness.core.restored(restored, now: harness.now)
        harness.perform()
        harness.core.beginDraining(leaving, waitingUntil: harness.now.instant + .seconds(3), now: harness.now)
        harness.perform()
        #expect(!harness.isDrained(leaving))
        // The batch that claims the partition, and the one that withdraws the claim.
        harness.confirmLedger()
        #expect(harness.owner?.hasLeft == false)
        harness.rememberAll()
        #expect(harness.isDrained(leaving))
        #expect(harness.owner?.hasLeft == before.hasLeft && harness.owner?.isSettled == before.isSettled)
        #expect(harness.owner?.processed == before.processed)
    }

    @Test func `the next owner recognises events sent above the committed offset`() {
        var harness = CoreHarness(one)
        harness.receive(.sample("a"))
        harness.receive(.sample("b"), .sample("flash", kind: .flash), .sample("c"))
        #expect(harness.sending == ["a"])
        harness.answer(.accepted)
        #expect(harness.sending == ["flash"])
        let leaving = [harness.id]
        harness.core.beginDraining(leaving, waitingUntil: harness.now.instant + .seconds(3), now: harness.now)
        harness.answer(.accepted)
        harness.confirmAll()
        #expect(harness.isDrained(leaving))
        #expect(harness.core.leave(leaving, now: harness.now) == [CoreHarness.partition: 1])
        harness.own()
        for offset in Int64(1)...3 { harness.read(offset) }
        harness.answerAll(.accepted)
        harness.confirmAll()
        #expect(harness.verdicts == ["a: sent", "flash: sent", "b: sent", "c: sent"])
        #expect(harness.committed == 4)
    }

    @Test func `a partition with unconfirmed facts was not given back in order`() {
        var harness = CoreHarness(one)
        let leaving = [harness.id]
        harness.receive(.sample("a"))
        harness.answer(.accepted)
        harness.core.beginDraining(leaving, waitingUntil: harness.now.instant + .seconds(3), now: harness.now)
        harness.failWrite()
        _ = harness.core.leave(leaving, now: harness.now)
        harness.perform()
        #expect(harness.reports.suffix(1) == [.leftUnconfirmed(CoreHarness.partition, events: 1)])
        #expect(harness.writes.flatMap(\.facts).count == 1)
        harness.rememberAll()
        #expect(
            harness.owner?.hasLeft == false,
            "the next owner would assume that events without facts were never sent"
        )
    }

    @Test func `draining does not wait for an open circuit`() {
        var harness = CoreHarness()
        let leaving = [harness.id]
        harness.receive(.sample("a"), .sample("b"))
        harness.core.beginDraining(leaving, waitingUntil: harness.now.instant + .seconds(3), now: harness.now)
        harness.answerAll(.unauthorized)
        harness.confirmAll()
        #expect(harness.isDrained(leaving))
        #expect(harness.core.leave(leaving, now: harness.now) == [:])
    }

    @Test func `requests in flight of lost partitions are cancelled, and their answers change nothing`() {
        var harness = CoreHarness()
        harness.receive(.sample("a"))
        let flight = harness.sends.map(\.id)
        _ = harness.core.leave([harness.id], now: harness.now)
        harness.perform()
        #expect(harness.cancelled == flight)
        #expect(harness.reports.contains(.gaveUp(CoreHarness.partition, requests: 1)))
        harness.answer(.accepted)
        #expect(harness.ended.isEmpty)
        #expect(harness.writes.flatMap(\.facts).flatMap(\.facts.audiences).map(\.certainty) == [.possible])
        #expect(harness.core.status(now: harness.now).inFlight == 0)
    }

    @Test func `a partition that returns is read again from its committed offset`() {
        var harness = CoreHarness()
        harness.receive(.sample("a"))
        _ = harness.core.leave([harness.id], now: harness.now)
        harness.perform()
        harness.own()
        harness.read(0)
        #expect(harness.sending == ["a", "a"])
    }

    @Test func `records that arrive before the ledger was read wait for it`() {
        var harness = CoreHarness()
        let assignment = harness.core.assign(harness.id, now: harness.now)
        harness.receive(.sample("a"))
        #expect(harness.sends.isEmpty)
        harness.restore(assignment)
        #expect(harness.sending == ["a"])
        #expect(harness.flowing.last == harness.id)
    }

    @Test func `the ledger read for an earlier assignment is ignored`() {
        var harness = CoreHarness()
        let old = harness.core.assign(harness.id, now: harness.now)
        let new = harness.core.assign(harness.id, now: harness.now)
        harness.restore(old)
        #expect(harness.core.status(now: harness.now).partitions.map(\.phase) == [.restoring])
        harness.restore(new)
        #expect(harness.core.status(now: harness.now).partitions.map(\.phase) == [.working])
    }

    @Test func `an answer to a commit of an earlier assignment does not stop the commits of the next`() {
        var harness = CoreHarness()
        harness.receive(.sample("a"))
        harness.answer(.accepted)
        _ = harness.core.leave([harness.id], now: harness.now)
        harness.own()
        harness.read(0)
        harness.answerAll(.accepted)
        harness.confirmAll()
        #expect(harness.committed == 1)
    }
}
