import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps
import Testing

/// Express events that the priority scan finds before the consumer reads them.
@Suite(.timeLimit(.minutes(1)))
struct AheadTests {
    private let one = PublishingConfiguration(
        limits: SendLimiter.Limits(concurrency: 1, expressReserve: 0),
        commitInterval: .zero
    )

    @Test func `a flash found ahead is sent at once, and skipped when it is read`() {
        var harness = CoreHarness(one)
        harness.receive(.sample("busy"), .sample("waiting"))
        let unread = harness.write(.sample("routine"), .sample("flash", kind: .flash))
        harness.scout(unread)
        harness.answer(.accepted)
        #expect(harness.sending == ["flash"])
        harness.answer(.accepted)
        harness.confirmAll()
        // One of the two read records is processed.
        #expect(harness.committed == 1)
        #expect(harness.core.status(now: harness.now).ahead == 0)
        for offset in unread { harness.read(offset) }
        harness.answerAll(.accepted)
        harness.confirmAll()
        #expect(harness.committed == 4)
        #expect(harness.outcomes.map(\.event).sorted() == ["busy", "flash", "routine", "waiting"])
        #expect(harness.outcomes.first { $0.event == "flash" }?.warnings == ["read.ahead"])
    }

    @Test func `a flash read while it is in flight is sent once, and its offset stays open until its end`() {
        var harness = CoreHarness()
        let unread = harness.write(.sample("flash", kind: .flash))
        harness.scout(unread)
        #expect(harness.sending == ["flash"])
        #expect(harness.core.status(now: harness.now).ahead == 1)
        harness.read(unread[0])
        #expect(harness.sending == ["flash"])
        harness.receive(.sample("next"))
        harness.answerAll(.accepted)
        harness.rememberAll()
        harness.writes.swapAt(0, 1)
        harness.confirm()
        #expect(harness.committed == nil)
        harness.confirm()
        #expect(harness.committed == 2)
        #expect(harness.outcomes.count == 2)
    }

    @Test func `a flash that is processed when it is read needs no facts from the ledger`() {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.storyMemoryBytes = 1
        var harness = CoreHarness(configuration)
        let unread = harness.write(.sample("flash", kind: .flash))
        harness.scout(unread)
        harness.finishAll()
        harness.read(unread[0])
        #expect(harness.recalls.isEmpty)
        #expect(harness.committed == 1)
        #expect(harness.verdicts == ["flash: sent"])
    }

    @Test func `an event found ahead twice is sent once`() {
        var harness = CoreHarness()
        let unread = harness.write(.sample("flash", kind: .flash))
        harness.scout(unread + unread)
        harness.answer(.accepted)
        harness.scout(unread)
        harness.confirmAll()
        harness.scout(unread)
        #expect(harness.sends.isEmpty)
        #expect(harness.outcomes.count == 1)
    }

    @Test func `an event found ahead twice and read before its end has one outcome`() {
        var harness = CoreHarness()
        let unread = harness.write(.sample("flash", kind: .flash))
        harness.scout(unread + unread)
        harness.read(unread[0])
        harness.scout(unread)
        harness.confirmAll()
        #expect(harness.committed == nil)
        harness.answerAll(.accepted)
        harness.confirmAll()
        #expect(harness.verdicts == ["flash: sent"])
        #expect(harness.committed == 1)
    }

    @Test func `an event processed in the ledger is not taken ahead, and its outcome is repeated when it is read`() {
        var harness = CoreHarness()
        let unread = harness.write(.sample("flash", kind: .flash))
        harness.scout(unread)
        harness.answer(.accepted)
        harness.confirmAll()
        _ = harness.core.leave([harness.id], now: harness.now)
        harness.own()
        harness.scout(unread)
        #expect(harness.sends.isEmpty && harness.writes.isEmpty)
        harness.read(unread[0])
        harness.confirmAll()
        #expect(harness.outcomes.map(\.warnings) == [["read.ahead"], ["ledger.recognized"]])
        #expect(harness.committed == 1)
    }

    @Test func `a revision overtaken by a flash ends as superseded when it is read, also after a crash`() {
        for crashes in [false, true] {
            var harness = CoreHarness()
            harness.receive(.sample("a1", story: "a"))
            harness.answer(.accepted)
            harness.confirmAll()
            let unread = harness.write(
                .sample("a2", story: "a", revision: 2, kind: .update),
                .sample("a3", story: "a", revision: 3, kind: .flash)
            )
            harness.scout(unread)
            #expect(harness.sending == ["a3"])
            harness.answer(.accepted)
            harness.confirmAll()
            if crashes {
                harness.crash()
            } else {
                for offset in unread { harness.read(offset) }
            }
            harness.confirmAll()
            #expect(harness.sends.isEmpty)
            let told = harness.outcomes.filter { !$0.warnings.contains("ledger.recognized") }
            #expect(told.map(\.event) == ["a1", "a3", "a2"])
            #expect(told.last?.verdict.reason == "superseded.revision")
            #expect(harness.committed == 3)
        }
    }

    @Test func `an offset skipped by the priority scan is not processed when other events of the story end`() {
        var harness = CoreHarness(one)
        harness.receive(.sample("busy"), .sample("a1", story: "a"))
        let unread = harness.write(
            .sample("a2", story: "a", revision: 2, kind: .update),
            .sample("a3", story: "a", revision: 3, kind: .flash)
        )
        // The flash replaces the waiting event, which is the story's lowest open offset.
        harness.scout(unread)
        harness.finishAll()
        #expect(harness.verdicts == ["a1: superseded.revision", "busy: sent", "a3: sent"])
        let done = harness.ledger["a"]?.record.processed
        #expect(done?.contains(unread[0]) == false)
        #expect(done?.contains(unread[1]) == true)
    }

