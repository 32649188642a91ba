import NewsflashEvents
import NewsflashTimestamps
import NotificationHubs
import Testing

@testable import NewsflashPublishing

/// News that a crashed owner may have sent although a withdrawal of its story had come, and that the next owner reads after the
/// withdrawal has ended.
@Suite(.timeLimit(.minutes(1)))
struct ExposedNewsTests {
    private var harness = CoreHarness()

    private static let kill: NewsEvent = {
        var kill = NewsEvent.sample("kill", story: "a", revision: 2, kind: .kill, categories: [])
        kill.source = "desk"
        return kill
    }()

    private static func news(
        _ id: String,
        revision: Int64 = 3,
        kind: EventKind = .alert,
        _ category: String
    ) -> NewsEvent {
        .sample(id, story: "a", revision: revision, kind: kind, categories: [category])
    }

    private func order(_ act: ControlRecord.Act) -> ControlRecord {
        ControlRecord(act, .source("desk"), by: .person("novak"), reason: "", at: harness.now.wall)
    }

    /// The withdrawal waits for a person, and another source goes on with the story. The owner crashes with its request in
    /// flight, and the source of the withdrawal is resumed before the next owner starts.
    private mutating func crashWhileWithdrawalWaits(isWaitRecorded: Bool = true) {
        harness.order(order(.pause))
        harness.receive(Self.kill)
        if isWaitRecorded { harness.confirmAll() }
        harness.receive(Self.news("again", "politics"))
        #expect(harness.sending == ["again"])
        harness.orders.append(order(.resume))
        harness.crash()
    }

    @Test(arguments: [false, true])
    mutating func `a withdrawal that had waited for a person reaches what another source sent before the crash`(
        isWaitRecorded: Bool
    ) {
        crashWhileWithdrawalWaits(isWaitRecorded: isWaitRecorded)
        harness.answerRecalls()
        harness.rememberAll()
        #expect(harness.sends.map(\.expression.description) == ["politics"])
        #expect(harness.sending == ["kill"])
        harness.finishAll()
        #expect(harness.verdicts == ["kill: suppressed.never_sent", "again: suppressed.killed", "kill: sent"])
        #expect(harness.outcomes.last?.warnings == ["ledger.merged"])
        #expect(harness.ledger["a"]?.record.awaitingWithdrawal.isEmpty == true)
        #expect(harness.committed == 2)
    }

    @Test(arguments: [false, true])
    mutating func `the withdrawal also goes on if the next owner crashes`(isRecorded: Bool) {
        crashWhileWithdrawalWaits()
        if isRecorded {
            harness.answerRecalls()
            harness.rememberAndCrash()
        } else {
            // The record of the withdrawal is still being read.
            harness.confirmAll()
            harness.crash()
        }
        harness.answerRecalls()
        #expect(harness.sending == ["kill"])
        harness.finishAll()
        #expect(harness.ledger["a"]?.record.awaitingWithdrawal.isEmpty == true)
    }

    @Test mutating func `a withdrawal reaches news that the priority scan sent before the withdrawal was read`() {
        let offsets = harness.write(Self.kill, Self.news("flash", kind: .flash, "politics"))
        harness.scout([offsets[1]])
        #expect(harness.sending == ["flash"])
        harness.crash()
        harness.answerRecalls()
        harness.rememberAll()
        #expect(harness.sending == ["kill"])
        harness.finishAll()
        #expect(harness.verdicts == ["kill: suppressed.never_sent", "flash: suppressed.killed", "kill: sent"])
        #expect(harness.ledger["a"]?.record.awaitingWithdrawal.isEmpty == true)
    }

    /// Another source dropped an embargo while the withdrawal waited for a person, so its news waits for a person too. The
    /// ledger has both.
    @Test mutating func `news that waits for a person ends with a withdrawal that was resumed before the restart`() {
        harness.order(order(.pause))
        harness.receive(.sample("first", story: "a", revision: 1, embargo: "2026-03-02T08:30:00Z"))
        harness.receive(Self.kill)
        harness.receive(Self.news("dropped", "politics"))
        harness.confirmAll()
        #expect(harness.announced.map(\.verdict.reason) == ["held.embargo", "held.source", "held.embargo_dropped"])
        harness.orders.append(order(.resume))
        harness.crash()
        harness.answerRecalls()
        harness.finishAll()
        #expect(harness.verdicts.contains("dropped: suppressed.killed"))
        #expect(harness.core.status(now: harness.now).events["waiting"] == 0)
    }

    @Test mutating func `a withdrawal that goes on while its source is paused waits for a person`() {
        crashWhileWithdrawalWaits()
        harness.confirmAll()
        harness.order(order(.pause))
        harness.answerRecalls()
        harness.rememberAll()
        #expect(harness.sends.isEmpty)
        #expect(harness.ledger["a"]?.record.waiting.map(\.reason) == [.pause])
        #expect(harness.core.status(now: harness.now).events["waiting"] == 1)
        harness.order(order(.resume))
        #expect(harness.sending == ["kill"])
        harness.finishAll()
        #expect(harness.verdicts.last == "kill: sent")
        #expect(harness.ledger["a"]?.record.awaitingWithdrawal.isEmpty == true)
    }

    @Test mutating func `a withdrawal in progress goes to the audiences of the news, too`() {
        harness.receive(Self.news("first", revision: 1, "sports"))
        harness.answer(.accepted)
        harness.confirmAll()
        crashWhileWithdrawalWaits()
        #expect(harness.sends.map(\.expression.description) == ["sports", "politics"])
        #expect(harness.sending == ["kill", "kill"])
        harness.finishAll()
        #expect(harness.verdicts.suffix(2) == ["again: suppressed.killed", "kill: sent"])
        #expect(harness.ledger["a"]?.record.awaitingWithdrawal.isEmpty == true)
    }

    @Test mutating func `a withdrawal does not go to the audience of later news that no owner can have sent`() {
        _ = harness.write(Self.kill, Self.news("again", "politics"))
        harness.crash()
        harness.answerRecalls()
        harness.finishAll()
        #expect(harness.verdicts == ["kill: suppressed.never_sent", "again: suppressed.killed"])
    }

    @Test mutating func `a withdrawal that ended before the crash does not go to audiences of later news`() {
        harness.order(order(.pause))
        harness.order(order(.resume))
        harness.receive(Self.kill)
        harness.rememberAll()
        _ = harness.write(Self.news("again", "politics"))
        harness.crash()
        harness.answerRecalls()
        harness.finishAll()
        #expect(harness.verdicts.suffix(1) == ["again: suppressed.killed"])
        #expect(!harness.verdicts.contains("kill: sent"))
    }

    @Test mutating func `an ended withdrawal does not go to an audience that it has reached`() {
        harness.receive(Self.news("first", revision: 1, "politics"))
        harness.answer(.accepted)
        harness.receive(Self.kill)
        harness.finishAll()
        _ = harness.write(Self.news("again", "politics"))
        harness.crash()
        harness.answerRecalls()
        harness.finishAll()
        #expect(harness.verdicts == ["first: sent", "kill: sent", "again: suppressed.killed"])
    }

    @Test mutating func `a withdrawal that the source has lost is reported`() {
        crashWhileWithdrawalWaits()
        harness.source[0] = nil
        harness.answerRecalls()
        #expect(harness.sends.isEmpty)
        #expect(harness.reports.contains(.withdrawalMissing(story: "a", CoreHarness.partition)))
        harness.finishAll()
        #expect(harness.verdicts == ["kill: suppressed.never_sent", "again: suppressed.killed"])
    }
}
