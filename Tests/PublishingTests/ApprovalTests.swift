import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps
import Testing

/// A flash needs the approval of two people.
@Suite(.timeLimit(.minutes(1)))
struct ApprovalTests {
    private var harness: CoreHarness = {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.policy.approvals = [.flash: 2]
        return CoreHarness(configuration)
    }()

    private static func flash(_ id: String, revision: Int64 = 1, by names: String...) -> NewsEvent {
        var flash = NewsEvent.sample(id, story: "a", revision: revision, kind: .flash)
        flash.approvedBy = names
        return flash
    }

    @Test mutating func `a flash with one approval waits in the ledger, and nobody is notified`() {
        harness.receive(Self.flash("a1", by: "novak"))
        #expect(harness.sends.isEmpty)
        #expect(harness.announced.map(\.verdict.reason) == ["held.unconfirmed"])
        harness.confirmAll()
        #expect(harness.committed == 1)
    }

    @Test mutating func `the same name twice is one approval`() {
        harness.receive(Self.flash("a1", by: "novak", "novak"))
        #expect(harness.sends.isEmpty)
    }

    @Test mutating func `a flash with both approvals is sent at once`() {
        harness.receive(Self.flash("a1", by: "novak", "adeyemi"))
        #expect(harness.sending == ["a1"])
    }

    @Test(arguments: [1, 2] as [Int64])
    mutating func `the same words with the second approval are sent at once`(_ revision: Int64) {
        harness.receive(Self.flash("a1", by: "novak"))
        harness.receive(Self.flash("a2", revision: revision, by: "novak", "adeyemi"))
        harness.confirmAll()
        #expect(harness.sending == ["a2"])
        #expect(harness.verdicts == ["a1: superseded.revision"])
    }

    @Test mutating func `the same event published again with the second approval is sent at once`() {
        harness.receive(Self.flash("a1", by: "novak"))
        harness.receive(Self.flash("a1", by: "novak", "adeyemi"))
        harness.confirmAll()
        #expect(harness.sending == ["a1"])
    }

    @Test(arguments: ["a1", "a2"])
    mutating func `the second approval counts although the source is paused`(_ id: String) {
        for act in [ControlRecord.Act.pause, .resume] {
            harness.order(ControlRecord(act, .all, by: .person("novak"), reason: "", at: harness.now.wall))
            guard act == .pause else { continue }
            harness.receive(Self.flash("a1", by: "novak"))
            harness.receive(Self.flash(id, by: "novak", "adeyemi"))
            harness.confirmAll()
            harness.pass(.seconds(300))
        }
        harness.answerRecalls()
        #expect(harness.sending == [id])
    }

    @Test mutating func `a flash without a second approval after three minutes is refused with a dead letter`() {
        harness.receive(Self.flash("a1", by: "novak"))
        harness.confirmAll()
        harness.pass(.seconds(179))
        #expect(harness.ended.isEmpty)
        harness.pass(.seconds(1))
        #expect(harness.verdicts == ["a1: failed.unconfirmed"])
        harness.rememberAll()
        #expect(harness.writes.map(\.deadLetter) == [.gate])
    }

    @Test mutating func `a restart does not prolong the wait for approval, and there is one outcome`() {
        harness.receive(Self.flash("a1", by: "novak"))
        harness.confirmAll()
        harness.crash(after: .seconds(120))
        harness.pass(.seconds(60))
        #expect(harness.verdicts == ["a1: failed.unconfirmed"])
        harness.confirmAll()
        harness.crash()
        #expect(harness.verdicts == ["a1: failed.unconfirmed"])
        #expect(harness.sends.isEmpty)
    }

    @Test mutating func `a refused flash may be published again with both approvals`() {
        harness.receive(Self.flash("a1", by: "novak"))
        harness.pass(.seconds(180))
        harness.confirmAll()
        harness.receive(Self.flash("a2", revision: 2, by: "novak", "adeyemi"))
        #expect(harness.sending == ["a2"])
    }

    @Test mutating func `a kill ends the wait for approval, and subscribers are notified of neither`() {
        harness.receive(Self.flash("a1", by: "novak"))
        harness.receive(.sample("a2", story: "a", revision: 2, kind: .kill, categories: []))
        harness.confirmAll()
        #expect(harness.verdicts == ["a1: superseded.killed", "a2: suppressed.never_sent"])
        #expect(harness.sends.isEmpty)
    }
}
