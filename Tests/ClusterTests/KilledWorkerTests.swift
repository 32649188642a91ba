import NewsflashGuarantees
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Three brokers and two workers. One broker and one worker are killed with `kill -9`.
@Suite(
    .needsRealKafka,
    .timeLimit(.minutes(10))
)
struct KilledWorkerTests {
    /// The session timeout is twice the time that the replacement of a dead coordinator took here, with a busy disk.
    ///
    /// The hubs are in this process, beside other tests: they once took more than five seconds to respond while the first worker
    /// gave three partitions to the second. Requests without a response at the end of `drain` are sent again.
    private static let settings = WorkerProcess.Settings(session: .seconds(30), drain: .seconds(20), concurrency: 32)

    @Test
    func `a killed worker and a killed broker lose nothing and keep each story in order`() async throws {
        let cluster = try await RealCluster.start(brokers: 3)
        do {
            try await run(on: cluster)
        } catch {
            await cluster.stop()
            throw error
        }
        await cluster.stop()
    }

    private func run(on cluster: RealCluster) async throws {
        let folder = try TemporaryFolder()
        let client = KafkaConfiguration(bootstrapServers: cluster.bootstrapServers, clientID: "newsroom")
        let plan = NewsPlan(count: isLongRun ? 20_000 : 5_000, mix: NewsMix(unreadable: 0.005), seed: 20_26)
        let newsroom = try await Newsroom(client, name: "killed", plan: plan, Newsroom.Setup(partitions: 6))
        let staying = try await WorkerProcess("staying", in: newsroom, folder: folder, Self.settings)
        let dying = try await WorkerProcess("dying", in: newsroom, folder: folder, Self.settings)
        defer {
            staying.program.end()
            dying.program.end()
        }
        let course = Course(cluster: cluster, newsroom: newsroom, staying: staying, dying: dying)
        do {
            try await course.run()
        } catch {
            await newsroom.close()
            throw error
        }
        await newsroom.close()
    }
}

/// The steps of the test.
private struct Course {
    let cluster: RealCluster
    let newsroom: Newsroom
    let staying: WorkerProcess
    let dying: WorkerProcess

    func run() async throws {
        let plan = newsroom.desk.plan
        let began = ContinuousClock.now
        // A backlog so long that some revisions meet in the workers, but not most of them.
        async let written: Void = newsroom.write(.batches(500, backlog: 5000))
        // A worker that dies before it has worked on a partition leads to repeated outcomes, as if it had worked on it.
        try await newsroom.acceptanceReader?.waitForOwners { [dying] in $0.values.count { $0 == dying.name } == 3 }

        // Each story is sent at least once, so these waits end however many revisions are superseded.
        _ = await newsroom.hub.waitForPushes(count: plan.storyCount / 3)
        dying.program.signal(SIGKILL)
        let death = Disturbance(kind: .killed, worker: dying.name, time: .now())
        let committed = await newsroom.committedOffsets()
        #expect(try await dying.program.waitForEnd() == 128 + SIGKILL)

        let atKill = await newsroom.hub.waitForPushes(count: plan.storyCount * 2 / 3).count
        let topic = try #require(try await newsroom.admin.topic(newsroom.source))
        let broker = try #require(topic.partitions.first?.leader)
        let atOutage = await newsroom.committedOffsets()
        let start = Timestamp.now()
        try await cluster.kill(broker)
        _ = await newsroom.hub.waitForPushes(count: atKill + 200)
        try await cluster.restart(broker)
        newsroom.brokerWasDead(start..<Timestamp.now(), committed: atOutage)

        try await written
        let isDone = await isDone(within: .seconds(300)) {
            try await newsroom.outcomeReader.finalOutcomes(plan.records.count)
        }
        let took = ContinuousClock.now - began
        #expect(isDone, "not every event has a final outcome")
        staying.program.signal(SIGTERM)
        #expect(try await staying.program.waitForEnd() == 0)
        try await check(death: death, committed: committed, took: took)
    }

    private func check(death: Disturbance, committed: [TopicPartition: Int64]?, took: Duration) async throws {
        #expect(newsroom.outcomeReader.present.faults.isEmpty)
        #expect((staying.sanitizerReports + dying.sanitizerReports).isEmpty)
        #expect(newsroom.desk.failures.isEmpty)
        // In parallel with other tests the ledger may take seconds to confirm. The number of repeated requests stays
        // limited.
        var patience = Evidence.Patience()
        patience.record = .seconds(12)
        // A busy hub may accept requests after the death of their sender.
        patience.request = .seconds(1)
        let evidence = try newsroom.evidence(
            disturbances: ([death] + staying.losses + dying.losses).sorted { $0.time < $1.time },
            committed: committed.map { [death: $0] } ?? [:],
            patience: patience
        )
        let findings = Findings(evidence)
        for guarantee in findings.all {
            #expect(guarantee.isMet, "\(guarantee)\n\(dying.saidOfPartitions)\n\(staying.saidOfPartitions)")
        }
        print("\(evidence.records.count) events of \(newsroom.desk.plan.storyCount) stories in \(took): \(findings)")
    }
}

/// Runs work that may never end if something is broken.
///
/// - Parameters:
///   - deadline: The maximum time to wait.
///   - body: The work. It must respond to cancellation.
/// - Returns: Whether it finished in time.
func isDone(within deadline: Duration, _ body: @escaping @Sendable () async throws -> Void) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
        group.addTask {
            do {
                try await body()
                return true
            } catch {
                return false
            }
        }
        group.addTask {
            try? await Task.sleep(for: deadline)
            return false
        }
        defer { group.cancelAll() }
        return await group.next() ?? false
    }
}
