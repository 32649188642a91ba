import NewsEvents
import Publishing
import Testing
import Timestamps

@testable import Gateway

/// Who may read what of secure stories, and for how long.
@Suite(.timeLimit(.minutes(1)))
struct SecureShelfTests {
    private static let start = Timestamp(seconds: 1_772_438_400)

    private var shelf: SecureShelf

    init() { shelf = Self.shelf() }

    private static func shelf(_ policy: GatePolicy = GatePolicy(), byteLimit: Int = 1 << 20) -> SecureShelf {
        SecureShelf(gate: Gate(policy: policy), byteLimit: byteLimit)
    }

    private static func event(
        _ id: String,
        story: String = "s",
        revision: Int64 = 1,
        kind: EventKind = .alert,
        users: [String] = ["anna"],
        categories: [String] = [],
        delivery: EventDelivery = .secure,
        _ change: (inout NewsEvent) -> Void = { _ in }
    ) -> NewsEvent {
        var event = NewsEvent(
            id: id,
            source: "desk",
            story: story,
            revision: revision,
            kind: kind,
            published: start,
            categories: categories,
            text: kind == .kill ? [] : [EventText(language: "en", headline: "Words of \(id)")],
            users: users,
            delivery: delivery
        )
        change(&event)
        return event
    }

    private mutating func take(_ event: NewsEvent, topic: String = "t", after seconds: Int64 = 0) {
        shelf.take(event, topic: topic, arrival: Self.start + .seconds(seconds))
    }

    /// `e-1` for that event's words, `withdrawn`, or nothing.
    private func read(_ id: String, by user: String = "anna", after seconds: Int64 = 60) -> String? {
        switch shelf.find(id, for: user, now: Self.start + .seconds(seconds)) {
        case .event(let event, _): event.id
        case .withdrawn: "withdrawn"
        case nil: nil
        }
    }

    @Test mutating func `those who are named may read it, and nobody else learns that there is something`() {
        take(Self.event("e-1", users: ["anna", "ben"]))
        #expect(read("e-1") == "e-1")
        #expect(read("e-1", by: "ben") == "e-1")
        #expect(read("e-1", by: "Anna") == nil)
        #expect(read("e-1", by: "eve") == nil)
        #expect(read("e-2") == nil)
    }

    @Test mutating func `an event for categories may be read by everybody who has its id`() {
        take(Self.event("e-1", users: [], categories: ["world"]))
        take(Self.event("e-2", story: "both", users: ["ben"], categories: ["world"]))
        #expect(read("e-1", by: "eve") == "e-1")
        #expect(read("e-2", by: "eve") == "e-2")
    }

    @Test mutating func `what is delivered in the open is not kept`() {
        take(Self.event("e-1", delivery: .open))
        #expect(shelf.count == 0)
        #expect(read("e-1") == nil)
    }

    @Test mutating func `a story stays secure, and its newest words stand under each of its ids`() {
        take(Self.event("e-1"))
        take(Self.event("e-2", revision: 2, delivery: .open))
        #expect(read("e-1") == "e-2")
        #expect(read("e-2") == "e-2")
        take(Self.event("late", revision: 1))
        #expect(read("late") == nil)
        #expect(read("e-1") == "e-2")
    }

    @Test mutating func `who is not in the newer audience keeps what was for him`() {
        take(Self.event("e-1", users: ["anna", "ben"]))
        take(Self.event("e-2", revision: 2, users: ["ben", "clara"]))
        #expect(read("e-1", by: "anna") == "e-1")
        #expect(read("e-1", by: "ben") == "e-2")
        #expect(read("e-1", by: "clara") == nil)
        #expect(read("e-2", by: "clara") == "e-2")
        #expect(read("e-2", by: "anna") == nil)
    }

    @Test mutating func `a correction is for all who were told, whomever it names`() {
        take(Self.event("e-1", users: ["anna"]))
        take(Self.event("e-2", revision: 2, users: ["ben"]))
        take(Self.event("e-3", revision: 3, kind: .correction, users: ["eve"]))
        for (id, user) in [("e-1", "anna"), ("e-2", "ben"), ("e-3", "anna")] { #expect(read(id, by: user) == "e-3") }
        #expect(read("e-3", by: "eve") == nil)
    }

    @Test mutating func `a kill withdraws, under its own id too, and nothing follows it`() {
        take(Self.event("e-1", users: ["anna"]))
        take(Self.event("k", revision: 2, kind: .kill, users: ["eve"], delivery: .open))
        take(Self.event("e-3", revision: 3, users: ["anna"]))
        #expect(read("e-1") == "withdrawn")
        #expect(read("k") == "withdrawn")
        #expect(read("e-3") == nil)
        #expect(read("e-1", by: "eve") == nil)
        #expect(read("k", by: "eve") == nil)
    }

    @Test mutating func `a kill that comes too late to be told withdraws all the same`() {
        take(Self.event("e-1") { $0.expires = Self.start + .seconds(7 * 86_400) })
        take(Self.event("k", revision: 2, kind: .kill), after: 3 * 86_400)
        #expect(read("e-1", after: 3 * 86_400 + 1) == "withdrawn")
    }

    @Test mutating func `what has expired is there no more`() {
        take(Self.event("e-1"))
        #expect(read("e-1", after: 7200) == "e-1")
        #expect(read("e-1", after: 7201) == nil)
    }

    @Test mutating func `an embargo holds for who knows the id as well`() {
        take(Self.event("e-1"))
        take(Self.event("e-2", revision: 2) { $0.embargo = Self.start + .seconds(600) })
        #expect(read("e-2", after: 599) == nil)
        #expect(read("e-1", after: 599) == "e-1")
        #expect(read("e-1", after: 600) == "e-2")
        #expect(read("e-2", after: 600) == "e-2")
    }

    @Test mutating func `what the worker would not send nobody may fetch, but its story is secure`() {
        var policy = GatePolicy()
        policy.approvals = [.flash: 2]
        shelf = Self.shelf(policy)
        take(Self.event("alone", kind: .flash) { $0.approvedBy = ["ed:1"] })
        take(Self.event("old", story: "o"), after: 7201)
        take(Self.event("backfill", story: "b") { $0.mode = .backfill })
        take(Self.event("untested", story: "u") { $0.mode = .test })
        for id in ["alone", "old", "backfill", "untested"] { #expect(read(id) == nil) }
        take(Self.event("two", revision: 2, kind: .flash, delivery: .open) { $0.approvedBy = ["ed:1", "ed:2"] })
        #expect(read("two") == "two")
    }

    @Test mutating func `stories of two topics are two, and one id may stand for both`() {
        take(Self.event("e-1", users: ["anna"]))
        take(Self.event("e-1", users: ["ben"]) { $0.text[0].headline = "Other words" }, topic: "other")
        take(Self.event("k", revision: 2, kind: .kill), topic: "other")
        #expect(read("e-1", by: "anna") == "e-1")
        #expect(read("e-1", by: "ben") == "withdrawn")
    }

    @Test mutating func `beyond its limit it forgets what it heard of longest ago`() {
        shelf = Self.shelf(byteLimit: 40_000)
        take(Self.event("first", story: "first"))
        take(Self.event("kept", story: "kept"))
        for number in 0..<200 {
            take(Self.event("e-\(number)", story: "s-\(number)"))
            take(Self.event("again-\(number)", story: "kept", revision: Int64(number) + 2))
            #expect(shelf.byteCount <= 40_000)
        }
        #expect(read("first") == nil)
        #expect(read("e-199") == "e-199")
        #expect(shelf.count < 200)
    }
}
