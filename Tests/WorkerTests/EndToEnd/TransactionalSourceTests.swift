import NewsflashEvents
import NewsflashKafka
import NewsflashKafkaMock
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import Testing

@testable import NewsflashWorker

/// Events in transactions, for example from an outbox with exactly-once. Only a real broker writes control records.
@Suite(.timeLimit(.minutes(4)), .enabled(if: KafkaTestCluster.isReal, "needs a real Kafka: for control records"))
struct TransactionalSourceTests {
    @Test
    func `the group's lag becomes zero after the markers of transactions`() async throws {
        try await Newsroom.open { newsroom in
            let writer = try await TransactionalWriter(newsroom.cluster, id: newsroom.cluster.uniqueName("outbox"))
            func records(_ events: [NewsEvent]) -> [KafkaRecord] {
                events.map { event in
                    KafkaRecord(
                        topic: newsroom.names.source,
                        partition: 0,
                        key: Array(event.story.utf8),
                        value: EventEncoder.encode(event)
                    )
                }
            }
            try await newsroom.withWorker { _ in
                try await writer.write(records(Desk.alerts(3)))
                _ = try await newsroom.finalOutcomes(3)
                try await writer.write(records(Desk.alerts(2, "taken-back")), isCommitted: false)
                // Three events and their marker, two aborted events and theirs.
                try await waitUntil { try await newsroom.progress().committed == [7] }
                #expect(try await newsroom.progress().ends == [7])
            }
            try await newsroom.readToTheEnd()
            #expect(newsroom.outcomes.count(where: \.isFinal) == 3)
        }
    }
}
