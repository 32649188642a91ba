import NewsEvents
import NotificationHubs
import Publishing
import Rendering
import Testing
import Timestamps

/// Two hubs for readers and one for tests.
@Suite(.timeLimit(.minutes(1)))
struct SeveralHubsTests {
    private var harness: CoreHarness = {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.hubs = [HubRole("north"), HubRole("test", mode: .test), HubRole("south")]
        return CoreHarness(configuration, planner: EveryHubPlanner())
    }()

    /// The hub of each request under way.
    private var hubs: [String] { harness.sends.map { harness.core.configuration.hubs[$0.hub].name } }

    @Test mutating func `live news goes to every live hub, and is done when all have it`() {
        harness.take(.sample("a"))
        #expect(hubs.sorted() == ["north", "south"])
        harness.answer(.accepted)
        #expect(harness.ended.isEmpty)
        harness.answer(.accepted)
        #expect(harness.verdicts == ["a: sent"])
    }

    @Test mutating func `a test goes to the test hub alone`() {
        var drill = NewsEvent.sample("a")
        drill.mode = .test
        harness.take(drill)
        #expect(hubs == ["test"])
        harness.answer(.accepted)
        #expect(harness.verdicts == ["a: sent"])
    }

    @Test mutating func `a hub that is held keeps no other hub waiting`() {
        for number in 0..<5 { harness.take(.sample("fault\(number)")) }
        harness.drain { harness in
            guard let order = harness.sends.first else { return false }
            harness.answer(order.hub == 0 ? .unauthorized : .accepted)
            return true
        }
        harness.take(.sample("b"))
        #expect(hubs == ["south"])
        harness.answer(.accepted)
        #expect(!harness.verdicts.contains("b: sent"))
        for _ in 0..<10 where harness.probes.isEmpty { harness.pass(.seconds(10)) }
        harness.answerProbe(.accepted)
        harness.answerAll(.accepted)
        #expect(harness.verdicts.contains("b: sent"))
    }

    @Test mutating func `the ledger keeps what waits for a hub that is away, and no offset waits for it`() {
        for number in 0..<5 { harness.take(.sample("e\(number)")) }
        harness.drain { harness in
            guard let order = harness.sends.first else { return false }
            harness.answer(order.hub == 0 ? .unauthorized : .accepted)
            return true
        }
        harness.confirmAll()
        for _ in 0..<5 {
            harness.answerAllProbes(.unauthorized)
            harness.pass(.seconds(3))
            harness.confirmAll()
        }
        #expect(harness.ended.isEmpty)
        #expect(harness.committed == 5)
        for _ in 0..<10 where harness.ended.count < 5 {
            harness.answerAllProbes(.accepted)
            harness.answerRecalls()
            harness.finishAll()
            harness.pass(.seconds(1))
        }
        #expect(harness.verdicts.sorted() == (0..<5).map { "e\($0): sent" })
    }

    @Test mutating func `news goes to a hub that is back while another hub takes its time with it`() {
        for number in 0..<5 { harness.take(.sample("e\(number)")) }
        harness.drain { harness in
            guard let order = harness.sends.first else { return false }
            harness.answer(order.hub == 0 ? .unauthorized : .accepted)
            return true
        }
        harness.confirmAll()
        for _ in 0..<5 {
            harness.answerAllProbes(.unauthorized)
            harness.pass(.seconds(3))
        }
        harness.take(.sample("slow"))
        harness.pass(.seconds(1))
        #expect(hubs == ["south"])
        for _ in 0..<10 where harness.probes.isEmpty { harness.pass(.seconds(1)) }
        harness.answerAllProbes(.accepted)
        harness.answerRecalls()
        let slow = zip(hubs, harness.sending).filter { $0.1 == "slow" }.map(\.0)
        #expect(slow.sorted() == ["north", "south"])
    }

    @Test mutating func `the ledger has the words of an event as soon as one of two hubs has accepted it`() {
        harness.take(.sample("fault"))
        harness.answer(.unauthorized, at: 0)
        harness.answer(.accepted, at: 2)
        harness.confirmAll()
        harness.take(.sample("a1", story: "a"))
        #expect(hubs == ["south"])
        harness.answer(.accepted)
        harness.remember()
        #expect(harness.ledger["a"]?.record.audiences.map(\.certainty) == [.accepted])
        #expect(harness.ledger["a"]?.record.wordsOffset == 1)
    }

