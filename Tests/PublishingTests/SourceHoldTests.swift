import NewsEvents
import Publishing
import Testing
import Timestamps

/// A person takes a source off the air, and lets it on again.
@Suite(.timeLimit(.minutes(1)))
struct SourceHoldTests {
    private static let desk = "desk"
    private var harness = CoreHarness()

    private mutating func order(
        _ act: ControlRecord.Act,
        _ scope: HoldScope = .source(desk),
        by author: ControlRecord.Author = .person("novak")
    ) {
        let order = ControlRecord(act, scope, by: author, reason: "a test", at: harness.now.wall)
        harness.orders.append(order)
        harness.core.controlled(order, now: harness.now)
        harness.perform()
    }

    private static func news(_ id: String, source: String = desk, kind: EventKind = .alert) -> NewsEvent {
        var news = NewsEvent.sample(id, kind: kind)
        news.source = source
        return news
    }

    @Test(arguments: [HoldScope.all, .source(desk)])
    mutating func `nothing of a source on hold is sent, and all of it waits in the ledger`(_ scope: HoldScope) {
        order(.hold, scope)
        harness.take(Self.news("a"), Self.news("b", kind: .flash))
        #expect(harness.sends.isEmpty)
        #expect(harness.announced.map(\.verdict.reason) == ["held.source", "held.source"])
        harness.confirmAll()
        #expect(harness.committed == 2)
    }

    @Test mutating func `other sources go on`() {
        order(.hold)
        harness.take(Self.news("a"), Self.news("b", source: "wire"))
        #expect(harness.sending == ["b"])
    }

    @Test mutating func `a release lets all go that has waited`() {
        order(.hold)
        harness.take(Self.news("a"), Self.news("b"))
        harness.confirmAll()
        harness.pass(.seconds(60))
        order(.release)
        #expect(harness.sending == ["a", "b"])
        harness.finishAll()
        #expect(harness.verdicts == ["a: sent", "b: sent"])
    }

    @Test mutating func `a hold outlives a restart, and so does what waits`() {
        order(.hold)
        harness.take(Self.news("a"))
        harness.confirmAll()
        harness.crash(after: .seconds(60))
        #expect(harness.sends.isEmpty)
        order(.release)
        #expect(harness.sending == ["a"])
    }

    @Test mutating func `what waits for another attempt is held as well`() {
        harness.take(Self.news("a"))
        harness.answer(.unavailable)
        order(.hold)
        harness.pass(.seconds(60))
        #expect(harness.sends.isEmpty)
        order(.release)
        #expect(harness.sending == ["a"])
    }

    @Test mutating func `what is under way is not sent a second time after the release`() {
        harness.take(Self.news("a"))
        order(.hold)
        harness.answer(.accepted)
        order(.release)
        #expect(harness.sends.isEmpty)
        #expect(harness.verdicts == ["a: sent"])
    }

    @Test mutating func `what fails while its source is put on hold waits for the release`() {
        harness.take(Self.news("a"))
        order(.hold)
        harness.answer(.unavailable)
        harness.pass(.seconds(60))
        #expect(harness.sends.isEmpty)
        order(.release)
        #expect(harness.sending == ["a"])
    }

    @Test mutating func `what nobody releases ends with its life`() {
        order(.hold)
        harness.take(Self.news("a"))
        harness.confirmAll()
        harness.pass(.seconds(7201))
        #expect(harness.verdicts == ["a: expired.ttl"])
        order(.release)
        #expect(harness.sends.isEmpty)
    }

    @Test mutating func `an order that is older than the one in force changes nothing`() {
        let early = ControlRecord(.hold, .all, by: .person("novak"), reason: "", at: harness.now.wall)
        harness.pass(.seconds(1))
        order(.release, .all)
        harness.core.controlled(early, now: harness.now)
        harness.take(Self.news("a"))
        #expect(harness.sending == ["a"])
    }

    @Test mutating func `a kill passes a brake and not a person`() {
        order(.hold, by: .brake)
        var kill = Self.news("a", kind: .kill)
        kill.categories = ["world"]
        harness.take(kill)
        #expect(harness.sending == ["a"])
        order(.hold)
        kill.id = "b"
        kill.story = "another"
        harness.take(kill)
        #expect(harness.sending == ["a"])
    }

    @Test mutating func `what is on hold keeps nobody else from speaking, whatever its revision`() {
        order(.hold)
        var forged = Self.news("a999", kind: .kill)
        forged.story = "a"
        forged.revision = 999
        harness.take(forged)
        harness.take(.sample("a2", story: "a", revision: 2))
        harness.confirmAll()
        #expect(harness.verdicts == [], "a withdrawal is never superseded")
        #expect(harness.sending == ["a2"])
        harness.finishAll()
        #expect(harness.verdicts == ["a2: sent"])
        order(.release)
        #expect(harness.sending == ["a999"])
    }

    @Test mutating func `the very act that is on hold is a duplicate when it comes again`() {
        order(.hold)
        harness.take(Self.news("a"))
        harness.take(Self.news("a"))
        #expect(harness.verdicts == ["a: duplicate.id"])
    }

    @Test mutating func `a newer revision from elsewhere takes the place of one that is held`() {
        order(.hold)
        var first = Self.news("a1")
        first.story = "a"
        harness.take(first)
        harness.take(.sample("a2", story: "a", revision: 2))
        harness.confirmAll()
        #expect(harness.verdicts == ["a1: superseded.revision"])
        #expect(harness.sending == ["a2"])
    }
}

@Suite(.timeLimit(.minutes(1)))
struct ControlRecordTests {
    @Test(arguments: [HoldScope.all, .source("https://cms.example.org/desk")])
    func `an order is read as it was written`(_ scope: HoldScope) throws {
        let instant = try #require(Timestamp(rfc3339: "2026-03-02T08:40:00.05Z"))
        for author in [ControlRecord.Author.brake, .person("ed:novak")] {
            let order = ControlRecord(.hold, scope, by: author, reason: "broken into", at: instant)
            #expect(try ControlRecordCodec.decode(ControlRecordCodec.encode(order).span) == order)
        }
    }

    @Test(
        arguments: [
            ("{}", "/v"), (#"{"v":1}"#, "/act"), (#"{"v":1,"act":"hold"}"#, "/at"), ("[", "byte"),
            (#"{"v":1,"act":"hold","at":"2026-03-02T08:40:00Z","source":""}"#, "/source"),
            (#"{"v":1,"act":"stop","at":"2026-03-02T08:40:00Z"}"#, "/act"),
            (#"{"v":1,"act":"hold","at":"2026-03-02T08:40:00Z","by":7}"#, "/by"),
        ]
    )
    func `what is no order says where it is wrong`(_ text: String, _ place: String) throws {
        let error = #expect(throws: ControlRecordError.self) {
            try ControlRecordCodec.decode(Array(text.utf8).span)
        }
        #expect(try #require(error).description.contains(place))
    }
}
