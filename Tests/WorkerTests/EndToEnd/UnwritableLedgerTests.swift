import NewsflashEvents
import NewsflashHubEmulator
import NewsflashKafkaTestCluster
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashWorker
import Testing

/// A ledger whose records the brokers refuse.
@Suite(
    .timeLimit(.minutes(4)),
    .needsRealKafka
)
struct UnwritableLedgerTests {
    @Test
    func `only a few flashes are sent until the ledger can be written again`() async throws {
        try await Newsroom.open { newsroom in
            let news = Desk.alerts(400)
            // The number of events, not counting flashes, that may be sent again after a crash.
            let room = RiskLimit().total - RiskLimit().reserve
            let flashes = (1...5).map { Desk.event("flash-\($0)", kind: .flash) }
            let first = Desk.event("first")
            try await newsroom.withWorker { worker in
                // No event of a partition is processed before its ledger names the owner.
                try await newsroom.publish([first])
                _ = try await newsroom.finalOutcomes(1)
                // No record is that small, so each is refused, as with a full disk or without the right to write.
                try await newsroom.cluster.configure(newsroom.names.ledger, "max.message.bytes=10")
                try await newsroom.publish(news)
                _ = await newsroom.hub.waitForPushes(count: 1 + room)
                try await newsroom.publish(flashes)
                try await newsroom.hub.waitForPushes(of: flashes)
                let alerts = newsroom.hub.pushes.count { $0.property("id")?.hasPrefix("alert") == true }
                #expect(alerts <= room, "\(alerts) would be unknown after a crash")
                #expect(newsroom.outcomes.map(\.event) == ["first"])
                try await newsroom.cluster.configure(newsroom.names.ledger, "max.message.bytes=1048588")
                _ = try await newsroom.finalOutcomes(406)
                #expect(worker.unreadyReasons.isEmpty)
            }
            try await newsroom.readToTheEnd()
            #expect(newsroom.hub.pushes.count == 406)
            try newsroom.expectGuarantees(of: [first] + news + flashes)
        }
    }
}
