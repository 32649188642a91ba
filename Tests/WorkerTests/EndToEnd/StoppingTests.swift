import NewsflashEvents
import NewsflashHubEmulator
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@testable import NewsflashWorker

@Suite(.timeLimit(.minutes(4)))
struct StoppingTests {
    @Test
    func `a stop under load commits accepted events, and the next worker sends exactly the rest`()
        async throws
    {
        try await Newsroom.open(partitions: 4, ["NEWSFLASH_DELIVERY_CONCURRENCY": "8"]) { newsroom in
            let events = Desk.alerts(300)
            newsroom.hub.setFault(Fault(latency: .milliseconds(20)))
            try await newsroom.withWorker { _ in
                try await newsroom.publish(events)
                _ = await newsroom.hub.waitForPushes(count: 60)
            }
            let sentByFirst = newsroom.hub.pushes.count
            #expect((60..<300).contains(sentByFirst))
            let progress = try await newsroom.progress()
            #expect(progress.committed.reduce(0, +) == Int64(sentByFirst))
            newsroom.hub.setFault(nil)
            try await newsroom.withWorker { _ in
                _ = try await newsroom.finalOutcomes(300)
            }
            try await newsroom.readToTheEnd()
            let sent = newsroom.hub.pushes.compactMap { $0.property("id") }
            #expect(sent.count == 300)
            #expect(Set(sent) == Set(events.map(\.id)))
            try newsroom.expectGuarantees(of: events)
        }
    }

    @Test
    func `a stop with an open circuit leaves all events for the next worker`() async throws {
        try await Newsroom.open { newsroom in
            let events = Desk.alerts(10)
            newsroom.hub.setFault(Fault(status: 503))
            try await newsroom.withWorker { _ in
                try await newsroom.publish(events)
                try await newsroom.waitForHold(.hubUnavailable)
            }
            let progress = try await newsroom.progress()
            #expect(progress.committed == [0])
            newsroom.hub.setFault(nil)
            try await newsroom.withWorker { _ in
                _ = try await newsroom.finalOutcomes(10)
            }
            #expect(newsroom.hub.pushes.count == 10)
        }
    }

    /// The embedded cluster does not wait for a member that has not returned its partitions.
    @Test(.needsRealKafka)
    func `a worker that stops longer than a session keeps its partitions, and nothing is sent twice`()
        async throws
    {
        try await Newsroom.open(["NEWSFLASH_DELIVERY_DRAIN": "25s"]) { newsroom in
            let events = Desk.alerts(5)
            newsroom.hub.setFault(Fault(latency: .seconds(10)))
            let leaving = try await newsroom.startWorker()
            try await newsroom.publish(events)
            let inFlight = "newsflash_requests_in_flight{hub=\"main\"} 5.0"
            try await waitUntil { leaving.scrape(.prometheus).contains(inFlight) }
            let stopping = Task { await leaving.stop() }
            // The next worker joins while the first one waits for answers.
            try await newsroom.withWorker { _ in
                #expect(await stopping.value)
                newsroom.hub.setFault(nil)
                _ = try await newsroom.finalOutcomes(5)
            }
            try await newsroom.readToTheEnd()
            let sent = newsroom.hub.pushes.compactMap { $0.property("id") }
            #expect(sent.sorted() == events.map(\.id).sorted())
            #expect(newsroom.outcomes.count(where: \.isFinal) == 5)
            let progress = try await newsroom.progress()
            #expect(progress.committed == progress.ends)
        }
    }

    @Test
    func `a second stop waits for the first, and returns the same result`() async throws {
        try await Newsroom.open { newsroom in
            let worker = try await newsroom.startWorker()
            async let first = worker.stop()
            async let second = worker.stop()
            #expect(await first)
            #expect(await second)
            #expect(await worker.stop())
        }
    }
}
