import NewsflashEvents
import NewsflashPublishing
import NewsflashRendering
import NewsflashTimestamps
import NotificationHubs
import Testing

/// Two live hubs and one test hub.
@Suite(.timeLimit(.minutes(1)))
struct SeveralHubsTests {
    private var harness: CoreHarness = {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.hubs = [HubRole("north"), HubRole("test", mode: .test), HubRole("south")]
        return CoreHarness(configuration, planner: EveryHubPlanner())
    }()

    /// The hub of each request in flight.
    private var hubs: [String] { harness.sends.map { harness.core.configuration.hubs[$0.hub].name } }

    @Test mutating func `live news goes to every live hub, and ends when all have accepted it`() {
        harness.receive(.sample("a"))
        #expect(hubs.sorted() == ["north", "south"])
        harness.answer(.accepted)
        #expect(harness.ended.isEmpty)
        harness.answer(.accepted)
        #expect(harness.verdicts == ["a: sent"])
    }

    @Test mutating func `a test event goes only to the test hub`() {
        var drill = NewsEvent.sample("a")
        drill.mode = .test
        harness.receive(drill)
        #expect(hubs == ["test"])
        harness.answer(.accepted)
        #expect(harness.verdicts == ["a: sent"])
    }

    @Test mutating func `a hub with an open circuit does not delay other hubs`() {
        for number in 0..<5 { harness.receive(.sample("fault\(number)")) }
        harness.drain { harness in
            guard let order = harness.sends.first else { return false }
            harness.answer(order.hub == 0 ? .unauthorized : .accepted)
            return true
        }
        harness.receive(.sample("b"))
        #expect(hubs == ["south"])
        harness.answer(.accepted)
        #expect(!harness.verdicts.contains("b: sent"))
        for _ in 0..<10 where harness.probes.isEmpty { harness.pass(.seconds(10)) }
        harness.answerProbe(.accepted)
        harness.answerAll(.accepted)
        #expect(harness.verdicts.contains("b: sent"))
    }

