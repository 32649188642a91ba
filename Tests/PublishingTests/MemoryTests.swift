import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps
import NotificationHubs
import Testing

/// The contents of the ledger across crashes.
@Suite(.timeLimit(.minutes(1)))
struct MemoryTests {
    /// An interval so long that a crash comes before the next commit.
    private static let neverCommitting = PublishingConfiguration(commitInterval: .seconds(86_400))

    /// A core whose first commit is done, so that the next one is far away.
    private func harness() -> CoreHarness {
        var harness = CoreHarness(Self.neverCommitting)
        harness.receiveContents([.tombstone])
        return harness
    }

    @Test func `a sent event is not sent again after a crash, and its outcome is written again`() {
        var harness = harness()
        harness.receive(.sample("a"))
        harness.answer(.accepted)
        harness.confirmAll()
        harness.crash()
        #expect(harness.sends.isEmpty)
        harness.confirmAll()
        #expect(harness.outcomes.map(\.verdict.outcome) == [.sent, .sent])
        #expect(Set(harness.outcomes.map(\.origin.offset)) == [1])
        #expect(harness.outcomes.last?.targets.map(\.request.tags) == ["world"])
        #expect(harness.outcomes.last?.warnings == ["ledger.recognized"])
    }

    @Test func `an accepted event that is not in the ledger is sent again after a crash`() {
        var harness = harness()
        harness.receive(.sample("a"))
        harness.answer(.accepted)
        harness.crash()
        #expect(harness.sending == ["a"])
    }

    @Test func `an event superseded before a crash is not sent when it is read again`() {
        var configuration = Self.neverCommitting
        configuration.limits = SendLimiter.Limits(concurrency: 1, expressReserve: 0)
        var harness = CoreHarness(configuration)
        // The first commit is made at once, the next comes too late.
        harness.receiveContents([.tombstone])
        harness.receive(.sample("other"))
        harness.receive(
            .sample("a1", story: "a"),
            .sample("a2", story: "a", revision: 2),
            .sample("a3", story: "a", revision: 3)
        )
        harness.answer(.accepted)
        harness.confirmAll()
        #expect(harness.verdicts == ["a1: superseded.revision", "a2: superseded.revision", "other: sent"])
        harness.crash()
        #expect(harness.sending == ["a3"])
    }

    @Test func `a dead letter without a confirmed outcome is written by the next owner`() {
        var harness = harness()
        harness.receive(.sample("a"))
        harness.answer(.refused)
        harness.rememberAll()
        #expect(harness.writes.map(\.deadLetter) == [.send])
        harness.confirmAll()
        harness.crash()
        #expect(harness.sends.isEmpty)
        harness.rememberAll()
        #expect(harness.writes.map(\.deadLetter) == [.send])
        #expect(harness.writes.first?.outcome?.outcome.verdict.reason == "failed.refused")
    }

    @Test func `a dead letter that the next owner writes has the stage at which its event ended`() {
        var harness = CoreHarness(planner: WordsPlanner())
        var silent = NewsEvent.sample("a")
        silent.text = []
        harness.receive(silent)
        harness.rememberAndCrash()
        harness.rememberAll()
        #expect(harness.writes.map(\.deadLetter) == [.render])
    }

    @Test func `the outcome of an event that waited is written by the next owner, although its offset was processed`() {
        var harness = CoreHarness()
        harness.receive(.sample("a", embargo: "2026-03-02T09:00:00Z"))
        harness.confirmAll()
        #expect(harness.committed == 1)
        harness.pass(.seconds(3600))
        harness.answer(.accepted)
        // The ledger has its record, and the worker dies before the outcome is confirmed.
        harness.rememberAndCrash()
        #expect(harness.sends.isEmpty)
        harness.rememberAll()
        #expect(harness.writes.map(\.outcome?.outcome.verdict.outcome) == [.sent])
        harness.confirmAll()
        harness.crash()
        #expect(harness.writes.isEmpty)
    }

    @Test func `an older revision and a repeat are recognised after a crash`() {
        var harness = CoreHarness()
        harness.receive(.sample("a2", story: "a", revision: 2))
        harness.answer(.accepted)
        harness.confirmAll()
        harness.crash()
        harness.receive(.sample("a1", story: "a"), .sample("a2", story: "a", revision: 2))
        #expect(harness.sends.isEmpty)
        #expect(harness.verdicts.suffix(2) == ["a1: superseded.revision", "a2: duplicate.id"])
    }

