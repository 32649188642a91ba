import NewsEvents
import Testing
import Timestamps

@testable import Publishing

/// A person pauses a source by its name in the configuration, which is an order on its topic.
@Suite(.timeLimit(.minutes(1)))
struct TopicHoldTests {
    private var harness = CoreHarness()

    private mutating func order(_ act: ControlRecord.Act, _ scope: HoldScope) {
        harness.order(ControlRecord(act, scope, by: .person("novak"), reason: "a test", at: harness.now.wall))
    }

    private static func news(_ id: String, source: String) -> NewsEvent {
        var news = NewsEvent.sample(id, kind: .alert)
        news.source = source
        return news
    }

    @Test mutating func `events wait whatever source they name, also after a restart`() {
        order(.hold, .topic("news"))
        harness.take(Self.news("a", source: "desk"), Self.news("b", source: "wire"))
        harness.confirmAll()
        harness.crash(after: .seconds(60))
        #expect(harness.sends.isEmpty)
        order(.release, .topic("news"))
        #expect(Set(harness.sending) == ["a", "b"])
    }

    @Test mutating func `events of another topic go on`() {
        order(.hold, .topic("wire"))
        harness.take(Self.news("a", source: "wire"))
        #expect(harness.sending == ["a"])
    }

    @Test(arguments: [HoldScope.source("desk"), .topic("news")])
    mutating func `news on hold by its source and its topic waits for the release of both`(_ first: HoldScope) {
        let scopes: [HoldScope] = [.source("desk"), .topic("news")]
        for scope in scopes { order(.hold, scope) }
        harness.take(Self.news("a", source: "desk"))
        harness.confirmAll()
        order(.release, first)
        #expect(harness.sends.isEmpty)
        for scope in scopes where scope != first { order(.release, scope) }
        #expect(harness.sending == ["a"])
    }

    @Test mutating func `an event that waits for another attempt is held`() {
        harness.take(Self.news("a", source: "desk"))
        harness.answer(.unavailable)
        order(.hold, .topic("news"))
        harness.pass(.seconds(60))
        #expect(harness.sends.isEmpty)
        order(.release, .topic("news"))
        #expect(harness.sending == ["a"])
    }
}
