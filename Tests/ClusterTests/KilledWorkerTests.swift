import HubEmulator
import Kafka
import KafkaTestCluster
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Three brokers, two workers, and a `kill -9` of one of each.
@Suite(
    .enabled(if: KafkaTestCluster.isReal, "set KAFKA_HOME to a Kafka in the official layout; it needs Java"),
    .timeLimit(.minutes(10))
)
struct KilledWorkerTests {
    @Test
    func `a killed worker and a killed broker lose nothing and keep each story in order`() async throws {
        let cluster = try await RealCluster.start(brokers: 3)
        do {
            try await withTemporaryFolder { folder in try await run(on: cluster, folder: folder) }
        } catch {
            await cluster.stop()
            throw error
        }
        await cluster.stop()
    }

    private func run(on cluster: RealCluster, folder: String) async throws {
        let client = KafkaConfiguration(bootstrapServers: cluster.bootstrapServers, clientID: "newsroom")
        let newsroom = try await Newsroom(client, name: "killed", partitions: 6, latency: .milliseconds(20))
        let staying = try await WorkerProcess("staying", in: newsroom, folder: folder, drain: 5)
        let dying = try await WorkerProcess("dying", in: newsroom, folder: folder, drain: 5)
        defer {
            staying.program.end()
            dying.program.end()
        }
        let story = Course(cluster: cluster, newsroom: newsroom, staying: staying, dying: dying)
        do {
            try await story.run(NewsPlan(count: 20_000, invalid: 100, seed: 20_26))
        } catch {
            await newsroom.close()
            throw error
        }
        await newsroom.close()
    }
}

/// What happens in the test, step by step.
private struct Course {
    let cluster: RealCluster
    let newsroom: Newsroom
    let staying: WorkerProcess
    let dying: WorkerProcess

    func run(_ plan: NewsPlan) async throws {
        let owned = try await waitForShares()
        let began = ContinuousClock.now
        // So far ahead that revisions meet in the workers, and not so far that most of them do.
        async let produced: Void = newsroom.produce(plan, backlog: 5000)

        // Each story is sent once at least, so these moments come however many revisions are overtaken.
        _ = await newsroom.hub.waitForSends(count: plan.storyCount / 3)
        dying.program.signal(SIGKILL)
        #expect(try await dying.program.waitForEnd() == 128 + SIGKILL)
        let committed = try await newsroom.admin.committedOffsets(
            ofGroup: newsroom.group,
            partitions: newsroom.sourcePartitions
        )

        let atKill = await newsroom.hub.waitForSends(count: plan.storyCount * 2 / 3).count
        let topic = try #require(try await newsroom.admin.topic(newsroom.source))
        let broker = try #require(topic.partitions.first?.leader)
        try await cluster.kill(broker)
        _ = await newsroom.hub.waitForSends(count: atKill + 200)
        try await cluster.restart(broker)

        try await produced
        let isDone = await isDone(within: .seconds(300)) {
            try await newsroom.ledger.finalOutcomes(plan.records.count)
        }
        let took = ContinuousClock.now - began
        #expect(isDone, "not every event has a final outcome")

        staying.program.signal(SIGTERM)
        #expect(try await staying.program.waitForEnd() == 0)
        try check(plan, owned: owned, committed: committed, took: took)
    }

    /// Waits until both workers have their half.
    ///
    /// - Returns: What the worker owns that is to die.
    private func waitForShares() async throws -> [KafkaTopicPartition] {
        var shares = (staying: 1, dying: 1)
        while true {
            let first = try await staying.assignment(shares.staying, of: newsroom)
            let second = try await dying.assignment(shares.dying, of: newsroom)
            if !first.isEmpty, !second.isEmpty, Set(first + second).count == 6, first.count + second.count == 6 {
                return second
            }
            // Who has all of them has them from before the other came.
            if first.count == 6 { shares.staying += 1 } else { shares.dying += 1 }
        }
    }

    private func check(
        _ plan: NewsPlan,
        owned: [KafkaTopicPartition],
        committed: [KafkaTopicPartition: Int64],
        took: Duration
    ) throws {
        let acceptances = try newsroom.acceptances()
        let places = newsroom.placesByEvent
        let ended = newsroom.ledger.present
        #expect(ended.faults.isEmpty)
        #expect(places.count == plan.records.count)

        let accepted = Set(acceptances.map(\.event))
        func events(where isMet: (RecordPlace) -> Bool) -> Set<String> { Set(places.filter { isMet($0.value) }.keys) }
        let deadLetters = events { ended.deadLetters.contains($0) }
        let overtaken = events { place in ["superseded", "duplicate"].contains(ended.outcomes[place]) }
        let lost = NothingLost(
            produced: plan.records.map(\.id),
            accepted: accepted,
            deadLetters: deadLetters,
            overtaken: overtaken
        )
        #expect(lost.isMet, "\(lost)")
        #expect(deadLetters == Set(plan.records.filter { !$0.isValid }.map(\.id)))
        let unsent = events { ended.outcomes[$0] == "sent" }.subtracting(accepted)
        #expect(unsent.isEmpty, "sent by their outcome only: \(unsent.prefix(10))")

        let window = ReplayWindow(
            worker: dying.name,
            partitions: owned,
            committed: committed,
            acceptances: acceptances,
            places: places
        )
        #expect(acceptances.contains { $0.worker == dying.name })
        let order = OrderedPerStory(acceptances) { acceptance in
            guard acceptance.worker != dying.name, let place = places[acceptance.event] else { return 0 }
            return window.committed[place.partition] == nil ? 0 : 1
        }
        #expect(order.isMet, "\(order)")
        let doubles = Doubles(acceptances, window: window)
        #expect(doubles.unexplained.isEmpty, "\(doubles)\n\(dying.saidOfPartitions)\n\(staying.saidOfPartitions)")
        #expect(doubles.count <= window.events.count)
        print(
            """
            \(plan.records.count) events of \(plan.storyCount) stories: \(accepted.count) accepted, \
            \(deadLetters.count) dead letters, \(overtaken.subtracting(accepted).count) overtaken, \
            \(doubles.count) doubles of at most \(window.events.count) (accepted above the committed offsets), \
            \(order.resurfaced) resurfaced, \(ended.repeats) outcomes twice, in \(took)
            """
        )
    }
}

/// Does something that may take for ever if something is broken.
///
/// - Parameters:
///   - deadline: How long to wait for it.
///   - body: Heeds cancellation.
/// - Returns: Whether it was done in time.
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
