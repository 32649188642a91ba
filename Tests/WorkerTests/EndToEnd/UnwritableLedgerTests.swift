import HubEmulator
import KafkaTestCluster
import NewsEvents
import Publishing
import TestSupport
import Testing
import Worker

/// A ledger that the brokers do not write.
@Suite(
    .timeLimit(.minutes(4)),
    .needsRealKafka
)
struct UnwritableLedgerTests {
    @Test
    func `the line is held but for a few flashes, and all goes on when the ledger can be written`() async throws {
        try await Newsroom.open { newsroom in
            let news = Desk.alerts(400)
            // So many at most may be sent again after a crash, but for flashes.
            let room = ExposureLimit().total - ExposureLimit().reserve
            let flashes = (1...5).map { Desk.event("flash-\($0)", kind: .flash) }
            let first = Desk.event("first")
            try await newsroom.withWorker { worker in
                // Nothing of a partition is worked on before its ledger says whose it is.
                try await newsroom.publish([first])
                _ = try await newsroom.finalOutcomes(1)
                // No record is that small, so each is refused, as by a full disk or for want of permission.
                try await newsroom.cluster.configure(newsroom.names.ledger, "max.message.bytes=10")
                try await newsroom.publish(news)
                _ = await newsroom.hub.waitForPushes(count: 1 + room)
                try await newsroom.publish(flashes)
                try await newsroom.hub.waitForPushes(of: flashes)
                let alerts = newsroom.hub.pushes.count { $0.property("id")?.hasPrefix("alert") == true }
                #expect(alerts <= room, "\(alerts) that nobody would know of after a crash")
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
