import NewsflashEvents
import NewsflashTimestamps
import Testing

@testable import NewsflashPublishing

/// A person pauses a source by its name in the configuration, which is a command on its topic.
@Suite(.timeLimit(.minutes(1)))
struct TopicPauseTests {
    private var harness = CoreHarness()

    private mutating func order(_ act: ControlRecord.Act, _ scope: PauseScope) {
        harness.order(ControlRecord(act, scope, by: .person("novak"), reason: "a test", at: harness.now.wall))
    }

    private static func news(_ id: String, source: String) -> NewsEvent {
        var news = NewsEvent.sample(id, kind: .alert)
        news.source = source
        return news
    }

    @Test mutating func `events of a paused topic wait whatever source they name, also after a restart`() {
        order(.pause, .topic("news"))
        harness.receive(Self.news("a", source: "desk"), Self.news("b", source: "wire"))
        harness.confirmAll()
        harness.crash(after: .seconds(60))
        #expect(harness.sends.isEmpty)
        order(.resume, .topic("news"))
        #expect(Set(harness.sending) == ["a", "b"])
    }

    @Test mutating func `events of another topic are sent while one is paused`() {
        order(.pause, .topic("wire"))
        harness.receive(Self.news("a", source: "wire"))
        #expect(harness.sending == ["a"])
    }

    @Test(arguments: [PauseScope.source("desk"), .topic("news")])
    mutating func `news paused by source and topic waits until both are resumed`(_ first: PauseScope) {
        let scopes: [PauseScope] = [.source("desk"), .topic("news")]
        for scope in scopes { order(.pause, scope) }
        harness.receive(Self.news("a", source: "desk"))
        harness.confirmAll()
        order(.resume, first)
        #expect(harness.sends.isEmpty)
        for scope in scopes where scope != first { order(.resume, scope) }
        #expect(harness.sending == ["a"])
    }

    @Test mutating func `an event of a paused topic that waits for another attempt is not sent`() {
        harness.receive(Self.news("a", source: "desk"))
        harness.answer(.unavailable)
        order(.pause, .topic("news"))
        harness.pass(.seconds(60))
        #expect(harness.sends.isEmpty)
        order(.resume, .topic("news"))
        #expect(harness.sending == ["a"])
    }
}
