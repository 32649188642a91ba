import HubEmulator
import KafkaTestCluster
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A worker that is asked to stop while it has much to do.
@Suite(
    .enabled(if: KafkaTestCluster.isReal, "set KAFKA_HOME to a Kafka in the official layout; it needs Java"),
    .timeLimit(.minutes(10))
)
struct InterruptedWorkerTests {
    private static let drain = 10

    @Test
    func `an interrupt under load ends cleanly, and the next worker sends nothing twice`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        try await withTemporaryFolder { folder in
            let newsroom = try await Newsroom(
                cluster.client(),
                name: cluster.uniqueName("interrupted"),
                partitions: 3,
                latency: .milliseconds(20)
            )
            do {
                try await run(in: newsroom, folder: folder)
            } catch {
                await newsroom.close()
                throw error
            }
            await newsroom.close()
        }
    }

    private func run(in newsroom: Newsroom, folder: String) async throws {
        let plan = NewsPlan(count: 4000, invalid: 20, seed: 7)
        // A short backlog, so that stories develop while their first revision is on its way to the hub.
        async let produced: Void = newsroom.produce(plan, batch: 50, backlog: 300)
        let first = try await WorkerProcess("first", in: newsroom, folder: folder, drain: Self.drain)
        defer { first.program.end() }
        _ = await newsroom.hub.waitForSends(count: 1000)
        let began = ContinuousClock.now
        first.program.signal(SIGINT)
        #expect(try await first.program.waitForEnd() == 0)
        let took = ContinuousClock.now - began
        #expect(took < .seconds(Self.drain))
        let sentByFirst = newsroom.hub.sends.count

        let next = try await WorkerProcess("next", in: newsroom, folder: folder, drain: Self.drain)
        defer { next.program.end() }
        #expect(
            await isDone(within: .seconds(120)) { try await newsroom.ledger.finalOutcomes(plan.records.count) },
            "not every event has a final outcome"
        )
        try await produced
        next.program.signal(SIGTERM)
        #expect(try await next.program.waitForEnd() == 0)

        let acceptances = try newsroom.acceptances()
        let ended = newsroom.ledger.present
        func events(where isMet: (RecordPlace) -> Bool) -> Set<String> {
            Set(newsroom.placesByEvent.filter { isMet($0.value) }.keys)
        }
        let lost = NothingLost(
            produced: plan.records.map(\.id),
            accepted: Set(acceptances.map(\.event)),
            deadLetters: events { ended.deadLetters.contains($0) },
            overtaken: events { ["superseded", "duplicate"].contains(ended.outcomes[$0]) }
        )
        #expect(lost.isMet, "\(lost)")
        let order = OrderedPerStory(acceptances)
        #expect(order.isMet, "\(order)")
        let doubles = Doubles(acceptances)
        #expect(doubles.count == 0, "\(doubles)")
        print(
            """
            \(plan.records.count) events, interrupted after \(sentByFirst) of \(acceptances.count) sends: \
            \(doubles.count) doubles, \(ended.repeats) outcomes twice, ended in \(took)
            """
        )
    }
}
