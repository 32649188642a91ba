import NewsflashEvents
import NewsflashTimestamps
import NotificationHubs
import Testing

@testable import NewsflashPublishing

/// Events that wait for hubs which are away, slow, or both.
@Suite(.timeLimit(.minutes(1)))
struct HubWaitTests {
    private var harness = Self.harness(hubs: [HubRole("north"), HubRole("south")])

    /// A worker whose read-ahead has room for 600 small events.
    private static func harness(hubs: [HubRole], gets names: [String]? = nil) -> CoreHarness {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.hubs = hubs
        configuration.readAheadBytes = 600 * (PublishingConfiguration.bytesBesideRecord + 100)
        let live = hubs.filter { $0.mode == .live }.map(\.name)
        return CoreHarness(configuration, planner: EveryHubPlanner(hubs: names ?? live))
    }

    /// The number of events in memory.
    private var inMemory: Int { harness.core.events.count }

    /// The acts in flight to a hub.
    private func sending(to hub: Int) -> [String] {
        zip(harness.sends, harness.sending).filter { $0.0.hub == hub }.map(\.1)
    }

    /// Answers what is in flight: the circuit of a hub opens, and the others accept. It stays open for half a minute.
    private mutating func open(_ hub: Int, for duration: Int = 30) {
        for _ in 0..<duration {
            harness.drain { harness in
                guard let order = harness.sends.first else { return false }
                harness.answer(order.hub == hub ? .unauthorized : .accepted, at: order.hub)
                return true
            }
            harness.answerAllProbes(.unauthorized)
            harness.pass(.seconds(1))
            harness.confirmAll()
        }
    }

    /// Closes the circuit of a hub.
    private mutating func close() {
        for _ in 0..<60 where harness.core.status(now: harness.now).hubs.contains(where: { $0.circuit != nil }) {
            harness.answerAllProbes(.accepted)
            harness.pass(.seconds(1))
        }
        harness.answerRecalls()
    }

    @Test mutating func `news that waits only for its turn at a paused hub goes to the other when that has recovered`()
    {
        harness.receive(.sample("fault"))
        open(0)
        harness.receive(.sample("pausing"))
        harness.answer(.throttled(after: .seconds(600)), at: 1)
        harness.receive(.sample("news"))
        #expect(harness.sends.isEmpty)
        close()
        #expect(sending(to: 0).contains("news"))
    }

    @Test mutating func `an event that waited for one hub and now waits for another goes on when this has recovered`() {
        harness.receive(.sample("a"))
        harness.answer(.refused, at: 0)
        open(1)
        #expect(harness.ledger["story-of-a"]?.record.waiting.first?.hubs == ["south"])
        close()
        open(0)
        #expect(harness.ledger["story-of-a"]?.record.waiting.first?.hubs == ["north"])
        close()
        harness.finishAll()
        #expect(harness.verdicts == ["a: sent"])
    }

    @Test mutating func `news that waits again for a hub leaves memory again`() {
        for number in 0..<10 { harness.receive(.sample("e\(number)")) }
        open(0)
        #expect(inMemory == 0)
        close()
        #expect(inMemory == 10)
        open(0)
        #expect(inMemory == 0)
        close()
        harness.finishAll()
        #expect(harness.verdicts.sorted() == (0..<10).map { "e\($0): sent" })
    }

    @Test mutating func `news is not read from the ledger for a hub that is away again`() {
        for number in 0..<300 { harness.receive(.sample("e\(number)")) }
        open(0)
        harness.answersWaitingAtOnce = false
        for _ in 0..<60 where harness.recalls.isEmpty {
            harness.answerAllProbes(.accepted)
            harness.pass(.seconds(1))
        }
        harness.answerRecall()
        harness.answer(.unauthorized, at: 0)
        var count = 0
        while !harness.recalls.isEmpty, count < 300 {
            harness.answerRecall()
            count += 1
        }
        #expect(count < 100)
        close()
        harness.finishAll()
        harness.answerRecalls()
        harness.finishAll()
        #expect(harness.ended.count == 300)
    }

    @Test(arguments: [true, false])
    mutating func `news that is paused again leaves memory again`(isInFlight: Bool) {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.limits.concurrency = 1
        harness = CoreHarness(configuration)
        harness.order(ControlRecord(.pause, .all, by: .person("novak"), reason: "", at: harness.now.wall))
        for number in 0..<10 { harness.receive(.sample("e\(number)")) }
        harness.confirmAll()
        #expect(inMemory == 0)
        harness.order(ControlRecord(.resume, .all, by: .person("novak"), reason: "", at: harness.now.wall))
        harness.answerRecalls()
        #expect(inMemory == 10)
        if !isInFlight { harness.answer(.throttled(after: .seconds(1))) }
        harness.order(ControlRecord(.pause, .all, by: .person("novak"), reason: "", at: harness.now.wall))
        if isInFlight { harness.answer(.throttled(after: .seconds(1))) }
        harness.pass(.seconds(1))
        #expect(inMemory == 0)
    }

    @Test mutating func `news whose embargo ends is read from the ledger although memory is full`() {
        harness = CoreHarness(PublishingConfiguration(commitInterval: .zero))
        harness.answersWaitingAtOnce = false
        var later = NewsEvent.sample("later")
        later.embargo = harness.now.wall + .seconds(60)
        harness.receive(later, .sample("first"))
        harness.answer(.throttled(after: .seconds(600)))
        harness.confirmAll()
        for number in 0..<PublishingCore.mostInMemory { harness.receive(.sample("e\(number)")) }
        #expect(inMemory > PublishingCore.mostInMemory)
        harness.pass(.seconds(60))
        #expect(harness.recalls.count == 1)
    }