    @Test mutating func `the ledger stores events that wait for a failing hub, so that commits continue`() {
        for number in 0..<5 { harness.receive(.sample("e\(number)")) }
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

    @Test mutating func `flashes in the ledger are read before other news when their hub has recovered`() {
        recoverWithFlash()
        #expect(harness.recalls.first?.place == harness.ledger["flash"].map { .ledger($0.offset) })
    }

    @Test mutating func `other news waits until a recovered hub has the flashes that are in the ledger`() {
        recoverWithFlash()
        harness.receive(.sample("new"))
        #expect(hubs == ["south"])
        harness.answerRecall()
        let north = zip(hubs, harness.sending).filter { $0.0 == "north" }.map(\.1)
        #expect(north.first == "flash")
        #expect(north.dropFirst().first == "new")
    }

    @Test mutating func `other news waits no longer than a second for flashes that cannot be read from the ledger`() {
        recoverWithFlash()
        harness.receive(.sample("new"))
        harness.pass(.milliseconds(999))
        #expect(hubs == ["south"])
        #expect(harness.core.nextTimer(now: harness.now) == harness.now.instant + .milliseconds(1))
        harness.pass(.milliseconds(1))
        #expect(hubs.sorted() == ["north", "south"])
    }

    /// A hundred alerts and a flash wait in the ledger for the first hub. It recovers, and none of them has been read yet.
    private mutating func recoverWithFlash() {
        harness.answersWaitingAtOnce = false
        for number in 0..<100 { harness.receive(.sample("e\(number)")) }
        harness.receive(.sample("flash", story: "flash", kind: .flash))
        for _ in 0..<6 {
            harness.drain { harness in
                guard let order = harness.sends.first else { return false }
                harness.answer(order.hub == 0 ? .unauthorized : .accepted)
                return true
            }
            harness.confirmAll()
            harness.answerAllProbes(.unauthorized)
            harness.pass(.seconds(3))
        }
        harness.confirmAll()
        #expect(harness.committed == 101)
        for _ in 0..<10 where harness.recalls.isEmpty {
            harness.answerAllProbes(.accepted)
            if harness.recalls.isEmpty { harness.pass(.seconds(1)) }
        }
    }

    @Test mutating func `news goes to a recovered hub while another hub is still slow with it`() {
        for number in 0..<5 { harness.receive(.sample("e\(number)")) }
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
        harness.receive(.sample("slow"))
        harness.pass(.seconds(1))
        #expect(hubs == ["south"])
        for _ in 0..<10 where harness.probes.isEmpty { harness.pass(.seconds(1)) }
        harness.answerAllProbes(.accepted)
        harness.answerRecalls()
        let slow = zip(hubs, harness.sending).filter { $0.1 == "slow" }.map(\.0)
        #expect(slow.sorted() == ["north", "south"])
    }

    @Test mutating func `the ledger has the words of an event as soon as one of two hubs has accepted it`() {
        harness.receive(.sample("fault"))
        harness.answer(.unauthorized, at: 0)
        harness.answer(.accepted, at: 2)
        harness.confirmAll()
        harness.receive(.sample("a1", story: "a"))
        #expect(hubs == ["south"])
        harness.answer(.accepted)
        harness.confirmLedger()
        #expect(harness.ledger["a"]?.record.audiences.map(\.certainty) == [.accepted])
        #expect(harness.ledger["a"]?.record.wordsOffset == 1)
    }

    @Test mutating func `test events of a story change nothing for subscribers`() {
        harness.receive(.sample("a1", story: "a"))
        harness.answerAll(.accepted)
        var kill = NewsEvent.sample("a9", story: "a", revision: 9, kind: .kill, categories: [])
        kill.mode = .test
        harness.receive(kill)
        #expect(harness.verdicts.last == "a9: suppressed.never_sent")
        harness.receive(.sample("a2", story: "a", revision: 2))
        harness.answerAll(.accepted)
        #expect(harness.verdicts.last == "a2: sent")
    }

    @Test mutating func `a crash after one hub accepted an event repeats it at the other only`() {
        harness.receive(.sample("a"))
        harness.answer(.accepted)
        harness.answer(.unavailable)
        harness.pass(.seconds(15))
        harness.answer(.unavailable)
        harness.confirmAll()
        harness.crash()
        #expect(hubs.count == 1)
    }

    @Test mutating func `the ledger lists each request in flight, also one that begins while another has no answer`() {
        harness.receive(.sample("a1", story: "a"))
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
        harness.receive(.sample("a1", story: "a"))
        harness.answer(.accepted)
        harness.answer(.throttledWithoutPause)
    }

    @Test mutating func `a newer revision waits until the ledger has the end of the older one at the other hub`() {
        sendToOneHub()
        harness.receive(.sample("a2", story: "a", revision: 2))
        #expect(harness.verdicts == ["a1: superseded.revision"])
        #expect(hubs == [], "after a crash now the older one would be sent to the other hub after it")
        harness.rememberAll()
        #expect(hubs == ["north"], "south asked for a pause")
    }

    @Test mutating func `a flash interrupted by a crash continues, and another of its revision does not replace it`() {
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

    @Test mutating func `a withdrawal does not wait for the ledger if its audience has received the news`() {
        sendToOneHub()
        harness.receive(.sample("a2", story: "a", revision: 2, kind: .kill, categories: []))
        #expect(hubs == ["north"])
    }

    @Test mutating func `subscribers of a removed hub are not waited for`() {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.hubs = [HubRole("north")]
        harness = CoreHarness(configuration, planner: EveryHubPlanner())
        harness.receive(.sample("a"))
        harness.answer(.accepted)
        #expect(harness.verdicts == ["a: partial.hub_removed"])
    }

    @Test(arguments: ["north", "south"])
    mutating func `a kill that lacks a hub ends with that reason, although another hub refused it`(kept: String) {
        harness.receive(.sample("a1", story: "a"))
        harness.answerAll(.accepted)
        harness.confirmAll()
        harness.crash(hubs: [HubRole(kept)])
        harness.receive(.sample("a2", story: "a", revision: 2, kind: .kill, categories: []))
        #expect(hubs == [kept])
        harness.answer(.refused)
        #expect(harness.verdicts.last == "a2: failed.hub_removed")
    }
}

/// Plans a request to each hub of the event's mode; for a kill, to each hub with a notified audience.
struct EveryHubPlanner: EventPlanning {
    var hubs = ["north", "south"]
    var tag = "world"

    func plan(
        _ event: NewsEvent,
        for addressees: Addressees,
        story: StoryFacts?,
        deadline: Timestamp,
        loudness: Audibility,
        now: Timestamp
    ) -> EventPlan {
        var hubs = event.mode == .test ? ["test"] : hubs
        if event.kind == .kill, case .notified(let facts, _) = addressees { hubs = facts.map(\.hub) }
        let sends = hubs.compactMap { OneSendPlanner.send(event.id, tag: tag, hub: $0) }
        return .send(sends, warnings: [])
    }
}
