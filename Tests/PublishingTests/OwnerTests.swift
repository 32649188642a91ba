import NewsflashEvents
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTimestamps
import NotificationHubs
import Testing

/// The next owner of a partition learns from the ledger about the owners before it.
@Suite(.timeLimit(.minutes(1)))
struct OwnerTests {
    private func began(_ writer: UInt64) -> LedgerOwner {
        LedgerOwner(hasLeft: false, isSettled: false, writer: writer, hubs: [:])
    }

    private func left(_ writer: UInt64, term: Int64?, isSettled: Bool = true) -> LedgerOwner {
        LedgerOwner(hasLeft: true, isSettled: isSettled, term: term, writer: writer, hubs: [:])
    }

    @Test func `the latest owner is the one of the latest term, and a late record of the one before does not count`() {
        var owners = LedgerOwners()
        #expect(owners.latest() == nil)
        owners.add(began(1), at: 3)
        owners.add(left(1, term: 3), at: 7)
        #expect(owners.latest() == left(1, term: 3))
        owners.add(began(2), at: 8)
        #expect(owners.latest() == began(2))
        owners.add(left(1, term: 3), at: 9)
        #expect(owners.latest() == began(2))
        owners.add(left(2, term: 8), at: 10)
        #expect(owners.latest() == left(2, term: 8))
    }

    @Test func `a late record of an owner that left without a term does not affect the owners after it`() {
        var owners = LedgerOwners()
        owners.add(began(1), at: 3)
        owners.add(left(1, term: nil), at: 4)
        #expect(owners.latest() == left(1, term: nil))
        owners.add(began(2), at: 5)
        owners.add(left(1, term: nil), at: 6)
        #expect(owners.latest() == began(2))
        var crashed = began(1)
        crashed.isSettled = true
        owners.add(crashed, at: 7)
        #expect(owners.latest() == began(2))
    }

    @Test func `a worker that has begun finds the owner before it, even if it had to begin twice`() {
        var owners = LedgerOwners()
        owners.add(left(1, term: 3), at: 7)
        owners.add(began(2), at: 8)
        owners.add(began(2), at: 9)
        #expect(owners.latest() == began(2))
        #expect(owners.latest(besides: 2) == left(1, term: 3))
    }

    @Test func `the term, the writer and the group of an owner survive its record`() throws {
        var owner = left(0xA1, term: 12)
        owner.group = "newsflash"
        #expect(try LedgerOwner(decoding: owner.encoded.span) == owner)
        #expect(try LedgerOwner(decoding: began(.max).encoded.span) == began(.max))
    }

