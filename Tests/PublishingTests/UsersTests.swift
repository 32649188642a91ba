import NewsflashEvents
import NewsflashPublishing
import NewsflashRouting
import NewsflashTimestamps
import NotificationHubs
import Testing

/// The facts of a story about subscribers notified by name.
@Suite(.timeLimit(.minutes(1)))
struct UsersTests {
    private static let now = Timestamp(seconds: 1_772_440_800)

    private func users(_ users: [String], hub: String = "main", format: String = "template") throws -> Audience {
        let tags = try users.map { try Tag("username:" + $0) }
        let audience = PlannedAudience(
            expression: try TagExpression.any(of: tags),
            locale: nil,
            categories: [],
            isForUsers: true
        )
        return Audience(hub: hub, format: format, planned: audience)
    }

    private func act(_ revision: Int64) -> AudienceFact.Act {
        AudienceFact.Act(id: UInt64(revision), kind: .alert, revision: revision, at: Self.now + .seconds(revision))
    }

    private func record() -> StoryFacts {
        let event = NewsEvent.sample("e")
        return StoryFacts(awaiting: event, digest: ContentDigest(of: event), now: Self.now)
    }

    @Test func `each user is kept in the fact of the latest request that named the user`() throws {
        var record = record()
        record.recordAccepted(try users(["anna", "ben"]), act(1))
        record.recordAccepted(try users(["clara"]), act(1))
        record.recordAccepted(try users(["ben", "clara", "dora"]), act(2))
        #expect(
            record.audiences.map(\.expression.description) == [
                "username:anna", "username:ben || username:clara || username:dora",
            ]
        )
        #expect(record.audiences.map(\.act.revision) == [1, 2])
    }

    @Test func `another hub, another format and the audience of categories are separate facts`() throws {
        var record = record()
        let category = PlannedAudience(
            expression: try TagExpression(parsing: "username:anna"),
            locale: nil,
            categories: ["world"]
        )
        record.recordAccepted(Audience(hub: "main", format: "template", planned: category), act(1))
        record.recordAccepted(try users(["anna", "x"], hub: "south"), act(1))
        record.recordAccepted(try users(["anna", "x"], format: "apns"), act(1))
        record.recordAccepted(try users(["anna", "y"]), act(2))
        #expect(record.audiences.count == 4)
    }

    @Test func `a user is no longer possibly notified after an accepted request`() throws {
        var record = record()
        func possible() -> [String] {
            record.audiences.filter { $0.certainty == .possible }.map(\.expression.description)
        }
        record.recordPossible(try users(["anna", "ben"]), act(1))
        record.recordAccepted(try users(["ben"]), act(1))
        #expect(possible() == ["username:anna"])
        record.recordPossible(try users(["anna", "clara"]), act(2))
        #expect(possible() == ["username:anna || username:clara"])
        record.recordAccepted(try users(["anna", "clara"]), act(3))
        #expect(possible() == [])
    }

    @Test func `a late record cannot turn a notified user into a possibly notified one of the same act`() throws {
        var later = act(1)
        later.at = Self.now + .seconds(60)
        var late = record()
        late.recordPossible(try users(["anna", "ben"]), later)
        var record = record()
        record.recordAccepted(try users(["ben", "clara"]), act(1))
        record.merge(late)
        #expect(
            record.awaitingWithdrawal.map(\.expression.description).sorted() == [
                "username:anna", "username:ben || username:clara",
            ]
        )
    }

    @Test func `a correction is not repeated for users possibly notified of older news by a late record`() throws {
        let correction = NewsEvent.sample("c", revision: 4, kind: .correction)
        var told = act(4)
        told.id = correction.act
        told.kind = .correction
        var record = record()
        record.recordAccepted(try users(["anna"]), told)
        record.recordAccepted(try users(["ben", "clara"]), told)
        var late = self.record()
        var older = act(1)
        older.at = told.at + .seconds(60)
        late.recordPossible(try users(["clara", "anna", "dora"]), older)
        record.merge(late)
        guard case .notified(let facts, _) = Addressees(of: correction, facts: record) else {
            Issue.record("the correction goes to its own audience")
            return
        }
        #expect(facts.map(\.expression.description) == ["username:dora"])
    }

    @Test func `facts of a thousand users fit in a ledger record`() throws {
        var record = record()
        let long = String(repeating: "x", count: 60)
        for revision in 1...30 {
            for start in stride(from: 0, to: 1000, by: 20) {
                // The users are grouped differently each time.
                let names = (start..<start + 20).map { "\(long)\(($0 * 7 + revision * 13) % 1000)" }
                record.recordAccepted(try users(names), act(Int64(revision)))
            }
        }
        let tags = record.audiences.flatMap(\.expression.tags)
        #expect(tags.count == 1000)
        #expect(Set(tags).count == 1000)
        #expect(LedgerRecordCodec.encode(record, of: "story").count < 128 << 10)
        #expect(record.hasRoom(for: []))
    }

    @Test func `a story has a maximum number of users, however they are grouped`() throws {
        var record = record()
        var requests: [Audience] = []
        for number in 0..<4000 { requests.append(try users(["user-\(number)"])) }
        #expect(!record.hasRoom(for: requests))
        #expect(record.hasRoom(for: Array(requests.prefix(2000))))
        for request in requests.prefix(2500) { record.recordAccepted(request, act(1)) }
        #expect(!record.hasRoom(for: Array(requests.suffix(1000))))
        record.recordAccepted(requests[3000], act(1))
        // A full record is still small enough to be written.
        #expect(LedgerRecordCodec.encode(record, of: "story").count < 900_000)
    }

    @Test func `other users or another delivery change the digest, and the order of users does not`() {
        func digest(_ users: [String], _ delivery: EventDelivery = .open) -> ContentDigest {
            var event = NewsEvent.sample("e")
            event.users = users
            event.delivery = delivery
            return ContentDigest(of: event)
        }
        #expect(digest(["anna", "ben"]) == digest(["ben", "anna"]))
        #expect(Set([digest([]), digest(["anna"]), digest(["anna", "ben"]), digest(["anna"], .secure)]).count == 4)
        #expect(digest([]) == ContentDigest(of: .sample("e")))
    }

    @Test func `a kill of an unknown story may name the users to notify`() {
        var kill = NewsEvent.sample("k", kind: .kill, categories: [])
        #expect(Withdrawal.addressees(of: kill, facts: nil) != .categories)
        kill.users = ["anna"]
        #expect(Withdrawal.addressees(of: kill, facts: nil) == .categories)
    }

    // MARK: - Secure stories

    @Test func `a story stays secure after its first secure event, across crashes and for all later events`() {
        var harness = CoreHarness(planner: SecrecyPlanner())
        var first = NewsEvent.sample("a1", story: "a")
        first.delivery = .secure
        harness.receive(first)
        #expect(harness.sending == ["a1 secure"])
        harness.answer(.accepted)
        harness.confirmAll()
        harness.receive(.sample("a2", story: "a", revision: 2, headline: "More"))
        #expect(harness.sending == ["a2 secure"])
        harness.answer(.accepted)
        harness.confirmAll()
        harness.crash()
        harness.receive(.sample("a3", story: "a", revision: 3, kind: .kill))
        #expect(harness.sending == ["a3 secure"])
        harness.finishAll()
        #expect(harness.outcomes.map(\.isSecure) == [true, true, true])
        harness.receive(.sample("b1", story: "b"))
        #expect(harness.sending == ["b1 open"])
    }

    @Test func `a secure event that waits or that was never sent makes the story secure as well`() {
        var harness = CoreHarness(planner: SecrecyPlanner())
        var waiting = NewsEvent.sample("a1", story: "a", embargo: "2026-03-02T10:00:00Z")
        waiting.delivery = .secure
        harness.receive(waiting)
        harness.confirmAll()
        harness.crash()
        harness.receive(.sample("a2", story: "a", revision: 2, embargo: "2026-03-02T08:00:00Z"))
        harness.confirmAll()
        #expect(harness.sending == ["a2 secure"])
        harness.finishAll()
        var late = NewsEvent.sample("b1", story: "b", expires: "2026-03-02T08:00:01Z")
        late.delivery = .secure
        harness.pass(.seconds(60))
        harness.receive(late)
        harness.confirmAll()
        #expect(harness.verdicts.last == "b1: expired.explicit")
        harness.receive(.sample("b2", story: "b", revision: 2))
        #expect(harness.sending == ["b2 secure"])
    }

    @Test func `merged records are secure if one of them is`() {
        var secure = record()
        secure.isSecure = true
        var one = secure
        one.merge(record())
        var other = record()
        other.merge(secure)
        #expect(one.isSecure && other.isSecure)
    }
}

/// Plans one request for each event. Its body shows whether the story is secure.
private struct SecrecyPlanner: EventPlanning {
    func plan(
        _ event: NewsEvent,
        for addressees: Addressees,
        story: StoryFacts?,
        deadline: Timestamp,
        loudness: Audibility,
        now: Timestamp
    ) -> EventPlan {
        let isSecure = event.delivery == .secure || story?.isSecure == true
        let name = "\(event.id) \(isSecure ? "secure" : "open")"
        return .send([OneSendPlanner.send(name, tag: "world")].compactMap(\.self), warnings: [])
    }
}
