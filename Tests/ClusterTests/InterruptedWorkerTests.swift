import NewsflashGuarantees
import NewsflashHubEmulator
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A worker that is stopped under load.
@Suite(
    .needsRealKafka,
    .timeLimit(.minutes(10))
)
struct InterruptedWorkerTests {
    private static let settings = WorkerProcess.Settings(session: .seconds(30), drain: .seconds(10), concurrency: 32)

    @Test
    func `a worker interrupted under load ends cleanly, and the next one repeats no send`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let newsroom = try await Newsroom(
            cluster.client(),
            name: cluster.uniqueName("interrupted"),
            plan: NewsPlan(count: 4000, mix: NewsMix(unreadable: 0.005), seed: 7),
            Newsroom.Setup(partitions: 3)
        )
        do {
            try await run(in: newsroom)
        } catch {
            await newsroom.close()
            throw error
        }
        await newsroom.close()
    }

    private func run(in newsroom: Newsroom) async throws {
        let folder = try TemporaryFolder()
        // A short backlog, so that new revisions are written while the first revision is in flight.
        async let written: Void = newsroom.write(.batches(50, backlog: 300))
        let first = try await WorkerProcess("first", in: newsroom, folder: folder, Self.settings)
        defer { first.program.end() }
        _ = await newsroom.hub.waitForPushes(count: 1000)
        let began = ContinuousClock.now
        let end = Disturbance(kind: .ended, worker: first.name, time: .now())
        first.program.signal(SIGINT)
        #expect(try await first.program.waitForEnd() == 0)
        let took = ContinuousClock.now - began
        let committed = await newsroom.committedOffsets()
        #expect(took < .seconds(10))
        let sentByFirst = newsroom.hub.pushes.count

        let next = try await WorkerProcess("next", in: newsroom, folder: folder, Self.settings)
        defer { next.program.end() }
        let count = newsroom.desk.plan.records.count
        #expect(
            await isDone(within: .seconds(120)) { try await newsroom.outcomeReader.finalOutcomes(count) },
            "not every event has a final outcome"
        )
        try await written
        next.program.signal(SIGTERM)
        #expect(try await next.program.waitForEnd() == 0)

        let evidence = try newsroom.evidence(
            disturbances: [end],
            committed: committed.map { [end: $0] } ?? [:]
        )
        let findings = Findings(evidence)
        for guarantee in findings.all { #expect(guarantee.isMet, "\(guarantee)") }
        print("\(count) events, interrupted after \(sentByFirst) sends, ended in \(took): \(findings)")
    }
}
