import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StatusTests {
    private func loads(_ harness: CoreHarness) -> [String] {
        harness.core.status(now: harness.now).lanes.map { "\($0.lane): \($0.waiting)+\($0.inFlight)" }
    }

    @Test func `each lane has the numbers of waiting events and of requests in flight`() {
        var harness = CoreHarness()
        harness.receive(.sample("a"))
        harness.receive(.sample("b", kind: .flash))
        #expect(loads(harness) == ["express: 0+1", "normal: 0+1", "retry: 0+0"])
        harness.answer(.throttled(after: .seconds(7)))
        harness.receive(.sample("c"))
        #expect(loads(harness) == ["express: 0+1", "normal: 2+0", "retry: 0+0"])
    }

    @Test func `each hub has its circuit, its limits and its pause`() throws {
        var harness = CoreHarness()
        harness.receive(.sample("a"))
        harness.answer(.throttled(after: .seconds(7)))
        let paused = try #require(harness.core.status(now: harness.now).hubs.first)
        #expect(paused.name == "main")
        #expect(paused.inFlight == 0)
        #expect(paused.pausedUntil == harness.now.wall + .seconds(7))
        harness.pass(.seconds(7))
        harness.answer(.unauthorized)
        let held = try #require(harness.core.status(now: harness.now).hubs.first)
        #expect(held.circuit?.reason == .unauthorized)
        #expect(held.pausedUntil == nil)
        #expect(held.concurrencyLimit > 0)
    }

    @Test func `each hub shows what keeps it from getting the next request`() throws {
        func limit(_ harness: CoreHarness) -> SendingLimit? { harness.core.status(now: harness.now).hubs.first?.limit }
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.exposureLimit = RiskLimit(total: 2, reserve: 1)
        var harness = CoreHarness(configuration)
        #expect(limit(harness) == .idle)
        harness.receive(.sample("a"))
        #expect(limit(harness) == .idle)
        harness.receive(.sample("b"))
        #expect(limit(harness) == .unconfirmed)
        harness.answer(.throttled(after: .seconds(7)))
        #expect(limit(harness) == .throttling)
        harness.pass(.seconds(7))
        harness.answer(.unauthorized)
        #expect(limit(harness) == .circuit)
    }

    @Test func `a partition has its number of open events and the time of the oldest`() throws {
        var harness = CoreHarness()
        let first = harness.now.wall
        harness.receive(.sample("a"))
        harness.pass(.seconds(3))
        harness.receive(.sample("b"))
        let open = try #require(harness.core.status(now: harness.now).partitions.first)
        #expect(open.frontier == 2)
        #expect(open.open == 2)
        #expect(open.oldestOpenTime == first)
    }
}
