import Locks
import NewsEvents
import NotificationHubs
import Publishing
import Testing
import Timestamps

/// What is worked out of events before their turn.
@Suite(.timeLimit(.minutes(1)))
struct DraftTests {
    /// A hub that takes one at once, and one more that is express; what is planned is noted.
    private func harness() -> (CoreHarness, PlanLog) {
        let log = PlanLog()
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.limits.concurrency = 1
        configuration.limits.expressReserve = 1
        return (CoreHarness(configuration, planner: OneSendPlanner { log.note($0, $1) }), log)
    }

    private func draft(_ harness: inout CoreHarness) -> Bool { harness.core.draftAhead(now: harness.now) }

    private func draftAll(_ harness: inout CoreHarness) {
        harness.drain { draft(&$0) }
    }

    @Test func `what is next is planned while an answer is waited for, and not again when it goes`() {
        var (harness, log) = harness()
        harness.take((1...6).map { .sample("e\($0)") })
        #expect(harness.sending == ["e1"])
        #expect(log.planned == ["e1"])
        draftAll(&harness)
        #expect(log.planned == (1...6).map { "e\($0)" })
        harness.finishAll()
        #expect(harness.verdicts == (1...6).map { "e\($0): sent" })
        #expect(log.planned == (1...6).map { "e\($0)" })
    }

    @Test func `what goes first is planned first, and a few at a time`() {
        var (harness, log) = harness()
        harness.take((1...20).map { .sample("e\($0)") })
        harness.take(.sample("f1", kind: .flash), .sample("f2", kind: .flash))
        #expect(harness.sending == ["e1", "f1"])
        let before = log.planned.count
        let isDrafted = draft(&harness)
        #expect(isDrafted)
        let drafted = log.planned.dropFirst(before)
        #expect(drafted.first == "f2")
        #expect(drafted.count < 10)
    }

    @Test func `no more is planned than may go soon`() {
        var (harness, log) = harness()
        harness.take((1...500).map { .sample("e\($0)") })
        draftAll(&harness)
        #expect(log.planned.count < 100)
    }

    @Test func `what was planned a while ago is planned anew`() {
        var (harness, log) = harness()
        harness.take(.sample("a"), .sample("b"))
        let isDrafted = draft(&harness)
        #expect(isDrafted)
        let isMoreDrafted = draft(&harness)
        #expect(!isMoreDrafted)
        harness.pass(.seconds(1))
        harness.answer(.accepted)
        #expect(harness.sending == ["b"])
        #expect(log.planned == ["a", "b", "b"])
    }

    @Test func `a story that has come to be known meanwhile is planned by what is known`() throws {
        var (harness, log) = harness()
        harness.take(.sample("a"), .sample("b", story: "quake", revision: 2, kind: .correction))
        let isDrafted = draft(&harness)
        #expect(isDrafted)
        let told = try #require(OneSendPlanner.send("earlier", tag: "sports"))
        var record = StoryFacts(
            awaiting: .sample("earlier", story: "quake"),
            digest: ContentDigest(value: 1),
            now: harness.now.wall
        )
        record.revision = 1
        record.recordSent(StoryFacts.Sent(told, revision: 1, at: harness.now.wall))
        harness.core.overwritten(record, of: "quake", in: harness.id, at: 7, now: harness.now)
        harness.answer(.accepted)
        #expect(harness.sending == ["b"])
        #expect(log.planned == ["a", "b", "b knowing quake"])
    }

    @Test func `what expires before its turn is not sent, whatever was planned`() {
        var (harness, _) = harness()
        harness.take(.sample("a"), .sample("b", expires: "2026-03-02T08:00:00.100Z"))
        let isDrafted = draft(&harness)
        #expect(isDrafted)
        harness.pass(.milliseconds(150))
        harness.answer(.accepted)
        #expect(harness.verdicts == ["a: sent", "b: expired.explicit"])
    }

    @Test func `nothing is planned for a hub that takes nothing`() {
        var (harness, log) = harness()
        harness.take((1...6).map { .sample("e\($0)") })
        harness.answer(.unauthorized)
        let before = log.planned.count
        let isMoreDrafted = draft(&harness)
        #expect(!isMoreDrafted)
        #expect(log.planned.count == before)
    }
}

/// What was planned, in order.
private final class PlanLog: Sendable {
    private let names = Locked<[String]>([])

    var planned: [String] { names.withLock { $0 } }

    func note(_ event: NewsEvent, _ story: StoryFacts?) {
        names.withLock { $0.append(story == nil ? event.id : "\(event.id) knowing \(event.story)") }
    }
}
