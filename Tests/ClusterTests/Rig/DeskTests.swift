import NewsflashGuarantees
import NewsflashKafka
import NewsflashKafkaMock
import Testing

/// Tests of the desk that writes a plan.
@Suite(.timeLimit(.minutes(1)))
struct DeskTests {
    @Test
    func `a desk that waits for confirmations ends when it is cancelled`() async throws {
        let mock = try MockCluster()
        try mock.createTopic("news", partitions: 1)
        try mock.setRoundTripTime(.seconds(3), ofBroker: 1)
        let client = KafkaConfiguration(bootstrapServers: mock.bootstrapServers, clientID: "desk")
        let desk = Desk(NewsPlan(count: 10, mix: .alerts, seed: 1), client: client, topic: "news")
        let writing = Task {
            try await desk.write(
                .batches(10, backlog: .max),
                outcomes: OutcomeReader(outcomesTopic: "", onlyCounts: true)
            )
        }
        writing.cancel()
        await #expect(throws: CancellationError.self) { try await writing.value }
        #expect(desk.written.count == 10)
        #expect(desk.places.isEmpty, "nothing was confirmed")
        await desk.close()
    }
}