    @Test mutating func `what tests do to a story changes nothing for readers`() {
        harness.take(.sample("a1", story: "a"))
        harness.answerAll(.accepted)
        var kill = NewsEvent.sample("a9", story: "a", revision: 9, kind: .kill, categories: [])
        kill.mode = .test
        harness.take(kill)
        #expect(harness.verdicts.last == "a9: suppressed.never_sent")
        harness.take(.sample("a2", story: "a", revision: 2))
        harness.answerAll(.accepted)
        #expect(harness.verdicts.last == "a2: sent")
    }

    @Test mutating func `a crash after one hub took it sends to the other only`() {
        harness.take(.sample("a"))
        harness.answer(.accepted)
        harness.answer(.unavailable)
        harness.pass(.seconds(15))
        harness.answer(.unavailable)
        harness.confirmAll()
        harness.crash()
        #expect(hubs.count == 1)
    }

    @Test mutating func `the ledger names each request in flight, also one that begins while another has no answer`() {
        harness.take(.sample("a1", story: "a"))
        harness.pass(.milliseconds(300))
        harness.rememberAll()
        #expect(harness.ledger["a"]?.record.audiences.map(\.audience.hub).sorted() == ["north", "south"])
        harness.answer(.throttledWithoutPause, at: 2)
        harness.rememberAll()
        #expect(harness.ledger["a"]?.record.audiences.map(\.audience.hub) == ["north"])
        harness.pass(.seconds(15))
        #expect(hubs == ["north", "south"])
        harness.pass(.milliseconds(300))
        harness.rememberAll()
        #expect(harness.ledger["a"]?.record.audiences.map(\.audience.hub).sorted() == ["north", "south"])
    }

    /// Has one hub accept the first revision of story a, and the other refuse it for now.
    private mutating func sendToOneHub() {
        harness.take(.sample("a1", story: "a"))
        harness.answer(.accepted)
        harness.answer(.throttledWithoutPause)
    }

    @Test mutating func `a newer revision waits until the ledger knows that the other hub will not get the older one`()
    {
        sendToOneHub()
        harness.take(.sample("a2", story: "a", revision: 2))
        #expect(harness.verdicts == ["a1: superseded.revision"])
        #expect(hubs == [], "after a crash now the older one would follow it to the other hub")
        harness.rememberAll()
        #expect(hubs == ["north"], "south asked for a pause")
    }

    @Test mutating func `a flash that a crash interrupted goes on, and one of its revision does not take its place`() {
        let unread = harness.write(
            .sample("a3", story: "a", revision: 3),
            .sample("b3", story: "a", revision: 3, kind: .flash)
        )
        harness.scout(unread)
        harness.answer(.accepted)
        harness.answer(.throttledWithoutPause)
        harness.confirmAll()
        harness.crash()
        #expect(hubs == ["south"])
        harness.answer(.accepted)
        #expect(harness.verdicts == ["a3: superseded.revision", "b3: sent"])
    }

    @Test mutating func `a withdrawal waits for no ledger if its audience has seen the news`() {
        sendToOneHub()
        harness.take(.sample("a2", story: "a", revision: 2, kind: .kill, categories: []))
        #expect(hubs == ["north"])
    }

    @Test mutating func `readers of a hub that is configured no more are not waited for`() {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.hubs = [HubRole("north")]
        harness = CoreHarness(configuration, planner: EveryHubPlanner())
        harness.take(.sample("a"))
        harness.answer(.accepted)
        #expect(harness.verdicts == ["a: partial.hub_removed"])
    }

    @Test(arguments: ["north", "south"])
    mutating func `a kill that lacks a hub ends with that reason, although another hub refused it`(kept: String) {
        harness.take(.sample("a1", story: "a"))
        harness.answerAll(.accepted)
        harness.confirmAll()
        harness.crash(hubs: [HubRole(kept)])
        harness.take(.sample("a2", story: "a", revision: 2, kind: .kill, categories: []))
        #expect(hubs == [kept])
        harness.answer(.refused)
        #expect(harness.verdicts.last == "a2: failed.hub_removed")
    }
}

/// Plans a request to each hub of the event's mode; of a kill, to each that was notified.
struct EveryHubPlanner: EventPlanning {
    func plan(
        _ event: NewsEvent,
        for addressees: Addressees,
        story: StoryFacts?,
        deadline: Timestamp,
        loudness: Loudness,
        now: Timestamp
    ) -> EventPlan {
        var hubs = event.mode == .test ? ["test"] : ["north", "south"]
        if event.kind == .kill, case .notified(let facts, _) = addressees { hubs = facts.map(\.hub) }
        let sends = hubs.compactMap { OneSendPlanner.send(event.id, tag: "world", hub: $0) }
        return .send(sends, warnings: [])
    }
}