    @Test(arguments: [true, false])
    func `an owner that wrote while the ledger was read is the one before, once it was read again`(isSettled: Bool)
        throws
    {
        var harness = CoreHarness()
        let assignment = harness.core.assign(harness.id, now: harness.now)
        harness.perform()
        harness.rememberAll()
        var owners = LedgerOwners()
        owners.add(began(1), at: 0)
        harness.owners = LedgerOwners()
        restore(assignment, owners, ledgerEnd: 1, into: &harness)
        // The earlier owner's last record came between the reading and our own record.
        owners.add(left(1, term: 0, isSettled: isSettled), at: 2)
        harness.nextLedgerOffset = 3
        harness.rememberAll()
        owners.add(try #require(harness.owner), at: 3)
        #expect(harness.readAgain.map(\.assignment) == [assignment])
        var index = StoryIndex(byteLimit: 100_000)
        let facts = closed("a")
        let value = LedgerRecordCodec.encode(facts, of: "story-of-a")
        _ = try index.restore(value.span, of: "story-of-a".utf8.span, ledgerOffset: 1)
        harness.ledger["story-of-a"] = (facts, 1)
        restore(assignment, owners, index, ledgerEnd: 4, into: &harness)
        harness.receive(.sample("a"))
        harness.answerRecalls()
        harness.finishAll()
        // If it left the outcome unconfirmed, that is written again.
        #expect(harness.outcomes.map(\.event) == (isSettled ? [] : ["a"]))
        #expect(harness.sending.isEmpty)
    }

    private func restore(
        _ assignment: UInt32,
        _ owners: LedgerOwners,
        _ index: StoryIndex = StoryIndex(byteLimit: 1000),
        ledgerEnd: Int64,
        into harness: inout CoreHarness
    ) {
        harness.core.restored(
            RestoredLedger(
                partition: harness.id,
                assignment: assignment,
                stories: index,
                owners: owners,
                sourceEnd: 9,
                ledgerEnd: ledgerEnd
            ),
            now: harness.now
        )
        harness.perform()
    }

    /// The facts of a story whose first event, at offset 0, was sent and has no confirmed outcome.
    private func closed(_ id: String) -> StoryFacts {
        let event = NewsEvent.sample(id)
        var facts = StoryFacts(awaiting: event, digest: ContentDigest(of: event), now: Timestamp(seconds: 0))
        facts.advance(to: event, digest: ContentDigest(of: event), isFinal: true)
        facts.processed.finish(0, begun: [], frontier: 1)
        facts.closing = [StoryFacts.Closing(offset: 0, event: id, verdict: EventVerdict(.sent))]
        return facts
    }

    @Test func `an owner whose record a late writer overwrote begins a new term, and leaves in it`() {
        var harness = CoreHarness()
        let leaving = [harness.id]
        harness.receive(.sample("a"))
        harness.finishAll()
        // Another owner left before it had worked, so its term is unknown.
        harness.owners.add(left(1, term: nil), at: harness.nextLedgerOffset)
        harness.nextLedgerOffset += 1
        harness.core.ownerOverwritten(in: harness.id)
        harness.perform()
        harness.rememberAll()
        #expect(harness.owner?.hasLeft == false)
        harness.core.beginDraining(leaving, waitingUntil: harness.now.instant + .seconds(3), now: harness.now)
        harness.perform()
        harness.rememberAll()
        #expect(harness.owner?.hasLeft == true)
        #expect(harness.owner?.term == harness.nextLedgerOffset - 2)
    }

    @Test func `an event accepted before a stop ends as partly sent, although a kill was found ahead of it`() {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.hubs = [HubRole("north"), HubRole("south")]
        var harness = CoreHarness(configuration, planner: EveryHubPlanner())
        let leaving = [harness.id]
        harness.receive(.sample("a", story: "s"))
        harness.answer(.accepted)
        harness.core.beginDraining(leaving, waitingUntil: harness.now.instant + .seconds(3), now: harness.now)
        harness.pass(.seconds(4))
        harness.rememberAll()
        _ = harness.core.leave(leaving, now: harness.now)
        harness.perform()
        harness.sends = []
        harness.own()
        let kill = harness.write(.sample("k", story: "s", revision: 2, kind: .kill, categories: []))
        harness.scout(kill)
        harness.answerAll(.accepted)
        harness.confirmAll()
        harness.read(0)
        harness.read(kill[0])
        harness.finishAll()
        let outcome = harness.outcomes.first { $0.event == "a" }
        #expect(outcome?.verdict.outcome == .partial)
        #expect(outcome?.verdict.reason == "suppressed.killed")
        #expect(harness.outcomes.first { $0.event == "k" }?.verdict.outcome == .sent)
    }

    @Test func `a kill found ahead waits for records that a crashed owner may have sent`() {
        var harness = CoreHarness()
        let alert = harness.write(.sample("a", story: "s"))
        harness.crashUnrecorded()
        let kill = harness.write(.sample("k", story: "s", revision: 2, kind: .kill, categories: []))
        harness.scout(kill)
        harness.confirmAll()
        #expect(harness.ended.isEmpty)
        harness.read(alert[0])
        harness.read(kill[0])
        harness.finishAll()
        #expect(harness.outcomes.map(\.verdict.outcome) == [.sent, .sent])
    }

    @Test
    func `a kill found ahead of records that a crashed owner may have sent goes to their audiences too`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "s", categories: ["world"]))
        harness.finishAll()
        let unread = harness.write(.sample("a2", story: "s", revision: 2, categories: ["sports"]))
        let kill = harness.write(.sample("k", story: "s", revision: 3, kind: .kill, categories: []))
        harness.crashUnrecorded()
        harness.scout(kill)
        harness.answerRecalls()
        #expect(harness.sends.isEmpty)
        harness.read(unread[0])
        harness.answerRecalls()
        harness.read(kill[0])
        harness.finishAll()
        #expect(harness.outcomes.map(\.event) == ["a1", "a2", "k"])
        #expect(harness.outcomes.last?.verdict.outcome == .sent)
        #expect(harness.outcomes.last?.targets.count == 2)
    }

    @Test func `a kill goes to the audience of a correction that a crashed owner may have sent as first news`() {
        var harness = CoreHarness()
        let correction = harness.write(.sample("c", story: "s", kind: .correction, categories: ["sports"]))
        let flash = harness.write(.sample("f", story: "s", revision: 2, kind: .flash, categories: ["world"]))
        harness.crashUnrecorded()
        harness.scout(flash)
        harness.answer(.accepted)
        harness.confirmAll()
        harness.read(correction[0])
        harness.read(flash[0])
        harness.finishAll()
        harness.receive(.sample("k", story: "s", revision: 3, kind: .kill, categories: []))
        harness.finishAll()
        #expect(harness.outcomes.last?.event == "k")
        #expect(harness.outcomes.last?.targets.count == 2)
    }

    @Test func `a kill goes to audiences that a crashed owner may have reached, though hubs refuse the news now`() {
        var harness = CoreHarness()
        let alert = harness.write(.sample("a", story: "s"))
        harness.crashUnrecorded()
        harness.read(alert[0])
        harness.answer(.refused)
        harness.confirmAll()
        harness.receive(.sample("k", story: "s", revision: 2, kind: .kill, categories: []))
        #expect(harness.sending == ["k"])
    }

    @Test(arguments: [true, false])
    func `a kill goes to the audiences of an embargo that was over for a crashed owner whose clock was set back`(
        wasSet: Bool
    ) throws {
        var harness = CoreHarness()
        let embargo = harness.now.wall + .seconds(600)
        harness.receive(.sample("a", story: "s", embargo: embargo.rfc3339))
        harness.confirmAll()
        if wasSet {
            // The hubs accept nothing of what is sent meanwhile, and nothing is recorded.
            _ = harness.core.leave([harness.id], now: harness.now)
            harness.core.timePassed(now: Moment(instant: harness.now.instant, wall: embargo))
        }
        harness.crashUnrecorded()
        harness.receive(.sample("k", story: "s", revision: 2, kind: .kill, categories: []))
        harness.finishAll()
        let kill = try #require(harness.outcomes.last { $0.event == "k" })
        #expect(kill.verdict.outcome == (wasSet ? .sent : .suppressed))
        #expect(harness.outcomes.last { $0.event == "a" }?.verdict.reason == "superseded.killed")
    }

    @Test(arguments: [true, false])
    func `an owner leaves in order if it has passed the events that a crashed owner may have sent`(hasRead: Bool) {
        var harness = CoreHarness()
        let leaving = [harness.id]
        let alert = harness.write(.sample("a", story: "s"))
        harness.crashUnrecorded()
        if hasRead {
            harness.read(alert[0])
            harness.finishAll()
        }
        harness.core.beginDraining(leaving, waitingUntil: harness.now.instant + .seconds(3), now: harness.now)
        harness.perform()
        harness.rememberAll()
        #expect(harness.isDrained(leaving))
        #expect(harness.owner?.hasLeft == hasRead)
    }

    @Test func `an event that arrives again is superseded by a later revision in flight`() throws {
        let event = NewsEvent.sample("a", story: "s")
        var facts = StoryFacts(awaiting: event, digest: ContentDigest(of: event), now: Timestamp(seconds: 0))
        facts.audiences = try StoryFacts.typical(1).audiences
        facts.audiences[0].act.revision = 3
        let decision = AdmissionRules().decide(
            event,
            story: facts,
            digest: ContentDigest(of: event),
            now: event.published
        )
        guard case .end(let verdict) = decision else {
            Issue.record("the event is sent")
            return
        }
        #expect(verdict.reason == "superseded.revision")
    }
}