    @Test func `a kill found ahead withdraws news that has not been read`() {
        var harness = CoreHarness()
        let unread = harness.write(
            .sample("a1", story: "a", kind: .flash),
            .sample("a2", story: "a", revision: 2, kind: .kill)
        )
        harness.scout([unread[1]])
        harness.answerAll(.accepted)
        harness.confirmAll()
        for offset in unread { harness.read(offset) }
        harness.confirmAll()
        #expect(harness.verdicts == ["a2: sent", "a1: suppressed.killed"])
        #expect(harness.committed == 2)
    }

    @Test func `an event that is not express or must not be sent is not taken ahead`() {
        var harness = CoreHarness()
        harness.receive(.sample("told", story: "t", revision: 2))
        harness.answer(.accepted)
        harness.confirmAll()
        let unread = harness.write([
            .event(.sample("routine"), warnings: []),
            .event(.sample("late", kind: .flash, expires: "2026-03-02T07:00:00Z"), warnings: []),
            .event(.sample("old", story: "t", kind: .flash), warnings: []),
            .event(.sample("told", story: "t", revision: 2, kind: .flash), warnings: []),
            .rejected(EventRejection(.json, "no")),
            .tombstone,
        ])
        harness.scout(unread)
        #expect(harness.sends.isEmpty && harness.writes.isEmpty)
        #expect(harness.core.status(now: harness.now).events.values.reduce(0, +) == 0)
        for offset in unread { harness.read(offset) }
        harness.answerAll(.accepted)
        harness.confirmAll()
        #expect(harness.outcomes.count == 6)
        #expect(harness.committed == 7)
    }

    @Test func `an embargo found ahead is observed, and its offset is processed when the ledger has it`() {
        var harness = CoreHarness()
        let unread = harness.write(.sample("a", kind: .flash, embargo: "2026-03-02T09:00:00Z"))
        harness.scout(unread)
        harness.read(unread[0])
        #expect(harness.committed == nil)
        harness.confirmAll()
        #expect(harness.committed == 1)
        harness.pass(.seconds(3600))
        #expect(harness.sending == ["a"])
        harness.answer(.accepted)
        harness.confirmAll()
        #expect(harness.verdicts == ["a: sent"])
    }

    @Test func `an embargoed event found ahead and stored in the ledger is skipped when it is read`() {
        var harness = CoreHarness()
        let unread = harness.write(.sample("a", kind: .flash, embargo: "2026-03-02T09:00:00Z"))
        harness.scout(unread)
        harness.confirmAll()
        harness.read(unread[0])
        #expect(harness.committed == 1)
        #expect(harness.core.status(now: harness.now).events["waiting"] == 1)
    }

    @Test func `a revoked partition drops events found ahead, and the next owner reads them`() {
        var harness = CoreHarness(one)
        harness.receive(.sample("busy"))
        let unread = harness.write(.sample("flash", kind: .flash))
        harness.scout(unread)
        let leaving = [harness.id]
        harness.core.beginDraining(leaving, waitingUntil: harness.now.instant + .seconds(3), now: harness.now)
        harness.perform()
        harness.answer(.accepted)
        harness.confirmAll()
        #expect(harness.isDrained(leaving))
        #expect(harness.core.leave(leaving, now: harness.now) == [CoreHarness.partition: 1])
        harness.own()
        harness.read(unread[0])
        #expect(harness.sending == ["flash"])
    }

    @Test func `no event is taken ahead if the ledger is missing, is of another log, or the event was read`() {
        var harness = CoreHarness()
        _ = harness.core.leave([harness.id], now: harness.now)
        harness.scout(harness.write(.sample("a", kind: .flash)))
        harness.own(fitsSource: false)
        harness.scout(harness.write(.sample("b", kind: .flash)))
        #expect(harness.sends.isEmpty)
        _ = harness.core.leave([harness.id], now: harness.now)
        harness.own()
        let read = harness.receive(.sample("c"))
        harness.scout(read)
        #expect(harness.sending == ["c"])
    }

    @Test func `a limited number of events of one story are taken ahead`() {
        var harness = CoreHarness()
        let unread = harness.write(
            (1...100).map { .event(.sample("a\($0)", story: "a", revision: $0, kind: .flash), warnings: []) }
        )
        harness.scout(unread)
        harness.answerAll(.accepted)
        harness.confirmAll()
        let ahead = harness.outcomes.count
        #expect(ahead >= 64 && ahead < 100)
        for offset in unread { harness.read(offset) }
        harness.finishAll()
        #expect(harness.outcomes.count == 100)
        #expect(harness.committed == 100)
        #expect(harness.ledger["a"]?.record.processed.ahead == [])
    }

    @Test func `events found ahead in a deleted log do not hide events of the new log`() {
        var harness = CoreHarness()
        harness.receive(.sample("a"), .sample("b"))
        let unread = harness.write(.sample("flash", kind: .flash))
        harness.scout(unread)
        #expect(harness.sending == ["a", "b", "flash"])
        harness.source[0] = .event(.sample("c"), warnings: [])
        harness.source[unread[0]] = .event(.sample("d"), warnings: [])
        harness.read(0)
        harness.read(unread[0])
        #expect(harness.sending == ["a", "b", "flash", "c", "d"])
    }
}
