import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps
import Testing

/// Feed items. Their kind depends on whether subscribers were notified of the story.
@Suite(.timeLimit(.minutes(1)))
struct FirstNewsTests {
    private var harness: CoreHarness = {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.policy.approvals = [.flash: 2]
        return CoreHarness(configuration)
    }()

    /// A version of an item. By its urgency the first news of a story is an alert.
    private static func item(_ id: String, revision: Int64 = 4, first: EventKind = .alert) -> NewsEvent {
        var item = NewsEvent.sample(id, story: "a", revision: revision, kind: .update)
        item.kindIfFirst = first
        return item
    }

    private var kinds: [String] { harness.outcomes.map(\.kind) }

    @Test mutating func `the first sent version is an alert, whatever its number, and the next an update`() {
        harness.receive(Self.item("a4"))
        harness.finishAll()
        harness.receive(Self.item("a5", revision: 5))
        harness.finishAll()
        #expect(kinds == ["alert", "update"])
    }

    @Test mutating func `the version after one that was not sent is still the first`() {
        var draft = Self.item("a4")
        draft.withheld = "suppressed.not_for_push"
        harness.receive(draft)
        harness.receive(Self.item("a5", revision: 5))
        harness.finishAll()
        #expect(harness.outcomes.map { "\($0.event) \($0.kind)" } == ["a4 alert", "a5 alert"])
    }

    @Test mutating func `a version that arrives while the first is in flight is an update`() {
        harness.receive(Self.item("a4"))
        harness.receive(Self.item("a5", revision: 5))
        harness.finishAll()
        #expect(kinds == ["alert", "update"])
    }

    @Test mutating func `the rules for a flash apply to an item that is a flash as the first of its story`() {
        harness.receive(Self.item("a4", first: .flash))
        #expect(harness.sends.isEmpty)
        #expect(harness.announced.map(\.verdict.reason) == ["held.unconfirmed"])
    }

    @Test(arguments: [false, true])
    mutating func `an item keeps its kind after a crash`(wasSent: Bool) {
        var item = Self.item("a4")
        if !wasSent { item.embargo = harness.now.wall + .seconds(60) }
        harness.receive(item)
        harness.rememberAndCrash()
        harness.pass(.seconds(61))
        harness.finishAll()
        #expect(kinds.suffix(1) == ["alert"])
    }
}
