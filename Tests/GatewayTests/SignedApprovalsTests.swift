import NewsflashEvents
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@testable import NewsflashGateway

/// The table of the users who have sent the same event.
@Suite(.timeLimit(.minutes(1)))
struct SignedApprovalsTests {
    private let start = Instant(nanoseconds: 1_000_000_000)

    private static func event(_ id: Int) -> NewsEvent {
        NewsEvent(
            id: "desk-\(id)",
            source: "https://cms.example.org/desk",
            story: "story-\(id)",
            revision: 1,
            kind: .flash,
            published: Timestamp(seconds: 1_772_438_400),
            text: [EventText(language: "en", headline: "Bridge closed")]
        )
    }

    private func add(
        _ user: String,
        to event: Int,
        in approvals: SignedApprovals,
        after seconds: Int = 0
    ) throws -> [String] {
        let user = try #require(GatewayUser(user))
        let now = start + .seconds(seconds)
        return approvals.add(user, to: Self.event(event), topic: "news", for: .seconds(60), now: now)
    }

    @Test func `an approval is kept while fewer events follow than the table holds`() throws {
        let approvals = SignedApprovals(keepingAtLeast: 100)
        _ = try add("anna", to: 0, in: approvals)
        for other in 1..<100 { _ = try add("eve", to: other, in: approvals) }
        #expect(try add("ben", to: 0, in: approvals) == ["anna", "ben"])
        // The second approval has made it one of the latest events.
        for other in 200..<299 { _ = try add("eve", to: other, in: approvals) }
        #expect(try add("clara", to: 0, in: approvals) == ["anna", "ben", "clara"])
    }

    @Test func `a full table drops its oldest events and keeps the latest`() throws {
        let approvals = SignedApprovals(keepingAtLeast: 100)
        for number in 0..<1000 {
            _ = try add("anna", to: number, in: approvals)
            #expect(approvals.count <= 200)
        }
        #expect(try add("ben", to: 0, in: approvals) == ["ben"], "the oldest event was kept")
        for number in 901..<1000 {
            #expect(try add("ben", to: number, in: approvals) == ["anna", "ben"], "event \(number) was dropped")
        }
    }

    @Test func `an approval counts until its time is over`() throws {
        let approvals = SignedApprovals()
        #expect(try add("anna", to: 0, in: approvals) == ["anna"])
        #expect(try add("ben", to: 0, in: approvals, after: 59) == ["anna", "ben"])
        #expect(try add("clara", to: 0, in: approvals, after: 119) == ["clara"])
    }

    @Test func `adding to a full table takes constant time`() throws {
        let growth = try growth(from: 500, prepare: { $0 }) { amount in
            let approvals = SignedApprovals(keepingAtLeast: amount)
            for number in 0..<4 * amount { _ = try add("anna", to: number, in: approvals) }
        }
        #expect(growth < 8)
    }
}
