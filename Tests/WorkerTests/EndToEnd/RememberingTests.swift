import NewsflashEvents
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashWorker
import NotificationHubs
import Testing

/// The facts of stories outlive a worker.
@Suite(.timeLimit(.minutes(4)))
struct RememberingTests {
    @Test
    func `the next worker sends a kill to the notified audiences in the words of the notification`() async throws {
        try await Newsroom.open { newsroom in
            try await newsroom.withWorker { _ in
                try await newsroom.publish([Desk.event("r1", story: "a", category: "politics", headline: "It happened")]
                )
                _ = try await newsroom.finalOutcomes(1)
            }
            var kill = Desk.event("r2", story: "a", revision: 2, kind: .kill)
            kill.categories = []
            kill.text = []
            try await newsroom.withWorker { _ in
                try await newsroom.publish([kill, Desk.event("r3", story: "a", revision: 3)])
                _ = try await newsroom.finalOutcomes(3)
            }
            try await newsroom.readToTheEnd()
            #expect(newsroom.hub.pushes.map { $0.expression?.description } == ["Politics", "Politics"])
            #expect(newsroom.hub.pushes.last?.property("headline")?.contains("It happened") == true)
            let ends = newsroom.outcomes.sorted { $0.revision < $1.revision }.map { $0.reason ?? $0.outcome }
            #expect(ends == ["sent", "sent", "suppressed.killed"])
        }
    }

    @Test
    func `an event under embargo outlives its worker, blocks no offset and is sent by the next`() async throws {
        try await Newsroom.open { newsroom in
            var later = Desk.event("later")
            later.embargo = Timestamp.now() + .seconds(15)
            try await newsroom.withWorker { _ in
                try await newsroom.publish([later] + Desk.alerts(10))
                _ = try await newsroom.finalOutcomes(10)
            }
            let progress = try await newsroom.progress()
            #expect(progress.committed == [11])
            try await newsroom.withWorker { _ in
                _ = try await newsroom.finalOutcomes(11)
            }
            #expect(newsroom.hub.pushes.count == 11, "nothing is sent again")
            #expect(newsroom.hub.pushes.last?.property("id") == "later")
            let accepted = try #require(newsroom.hub.pushes.last?.time)
            let embargo = try #require(later.embargo)
            #expect(accepted >= embargo)
        }
    }

    @Test
    func `a damaged ledger is refused with the position, or skipped if so configured`() async throws {
        try await Newsroom.open { newsroom in
            let damage = KafkaRecord(
                topic: newsroom.names.ledger,
                partition: 0,
                key: Array("a".utf8),
                value: Array("{\"v\":1".utf8)
            )
            try await newsroom.cluster.write([damage])
            try await newsroom.publish([Desk.event("one")])
            let refusing = try await newsroom.startWorker()
            let complaint = try await newsroom.log.wait { entries in
                entries.first { $0.message.hasPrefix("the ledger of a partition cannot be read") }
            }
            #expect("\(complaint.metadata)".contains("offset 0"))
            #expect(refusing.unreadyReasons.contains { $0.hasPrefix("ledger: ") })
            #expect(newsroom.hub.pushes.isEmpty)
            await refusing.stop()
            var configuration = newsroom.configuration
            configuration.ledger.ignoresDamage = true
            try await newsroom.withWorker(configuration) { _ in
                _ = try await newsroom.finalOutcomes(1)
            }
            #expect(newsroom.hub.pushes.count == 1)
        }
    }
}
