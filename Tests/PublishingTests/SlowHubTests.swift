import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps
import NotificationHubs
import Testing

/// Two live hubs, one of which is slower than the other. The read-ahead has room for 400 small events, so that each hub has a
/// share of 100.
@Suite(.timeLimit(.minutes(1)))
struct SlowHubTests {
    private static let slow = 0
    private static let count = 1000

    private var harness: CoreHarness = {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.hubs = [HubRole("north"), HubRole("south")]
        configuration.readAheadBytes = 400 * (PublishingConfiguration.bytesBesideRecord + 100)
        return CoreHarness(configuration, planner: EveryHubPlanner())
    }()

    /// The acts that the slow hub accepted, in order.
    private var accepted: [String] = []

    /// The number of events in memory that do not wait.
    private var inMemory: Int {
        mutating get {
            let events = harness.core.status(now: harness.now).events
            return (events["queued"] ?? 0) + (events["sending"] ?? 0)
        }
    }

    /// Answers the requests in flight: the quick hub accepts all.
    ///
    /// - Parameter reply: The answer of the slow hub; `nil` for none.
    private mutating func answer(slowly reply: HubReply?) {
        while let index = harness.sends.firstIndex(where: { $0.hub != Self.slow || reply != nil }) {
            let order = harness.sends[index]
            if order.hub == Self.slow, reply?.verdict == .accepted { accepted.append(harness.sending[index]) }
            harness.answer(order.hub == Self.slow ? reply ?? .accepted : .accepted, at: order.hub)
            if order.hub == Self.slow, reply?.verdict != .accepted { break }
        }
        harness.confirmAll()
    }

    private mutating func feed(slowly reply: HubReply?) {
        for number in 0..<Self.count {
            harness.receive(.sample("e\(number)"))
            answer(slowly: reply)
        }
    }

    /// Lets the slow hub accept everything until all events have ended.
    private mutating func recover() {
        for _ in 0..<300 where harness.ended.count < Self.count {
            answer(slowly: .accepted)
            harness.answerAllProbes(.accepted)
            harness.answerRecalls()
            harness.pass(.seconds(1))
        }
    }

    @Test(arguments: [HubReply.throttled(after: .seconds(5)), .throttledWithoutPause, .refused, nil])
    mutating func `events that only a slow hub needs use no more than its share of the memory`(reply: HubReply?) {
        feed(slowly: reply)
        let quick = Self.count - harness.ended.count
        #expect(inMemory <= 200, "\(inMemory) of \(quick)")
    }

    @Test mutating func `a slow hub gets what waits in the ledger in its order, once each`() {
        feed(slowly: nil)
        #expect(inMemory <= 200)
        recover()
        #expect(harness.ended.count == Self.count)
        #expect(accepted == (0..<Self.count).map { "e\($0)" })
        #expect(harness.committed == Int64(Self.count))
    }

    @Test mutating func `a slow hub that accepts again gets older events before new ones`() {
        var configuration = harness.core.configuration
        configuration.readAheadBytes *= 4
        harness = CoreHarness(configuration, planner: EveryHubPlanner())
        feed(slowly: nil)
        for number in 0..<500 {
            harness.receive(.sample("n\(number)"))
            answer(slowly: nil)
            for _ in 0..<2 {
                if let next = zip(harness.sends, harness.sending).first(where: { $0.0.hub == Self.slow })?.1 {
                    accepted.append(next)
                }
                harness.answer(.accepted, at: Self.slow)
            }
            harness.confirmAll()
            harness.answerRecalls()
        }
        #expect(accepted == (0..<Self.count).map { "e\($0)" })
    }

    @Test mutating func `events that come back from the ledger go before those that came meanwhile`() {
        harness.answersWaitingAtOnce = false
        feed(slowly: nil)
        answer(slowly: .accepted)
        #expect(!harness.recalls.isEmpty)
        for number in 0..<20 { harness.receive(.sample("n\(number)")) }
        harness.answersWaitingAtOnce = true
        harness.answerRecalls()
        recover()
        answer(slowly: .accepted)
        #expect(accepted.last == "n19")
    }

    @Test mutating func `a hub for test events, which has nothing to do, does not count when a slow hub gets events`() {
        var configuration = harness.core.configuration
        configuration.hubs.append(HubRole("test", mode: .test))
        harness = CoreHarness(configuration, planner: EveryHubPlanner())
        harness.answersWaitingAtOnce = false
        feed(slowly: nil)
        for number in 0..<300 { harness.receive(.sample("n\(number)")) }
        #expect(harness.recalls.isEmpty)
        for _ in 0..<100 {
            harness.answer(.accepted, at: Self.slow)
            harness.rememberAll()
        }
        #expect(!harness.recalls.isEmpty)
    }

    @Test mutating func `offsets are committed although a slow hub still needs the events`() {
        feed(slowly: .throttled(after: .seconds(5)))
        #expect(harness.committed == nil)
        harness.pass(.seconds(11))
        harness.confirmAll()
        #expect(harness.committed == Int64(Self.count))
    }

    @Test mutating func `after a restart a slow hub is given a part of its events at a time`() {
        feed(slowly: .throttled(after: .seconds(5)))
        harness.pass(.seconds(11))
        harness.confirmAll()
        harness.crash()
        for _ in 0..<20 {
            answer(slowly: .throttled(after: .seconds(5)))
            harness.pass(.seconds(1))
        }
        #expect(inMemory <= 400)
        recover()
        #expect(Set(accepted) == Set((0..<Self.count).map { "e\($0)" }))
    }

    @Test mutating func `two hubs that are equally slow keep their events in memory`() {
        for number in 0..<300 { harness.receive(.sample("e\(number)")) }
        for _ in 0..<20 { harness.answer(.accepted, at: 0) }
        harness.rememberAll()
        #expect(harness.ledger.values.allSatisfy { $0.record.waiting.isEmpty })
        var isSlow = false
        harness.drain { harness in
            isSlow.toggle()
            guard harness.sends.contains(where: { $0.hub == (isSlow ? 0 : 1) }) else { return !harness.sends.isEmpty }
            harness.answer(.accepted, at: isSlow ? 0 : 1)
            harness.rememberAll()
            return true
        }
        harness.confirmAll()
        #expect(harness.ended.count == 300)
    }

    @Test mutating func `the bound of requests at risk holds for all hubs together`() {
        var configuration = harness.core.configuration
        configuration.exposureLimit = RiskLimit(total: 6, reserve: 0)
        harness = CoreHarness(configuration, planner: EveryHubPlanner())
        for number in 0..<20 { harness.receive(.sample("e\(number)")) }
        #expect(harness.sends.count == 6)
    }

    @Test mutating func `a slow hub leaves a part of the requests at risk to the other one`() {
        var configuration = harness.core.configuration
        configuration.exposureLimit = RiskLimit(total: 6, reserve: 0)
        harness = CoreHarness(configuration, planner: EveryHubPlanner())
        feed(slowly: nil)
        #expect(harness.sends.map(\.hub) == [Int](repeating: Self.slow, count: 5))
        #expect(inMemory <= 200)
        recover()
        #expect(harness.ended.count == Self.count)
    }
}