    @Test func `an act sent before the latest is a duplicate when it arrives again, also after a crash`() {
        var harness = CoreHarness()
        for number in 1...3 {
            harness.receive(.sample("a\(number)", story: "a", revision: Int64(number)))
            harness.finishAll()
        }
        harness.receive(.sample("a1", story: "a", revision: 1))
        harness.crash()
        harness.receive(.sample("a2", story: "a", revision: 2), .sample("other", story: "a", revision: 2))
        #expect(harness.sends.isEmpty)
        #expect(
            harness.verdicts.suffix(3) == ["a1: duplicate.id", "a2: duplicate.id", "other: superseded.revision"]
        )
    }

    @Test func `a hold that arrives while a request is in flight is not undone by its answer`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a"))
        harness.receive(.sample("a2", story: "a", revision: 2, kind: .hold))
        harness.finishAll()
        #expect(harness.verdicts == ["a2: suppressed.hold", "a1: sent"])
        #expect(harness.ledger["a"]?.record.phase == .held)
        #expect(harness.ledger["a"]?.record.revision == 2)
        harness.receive(.sample("a1", story: "a"))
        #expect(harness.verdicts.last == "a1: duplicate.id")
    }

    // MARK: - Waiting

    @Test func `an embargoed event blocks no commits, because the ledger has its bytes`() {
        var harness = CoreHarness()
        harness.receive(.sample("later", embargo: "2026-03-02T09:00:00Z"), .sample("b"))
        #expect(harness.committed == nil)
        harness.confirm()
        #expect(harness.committed == 1)
        #expect(harness.ledger["story-of-later"]?.record.waiting.map(\.value) == [Array("0".utf8)])
        harness.answer(.accepted)
        harness.confirmAll()
        #expect(harness.committed == 2)
    }

    @Test func `a later owner sends an event at the end of its embargo, and repeats no event after it`() {
        var harness = CoreHarness()
        harness.receive(.sample("later", embargo: "2026-03-02T09:00:00Z"))
        harness.receive((0..<40).map { .sample("push-\($0)") })
        harness.answerAll(.accepted)
        harness.confirmAll()
        for _ in 0..<3 {
            harness.crash(after: .seconds(60))
            #expect(harness.sends.isEmpty)
        }
        harness.pass(.seconds(3419))
        #expect(harness.sends.isEmpty)
        harness.pass(.seconds(1))
        #expect(harness.sending == ["later"])
        harness.answer(.accepted)
        harness.confirmAll()
        #expect(harness.ledger["story-of-later"]?.record.waiting == [])
        #expect(harness.outcomes.filter { $0.event == "later" && $0.isFinal }.map(\.verdict.outcome) == [.sent])
    }

    @Test func `a waiting event that is read again is not a duplicate of itself`() {
        var harness = harness()
        harness.receive(.sample("later", embargo: "2026-03-02T09:00:00Z"))
        harness.confirmAll()
        harness.crash()
        #expect(harness.ended.isEmpty)
        harness.pass(.seconds(3600))
        harness.answerAll(.accepted)
        harness.confirmAll()
        #expect(harness.verdicts == ["later: sent"])
    }

    @Test func `a newer revision replaces one that waits in the ledger`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a", embargo: "2026-03-02T09:00:00Z"))
        harness.confirmAll()
        harness.crash()
        harness.receive(.sample("a2", story: "a", revision: 2, embargo: "2026-03-02T09:30:00Z"))
        harness.confirmAll()
        harness.crash()
        harness.pass(.seconds(3600))
        #expect(harness.sends.isEmpty)
        harness.pass(.seconds(1800))
        #expect(harness.sending == ["a2"])
        #expect(harness.verdicts == ["a1: superseded.revision"])
    }

    @Test func `a record that is read again late does not restore a replaced revision`() {
        var harness = CoreHarness()
        harness.answersWaitingAtOnce = false
        func order(_ act: ControlRecord.Act) -> ControlRecord {
            ControlRecord(act, .all, by: .person("novak"), reason: "", at: harness.now.wall)
        }
        harness.order(order(.pause))
        harness.receive(.sample("a1", story: "a", expires: "2026-03-02T08:10:00Z"))
        harness.confirmAll()
        harness.order(order(.resume))
        #expect(harness.recalls.count == 1)
        let late = harness.found(by: harness.recalls.removeFirst())
        harness.order(order(.pause))
        harness.receive(.sample("a2", story: "a", revision: 2))
        harness.answerRecalls()
        harness.confirmAll()
        harness.pass(.seconds(900))
        harness.core.recalled(late, now: harness.now)
        harness.perform()
        harness.confirmAll()
        #expect(harness.verdicts == ["a1: superseded.revision"])
        harness.order(order(.resume))
        harness.answerRecalls()
        harness.finishAll()
        #expect(harness.verdicts == ["a1: superseded.revision", "a2: sent"])
    }

    @Test func `the offset of an event whose embargo ends before it is in the ledger is processed`() {
        var harness = CoreHarness()
        harness.receive(.sample("a", embargo: "2026-03-02T08:00:01Z"))
        harness.pass(.seconds(1))
        harness.answer(.accepted)
        #expect(harness.committed == nil)
        harness.confirmAll()
        #expect(harness.committed == 1)
    }

    @Test func `an embargo beyond the newsroom's limit is an error`() {
        var harness = CoreHarness()
        harness.receive(.sample("never", embargo: "2027-03-02T08:00:00Z"))
        #expect(harness.verdicts == ["never: invalid.times"])
    }

    @Test func `an event expires at the newsroom's limit, whatever its own expiry`() {
        let policy = AdmissionPolicy()
        let published = NewsEvent.sample("a").published
        let embargoed = NewsEvent.sample("a", embargo: "2026-03-03T08:00:00Z", expires: "2031-03-02T08:00:00Z")
        #expect(policy.deadline(of: .sample("a", expires: "2031-03-02T08:00:00Z")) == published + .seconds(7 * 86_400))
        #expect(policy.deadline(of: embargoed) == published + .seconds(8 * 86_400))
        #expect(policy.deadline(of: .sample("a", expires: "2026-03-02T09:00:00Z")) == published + .seconds(3600))
        var harness = CoreHarness()
        harness.receive(.sample("b", expires: "2031-03-02T08:00:00Z"))
        #expect(harness.sending == ["b"])
    }

    @Test(arguments: [Duration.zero, .seconds(-3600)])
    func `one event that the hub does not accept blocks commits only briefly, with any clock`(change: Duration) {
        var harness = CoreHarness()
        harness.receive(.sample("poison"), .sample("good"))
        harness.answer(.unavailable)
        harness.answer(.accepted)
        harness.confirmAll()
        #expect(harness.committed == nil)
        harness.now.wall = harness.now.wall + change
        harness.pass(.seconds(11))
        harness.answer(.unavailable)
        harness.confirmAll()
        #expect(harness.committed == 2)
        harness.crash()
        #expect(harness.sending == ["poison"])
        harness.answer(.accepted)
        harness.confirmAll()
        #expect(harness.verdicts.last == "poison: sent")
    }

    // MARK: - Events that were not sent

    @Test(arguments: [HubReply.refused])
    func `an event that ended without a push can be sent again under its own id`(reply: HubReply) {
        var harness = CoreHarness()
        harness.receive(.sample("a"))
        harness.answer(reply)
        harness.confirmAll()
        harness.receive(.sample("a"))
        #expect(harness.sending == ["a"])
        harness.answer(.accepted)
        harness.receive(.sample("a"))
        #expect(harness.verdicts == ["a: failed.refused", "a: sent", "a: duplicate.id"])
    }

    @Test func `an expired event supersedes older revisions, and may be published again with a later expiry`() {
        var harness = CoreHarness()
        harness.receive(.sample("a2", story: "a", revision: 2, published: "2026-03-01T08:00:00Z"))
        harness.receive(.sample("a1", story: "a"))
        harness.receive(.sample("a2", story: "a", revision: 2))
        #expect(harness.verdicts == ["a2: expired.ttl", "a1: superseded.revision"])
        harness.confirmAll()
        #expect(harness.sending == ["a2"])
    }

    @Test func `an event that reached part of its audience is sent again to the rest only`() {
        var harness = CoreHarness()
        harness.receive(.sample("a", categories: ["world", "sports"]))
        harness.answer(.accepted)
        harness.answer(.refused)
        harness.receive(.sample("a", categories: ["world", "sports"]))
        #expect(harness.sends.map(\.expression.description) == ["sports"])
        harness.answer(.accepted)
        #expect(harness.verdicts == ["a: partial.refused", "a: sent"])
    }

    @Test func `an event that reached part of its audience is not sent again after an update`() {
        var harness = CoreHarness()
        // A batch of the ledger is pending, so that the next one is made after the end of the event.
        harness.receive(.sample("z"))
        harness.answer(.accepted)
        harness.receive(.sample("a", categories: ["world", "sports"]))
        harness.answer(.accepted)
        harness.answer(.refused)
        harness.receive(.sample("c", story: "story-of-a", kind: .update, categories: ["world", "sports"]))
        harness.answer(.accepted)
        harness.answer(.refused)
        harness.receive(.sample("a", categories: ["world", "sports"]))
        #expect(harness.verdicts == ["z: sent", "a: partial.refused", "c: partial.refused", "a: duplicate.id"])
    }

    @Test
    func `an audience left out by a superseded event is still owed the story if the next event is refused`() {
        let limits = SendLimiter.Limits(concurrency: 1, expressReserve: 0)
        var harness = CoreHarness(PublishingConfiguration(limits: limits, commitInterval: .zero))
        harness.receive(.sample("a1", story: "a", categories: ["world", "sports"]))
        harness.receive(.sample("a2", story: "a", revision: 2, kind: .update, categories: ["world", "sports"]))
        harness.answer(.accepted)
        harness.confirmAll()
        harness.drain { harness in
            guard !harness.sends.isEmpty || harness.verdicts.count < 2 else { return false }
            if harness.sends.isEmpty { harness.pass(.seconds(1)) } else { harness.answer(.refused) }
            return true
        }
        #expect(harness.verdicts == ["a1: superseded.revision", "a2: failed.refused"])
        harness.receive(.sample("a3", story: "a", revision: 3, kind: .correction, categories: []))
        harness.finishAll()
        let audiences = harness.outcomes.last?.targets.map(\.request.tags)
        #expect(audiences?.sorted() == ["sports", "world"])
    }

    // MARK: - Logs that change

    @Test func `offsets that go back are reported, and their events are processed`() {
        var harness = CoreHarness()
        harness.receive(.sample("a"), .sample("b"))
        harness.answerAll(.accepted)
        harness.confirmAll()
        harness.source[0] = .event(.sample("new"), warnings: [])
        harness.read(0)
        #expect(harness.reports.contains(.rewound(CoreHarness.partition, from: 1, to: 0)))
        #expect(harness.sending == ["new"])
        harness.answer(.accepted)
        harness.confirmAll()
        #expect(harness.committed == 1)
    }

    @Test func `in a recreated source the ledger's offsets are invalid, and its stories stay valid`() {
        var harness = CoreHarness()
        harness.receive(.sample("a"), .sample("b"))
        harness.answerAll(.accepted)
        harness.confirmAll()
        _ = harness.core.leave([harness.id], now: harness.now)
        harness.own(fitsSource: false)
        harness.source[0] = .event(.sample("b"), warnings: [])
        harness.source[1] = .event(.sample("c", story: "story-of-a", revision: 2), warnings: [])
        harness.read(0)
        harness.read(1)
        #expect(harness.verdicts.suffix(1) == ["b: duplicate.id"])
        #expect(harness.sending == ["c"])
    }

    /// A core that has sent 200 stories and has no memory to cache them.
    private func forgetfulHarness() -> CoreHarness {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.storyMemoryBytes = 1
        var harness = CoreHarness(configuration)
        for batch in 0..<4 {
            harness.receive((0..<50).map { .sample("e\(batch * 50 + $0)") })
            harness.answerAll(.accepted)
            harness.confirmAll()
        }
        return harness
    }

    @Test func `a story that does not fit in memory is read from the ledger`() {
        var harness = forgetfulHarness()
        harness.receive(.sample("again", story: "story-of-e0"), .sample("e0"))
        #expect(harness.recalls.count == 1)
        #expect(harness.sends.isEmpty)
        harness.answerRecalls()
        #expect(harness.verdicts.suffix(2) == ["again: invalid.revision_conflict", "e0: duplicate.id"])
    }

    @Test func `every event that waits for its story is decided, although the first ends at once`() {
        var harness = forgetfulHarness()
        // The first record is read again, with two that follow.
        let offsets = harness.receive(
            .sample("e0-2", story: "story-of-e0", revision: 2),
            .sample("e0-3", story: "story-of-e0", revision: 3)
        )
        harness.answerRecalls()
        harness.finishAll()
        #expect(harness.committed == offsets[1] + 1)
        harness.crash()
        for offset in [0, offsets[0], offsets[1]] { harness.read(offset) }
        harness.receive(.sample("e0-4", story: "story-of-e0", revision: 4))
        harness.answerRecalls()
        harness.confirmAll()
        #expect(harness.sending == ["e0-4"])
        harness.answer(.accepted)
        harness.confirmAll()
        #expect(harness.committed == offsets[1] + 2)
    }

    @Test func `a processed event is skipped without reading the words of its story`() throws {
        var harness = CoreHarness()
        harness.receive(.sample("a", embargo: "2026-03-02T08:10:00Z"))
        harness.confirmAll()
        harness.pass(.seconds(601))
        harness.answer(.accepted)
        harness.confirmAll()
        // The ledger contains the words of an event that had waited.
        let record = try #require(harness.ledger["story-of-a"]?.record)
        #expect(!record.text.isEmpty)
        harness.commits = []
        harness.crash()
        #expect(harness.recalls.isEmpty)
        #expect(harness.committed == 1)
        harness.receive(.sample("a2", story: "story-of-a", revision: 2))
        #expect(harness.sending == ["a2"])
    }

    @Test func `stories without events for long are removed with tombstones`() {
        var harness = CoreHarness()
        harness.receive(.sample("a"))
        harness.answer(.accepted)
        harness.confirmAll()
        harness.pass(.seconds(29 * 86_400))
        #expect(harness.writes.isEmpty)
        harness.pass(.seconds(2 * 86_400))
        // Its name is read from its record.
        harness.answerRecalls()
        harness.perform()
        harness.confirmAll()
        #expect(harness.ledger.isEmpty)
    }

    @Test func `a story that begins again while its tombstone is being written keeps its new record`() {
        var harness = CoreHarness()
        harness.receive(.sample("a", story: "s"))
        harness.finishAll()
        harness.pass(.seconds(31 * 86_400))
        harness.answerRecalls()
        // The broker does not accept the tombstone, and meanwhile the story begins again.
        harness.failWrite()
        harness.receive(.sample("b", story: "s", published: "2026-04-02T08:00:00Z"))
        harness.finishAll()
        harness.pass(.seconds(60))
        harness.finishAll()
        #expect(harness.ledger["s"]?.record.wasNotified == true)
        harness.crash()
        harness.receive(.sample("kill", story: "s", revision: 2, kind: .kill, published: "2026-04-02T08:01:00Z"))
        #expect(harness.sending == ["kill"])
    }

    @Test func `without a ledger no events are stored, and commits wait for embargoes`() {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.keepsLedger = false
        var harness = CoreHarness(configuration)
        harness.receive(.sample("later", embargo: "2026-03-02T09:00:00Z"), .sample("b"))
        harness.answer(.accepted)
        harness.confirmAll()
        #expect(harness.committed == nil)
        #expect(harness.ledger.isEmpty)
    }

    @Test func `an event that waited and was refused is not sent again after a crash`() {
        var harness = CoreHarness()
        harness.receive(.sample("a", kind: .flash))
        harness.answer(.unavailable)
        harness.pass(.seconds(11))
        harness.answer(.unavailable)
        harness.confirmAll()
        harness.pass(.seconds(30))
        harness.answer(.refused)
        harness.rememberAndCrash()
        #expect(harness.sends.isEmpty)
        harness.rememberAll()
        #expect(harness.writes.compactMap(\.outcome?.outcome.verdict.reason) == ["failed.refused"])
        #expect(harness.writes.count { $0.deadLetter != nil } == 1)
    }
}
