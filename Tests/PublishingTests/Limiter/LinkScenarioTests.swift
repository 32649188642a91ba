import NewsflashPublishing
import NewsflashTimestamps
import NotificationHubs
import Testing

/// The limiter finds the rate of hubs of every kind.
@Suite(.timeLimit(.minutes(1)))
struct LinkScenarioTests {
    @Test(arguments: [Duration.milliseconds(20), .milliseconds(200)])
    func `a steady hub is used in full within five seconds`(latency: Duration) {
        let link = SimulatedLink(latency: .steady(latency))
        let result = link.run(for: .seconds(8))
        #expect(result.rate(in: .seconds(5)..<Duration.seconds(8)) > 56 / (latency / .seconds(1)) * 0.95)
        #expect(result.limits.contains { $0.at <= .seconds(5) && $0.limit >= 56 })
    }

    @Test(arguments: 1...2)
    func `jitter alone does not reduce the limit`(seed: UInt64) {
        let link = SimulatedLink(latency: .jitter(.milliseconds(20)...Duration.milliseconds(100)))
        let result = link.run(for: .seconds(15), seed: seed)
        #expect(result.rate(in: .seconds(5)..<Duration.seconds(15)) > 56 / 0.06 * 0.9)
    }

    @Test(arguments: [Duration.milliseconds(50), .milliseconds(200)])
    func `the limit settles near the concurrency at which the hub becomes slower`(latency: Duration) {
        var link = SimulatedLink(latency: .knee(at: 40, latency))
        link.limits = SendLimiter.Limits(concurrency: 256, expressReserve: 8)
        let result = link.run(for: .seconds(40))
        let settled = result.limits.filter { $0.at > .seconds(15) }.map(\.limit)
        #expect(settled.allSatisfy { (32...48).contains($0) }, "\(settled.min() ?? 0) to \(settled.max() ?? 0)")
        #expect(result.rate(in: .seconds(15)..<Duration.seconds(40)) > 40 / (latency / .seconds(1)) * 0.8)
    }

    @Test(arguments: [
        SimulatedLink.Allowance.window(perSecond: 200, retryAfter: .seconds(1)),
        .window(perSecond: 200, retryAfter: nil),
        .bucket(perSecond: 200, burst: 200, retryAfter: .seconds(1)),
        .bucket(perSecond: 200, burst: 10, retryAfter: nil),
    ])
    func `a hub that allows 200 requests a second accepts nearly as many, and a flash does not wait`(
        allowance: SimulatedLink.Allowance
    ) throws {
        for latency in [Duration.milliseconds(3), .milliseconds(100)] {
            let link = SimulatedLink(latency: .steady(latency), allowance: allowance, flashes: .milliseconds(499))
            let result = link.run(for: .seconds(90))
            // The limiter finds the rate in the first seconds.
            let goodput = result.rate(in: .seconds(5)..<Duration.seconds(90))
            #expect(goodput >= 190, "\(latency): \(goodput) a second")
            let refused = Double(result.refused.count) / Double(result.accepted.count + result.refused.count)
            #expect(refused <= 0.05, "\(latency): \(refused) refused")
            let waits = result.flashes.filter { $0.at > .seconds(5) }.map(\.wait).sorted()
            let slowest = try #require(waits.dropLast(waits.count / 100).last)
            // One or two refusals at most, each followed by another attempt soon.
            #expect(slowest <= latency * 3 + .milliseconds(100), "\(latency): p99 \(slowest)")
            #expect(result.opened.isEmpty)
        }
    }

    @Test(arguments: [0.001, 0.05])
    func `refusals that do not depend on the rate hardly reduce it`(share: Double) {
        let link = SimulatedLink(
            latency: .steady(.milliseconds(50)),
            allowance: .chance(share, retryAfter: .seconds(1)),
            flashes: .milliseconds(499)
        )
        let result = link.run(for: .seconds(40))
        #expect(result.rate(in: .seconds(10)..<Duration.seconds(40)) > 56 / 0.05 * 0.75)
    }

    @Test func `an outage opens the circuit, and sending continues within five seconds of its end`() throws {
        let outage = Duration.seconds(5)..<Duration.seconds(305)
        let link = SimulatedLink(latency: .steady(.milliseconds(50)), trouble: .outage(outage))
        let result = link.run(for: .seconds(320))
        #expect(result.opened.count == 1)
        let released = try #require(result.closed.first)
        #expect(released >= outage.upperBound && released < outage.upperBound + .seconds(5))
        #expect(result.failed.count <= 64 + 5, "only probes were sent meanwhile")
        #expect(result.rate(\.probes, in: outage) <= 1)
        #expect(result.rate(in: .seconds(312)..<Duration.seconds(320)) > 56 / 0.05 * 0.95)
    }

    @Test func `a hub that accepts requests but answers late gets only probes`() throws {
        let brownOut = Duration.seconds(5)..<Duration.seconds(305)
        let link = SimulatedLink(latency: .steady(.milliseconds(50)), trouble: .brownOut(brownOut))
        let result = link.run(for: .seconds(335))
        #expect(result.failed.count <= 64, "only the requests in flight")
        let released = try #require(result.closed.last)
        #expect(released < brownOut.upperBound + .seconds(20))
        #expect(result.rate(in: .seconds(327)..<Duration.seconds(335)) > 56 / 0.05 * 0.95)
    }

    @Test func `a raised limit is found within a minute`() {
        let link = SimulatedLink(
            latency: .steady(.milliseconds(5)),
            allowance: .bucket(perSecond: 200, burst: 20, retryAfter: .seconds(1)),
            raised: .seconds(60)
        )
        let result = link.run(for: .seconds(140))
        #expect(result.rate(in: .seconds(30)..<Duration.seconds(60)) > 190)
        #expect(result.rate(in: .seconds(120)..<Duration.seconds(140)) > 900)
    }
}