    @Test mutating func `timers of news that was sent do not stay until its life would have ended`() {
        for number in 0..<1500 { harness.receive(.sample("e\(number)")) }
        open(0)
        close()
        harness.finishAll()
        #expect(harness.ended.count == 1500)
        harness.pass(.seconds(61))
        #expect(harness.core.appointments.count <= 1000)
        #expect(harness.core.waiting.timerCount <= 1000)
    }

    @Test mutating func `news under embargo leaves memory when the outcome of an earlier revision is confirmed`() {
        harness.receive(.sample("a1", story: "a"))
        harness.answerAll(.accepted)
        harness.rememberAll()
        var next = NewsEvent.sample("a2", story: "a", revision: 2)
        next.embargo = harness.now.wall + .seconds(3600)
        harness.receive(next)
        harness.rememberAll()
        #expect(inMemory == 2)
        harness.confirmAll()
        #expect(inMemory == 0)
    }

    @Test mutating func `a hub that is away beside a slow one does not stop a third one`() {
        harness = Self.harness(hubs: [HubRole("away"), HubRole("slow"), HubRole("quick")])
        harness.receive(.sample("fault"))
        harness.answer(.unauthorized, at: 0)
        for _ in 0..<2 where !harness.sends.isEmpty { harness.answer(.accepted) }
        open(0)
        harness.receive(.sample("slow"))
        harness.answer(.throttled(after: .seconds(600)), at: 1)
        for number in 0..<1000 {
            harness.receive(.sample("e\(number)"))
            while harness.sends.contains(where: { $0.hub == 2 }) { harness.answer(.accepted, at: 2) }
            harness.confirmAll()
        }
        #expect(inMemory <= 250, "\(inMemory) of 1,000")
    }

    @Test mutating func `test events for a hub that throttles leave the memory to those of subscribers`() {
        harness = Self.harness(hubs: [HubRole("north"), HubRole("test", mode: .test)])
        for number in 0..<1000 {
            var event = NewsEvent.sample("t\(number)")
            event.mode = .test
            harness.receive(event)
            if harness.sends.contains(where: { $0.hub == 1 }) {
                harness.answer(.throttled(after: .seconds(100)), at: 1)
            }
            harness.confirmAll()
        }
        #expect(inMemory <= 400, "\(inMemory) of 1,000")
        harness.pass(.seconds(100))
        for _ in 0..<1000 where harness.ended.count < 1000 {
            harness.answerAll(.accepted)
            harness.confirmAll()
            harness.answerRecalls()
            harness.pass(.milliseconds(100))
        }
        #expect(harness.ended.count == 1000)
        #expect(harness.verdicts.allSatisfy { $0.hasSuffix(": sent") })
    }

    @Test mutating func `news for a slow hub alone leaves the memory to other news`() {
        harness = Self.harness(hubs: [HubRole("north"), HubRole("south")], gets: ["north"])
        for number in 0..<1000 {
            harness.receive(.sample("e\(number)"))
            harness.confirmAll()
        }
        #expect(inMemory <= 300, "\(inMemory) of 1,000")
    }

    @Test mutating func `news that a limit has counted is not stopped by its own words after a wait for a slow hub`() {
        var configuration = harness.core.configuration
        configuration.policy.volumeLimits.sameText = Rate(1, per: .seconds(86_400))
        harness = CoreHarness(configuration, planner: EveryHubPlanner(hubs: ["north"]))
        for number in 0..<300 {
            harness.receive(.sample("e\(number)", headline: "Headline \(number)"))
            harness.confirmAll()
        }
        for _ in 0..<300 where harness.ended.count < 300 {
            harness.finishAll()
            harness.answerRecalls()
            harness.pass(.seconds(1))
        }
        #expect(harness.ended.count == 300)
        #expect(harness.announced.isEmpty)
    }

    @Test mutating func `a correction that a hub refused in part does not end as sent after a wait for another hub`() {
        harness = CoreHarness(harness.core.configuration, planner: FactsPlanner())
        harness.receive(.sample("alert", story: "a"))
        harness.finishAll()
        harness.receive(.sample("fix", story: "a", revision: 2, kind: .correction))
        harness.answer(.accepted, at: 0)
        harness.answer(.refused, at: 0)
        open(1)
        #expect(harness.ledger["a"]?.record.waiting.first?.hubs == ["south"])
        close()
        for _ in 0..<10 where !harness.sends.isEmpty {
            harness.answer(harness.sends[0].hub == 0 ? .refused : .accepted)
        }
        harness.confirmAll()
        #expect(harness.verdicts.last == "fix: partial.refused")
    }

    @Test mutating func `under other rules news goes only to the hub for which it waited`() {
        harness.receive(.sample("a"))
        open(0)
        harness.core.adopt(RuleSet(harness.core.configuration, planner: EveryHubPlanner(tag: "sports")))
        close()
        #expect(harness.sends.map(\.hub) == [0])
        #expect(harness.sends.map(\.expression.description) == ["sports"])
        harness.finishAll()
        #expect(harness.verdicts == ["a: sent"])
    }
}

/// Two audiences at one hub and one at another; a correction goes to those that were notified.
private struct FactsPlanner: EventPlanning {
    func plan(
        _ event: NewsEvent,
        for addressees: Addressees,
        story: StoryFacts?,
        deadline: Timestamp,
        loudness: Audibility,
        now: Timestamp
    ) -> EventPlan {
        var audiences = [("north", "t1"), ("north", "t2"), ("south", "t1")]
        if case .notified(let facts, let owed) = addressees {
            audiences = (facts + owed).map { ($0.hub, $0.expression.description) }
        }
        return .send(audiences.compactMap { OneSendPlanner.send(event.id, tag: $0.1, hub: $0.0) }, warnings: [])
    }
}
