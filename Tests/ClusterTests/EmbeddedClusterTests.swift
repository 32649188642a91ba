import NewsflashGuarantees
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaMock
import NewsflashTestSupport
import Testing

/// Workers in separate processes with the embedded cluster. These tests run in every checkout, without a Kafka.
@Suite(.timeLimit(.minutes(3)))
struct EmbeddedClusterTests {
    @Test
    func `a worker that is killed and started again loses nothing and keeps each story in order`() async throws {
        let mock = try MockCluster()
        let mix = NewsMix(kill: 0.03, hold: 0.02, duplicate: 0.02, stale: 0.02, unreadable: 0.01, unmapped: 0.01)
        let newsroom = try await Newsroom(
            KafkaConfiguration(bootstrapServers: mock.bootstrapServers, clientID: "newsroom"),
            name: "embedded",
            plan: NewsPlan(count: 600, mix: mix, seed: 33),
            Newsroom.Setup(partitions: 2, latency: .milliseconds(50), mock: mock)
        )
        let settings = WorkerProcess.Settings(session: .seconds(6), drain: .seconds(5), concurrency: 8)
        let fleet = Fleet(newsroom, folder: try TemporaryFolder(), isStable: true, settings)
        do {
            try await killAndRestart(fleet, in: newsroom)
        } catch {
            await fleet.end()
            await newsroom.close()
            throw error
        }
        await fleet.end()
        await newsroom.close()
    }

    private func killAndRestart(_ fleet: Fleet, in newsroom: Newsroom) async throws {
        let began = ContinuousClock.now
        async let written: Void = newsroom.write(.batches(100, backlog: 300))
        try await fleet.start("a")
        _ = await newsroom.hub.waitForPushes(count: newsroom.desk.plan.storyCount / 3)
        try await fleet.kill("a")
        let atKill = newsroom.hub.pushes.count
        try await fleet.start("a")
        try await written
        let places = Array(newsroom.desk.places.values)
        let isDone = await isDone(within: .seconds(40)) { try await newsroom.outcomeReader.finalOutcomes(of: places) }
        try await fleet.stopAll()
        let said = await fleet.saidOfPartitions
        #expect(isDone, "not every event has a final outcome\n\(said)")

        #expect(newsroom.desk.failures.isEmpty)
        #expect(newsroom.outcomeReader.present.faults.isEmpty)
        #expect(await fleet.sanitizerReports.isEmpty)
        for hub in newsroom.hubs {
            #expect(await fleet.linesSaid(with: hub.key) == 0, "the key of \(hub.label) appears in the log")
        }
        // In parallel with other tests the ledger may take seconds to confirm. The number of repeated requests stays
        // limited.
        var patience = Evidence.Patience()
        patience.record = .seconds(12)
        let evidence = try newsroom.evidence(
            disturbances: await fleet.disturbances,
            committed: await fleet.committed,
            patience: patience
        )
        #expect(Set(evidence.acceptances.map(\.worker)) == ["a.1", "a.2"], "both lives sent something")
        let findings = Findings(evidence)
        for guarantee in findings.all { #expect(guarantee.isMet, "\(guarantee)\n\(said)") }
        print("killed after \(atKill) sends, ended in \(ContinuousClock.now - began): \(findings)")
    }
}
