import NewsflashGuarantees
import NewsflashHubEmulator
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

/// A hub at an address that drops packets, until its name gets another address.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct NetworkTests {
    @Test(
        .enabled(if: Chaos.network.isAskedFor, Chaos.howTo),
        .enabled("needs root and the programs unshare, nsenter and ip: run it as root") { HubNetwork.isPossible }
    )
    func `network: a hub whose packets are dropped is reached within 5 s after its name has moved`()
        async throws
    {
        let network = try await HubNetwork()
        do {
            try await course(network)
        } catch {
            await network.close()
            throw error
        }
        await network.close()
    }

    private func course(_ network: HubNetwork) async throws {
        var setup = ChaosRun.Setup(rate: 50, mix: .alerts)
        setup.brokers = 1
        setup.mix.kill = 0.03
        setup.network = network
        try await ChaosRun.run(.network, setup) { run in
            try await run.fleet.start("a")
            async let written: Void = run.newsroom.write(.perSecond(run.rate))
            try await run.fleet.settle()
            try await run.wait(.seconds(10))
            let start = Timestamp.now()
            try await network.drop()
            try await run.wait(run.scenario.length)
            let before = run.newsroom.hub.pushes.count
            try network.moveName()
            let moved = Timestamp.now()
            let pushes = await run.newsroom.hub.waitForPushes(count: before + 60).dropFirst(before)
            run.newsroom.hubWasAway("main", start..<Timestamp.now())
            let others = try run.gaps(of: "", since: start).others
            run.newsroom.desk.stop()
            try await written
            let recovery = (pushes.first?.time ?? .now()) - moved
            let several = Dictionary(grouping: run.newsroom.hub.pushes) { $0.text }.values.count { $0.count > 1 }
            #expect(recovery <= .seconds(5), "sending began \(recovery.milliseconds) after the move")
            #expect(others <= run.bound(.seconds(3)), "the other hub was silent for \(others.milliseconds)")
            // Requests in flight when the packets were dropped may have arrived.
            #expect(several <= 72, "\(several) events were pushed more than once")
            try await run.conclude(
                "sending \(recovery.milliseconds) after the move, the other hub silent at most \(others.milliseconds), "
                    + "pushed more than once \(several)"
            ) { [$0.lost, $0.order, $0.outcomes, $0.forbidden, $0.withdrawals, $0.enough] }
        }
    }
}
