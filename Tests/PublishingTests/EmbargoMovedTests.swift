import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps
import Testing

/// A record that ends at once, with a later embargo than the waiting event of its story.
@Suite(.timeLimit(.minutes(1)))
struct EmbargoMovedTests {
    private var harness = CoreHarness()
    private static let early = "2026-03-02T08:30:00Z"
    private static let late = "2026-03-02T09:00:00Z"

    private static func news(_ revision: Int64, embargo: String? = nil, id: String? = nil) -> NewsEvent {
        .sample(id ?? "a\(revision)", story: "a", revision: revision, embargo: embargo)
    }

    /// Events that end at once, and their reasons.
    enum Ended: String, CaseIterable {
        case notForPush = "suppressed.not_for_push"
        case sameID = "duplicate.id"
        case sameRevision = "invalid.revision_conflict"

        var event: NewsEvent {
            var event = news(2, embargo: late)
            switch self {
            case .notForPush: event.withheld = rawValue
            case .sameID: event = news(1, embargo: late)
            case .sameRevision: event = news(1, embargo: late, id: "other")
            }
            if self == .sameRevision { event.text = [EventText(language: "en", headline: "Other words")] }
            return event
        }
    }

    @Test(arguments: Ended.allCases, [false, true])
    mutating func `a waiting event observes the later embargo, also after a crash`(_ ended: Ended, crashes: Bool) {
        harness.receive(Self.news(1, embargo: Self.early))
        harness.confirmAll()
        harness.receive(ended.event)
        #expect(harness.verdicts == ["\(ended.event.id): \(ended.rawValue)"])
        harness.confirmAll()
        if crashes { harness.crash() }
        harness.pass(.seconds(2400))
        #expect(harness.sends.isEmpty)
        harness.pass(.seconds(1300))
        #expect(harness.sending == ["a1"])
    }

    @Test(arguments: [false, true])
    mutating func `the time to live counts from the later embargo`(crashes: Bool) {
        harness.receive(Self.news(1, embargo: Self.early))
        // Five hours after the first one. The time to live of an alert is two hours.
        harness.receive(Self.news(1, embargo: "2026-03-02T13:30:00Z"))
        harness.confirmAll()
        if crashes { harness.crash() }
        harness.pass(.seconds(5 * 3600))
        #expect(harness.sends.isEmpty)
        harness.pass(.seconds(1900))
        #expect(harness.sending == ["a1"])
    }

    @Test mutating func `an older revision that arrives again does not move the embargo`() {
        harness.receive(Self.news(1, embargo: Self.late))
        harness.receive(Self.news(2, embargo: Self.early))
        harness.receive(Self.news(1, embargo: Self.late))
        harness.confirmAll()
        harness.pass(.seconds(2400))
        #expect(harness.sending == ["a2"])
    }

    @Test(arguments: [false, true])
    mutating func `the embargo of an unreadable record counts if the next revision has none`(crashes: Bool) {
        var rejection = EventRejection(.schema, "/url: must begin with https://", id: "a1", story: "a", revision: 1)
        rejection.holdsStory = true
        rejection.embargo = Timestamp(rfc3339: Self.early)
        harness.receiveContents([.rejected(rejection)])
        harness.confirmAll()
        if crashes { harness.crash() }
        harness.receive(Self.news(2))
        harness.confirmAll()
        #expect(harness.sends.isEmpty)
        #expect(harness.announced.suffix(1).map(\.verdict.reason) == ["held.embargo_dropped"])
    }

    @Test mutating func `a withdrawal does not wait for an embargo`() {
        harness.receive(Self.news(1))
        harness.answer(.accepted)
        harness.confirmAll()
        var late = Self.news(2, embargo: Self.late)
        late.withheld = "suppressed.not_for_push"
        harness.receive(late)
        harness.confirmAll()
        harness.receive(.sample("kill", story: "a", revision: 3, kind: .kill, embargo: Self.early))
        #expect(harness.sending == ["kill"])
    }
}
