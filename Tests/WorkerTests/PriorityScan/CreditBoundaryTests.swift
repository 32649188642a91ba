import NewsflashEvents
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTopicPartitions
import Testing

@testable import NewsflashWorker

/// The record that the consumer has fetched but has no credit for.
@Suite(.timeLimit(.minutes(1)))
struct CreditBoundaryTests {
    @Test
    func `the priority scan finds a flash that waits for the consumer's credit`() async throws {
        try await Newsroom.open { newsroom in
            newsroom.hub.setFault(Fault(status: 503))
            let alerts = Desk.alerts(10, "early")
            var configuration = newsroom.configuration
            // Room for exactly these ten events.
            configuration.publishing.readAheadBytes = alerts.reduce(0) { sum, event in
                sum + event.story.utf8.count + EventEncoder.encode(event).count
                    + PublishingConfiguration.bytesBesideRecord
            }
            try await newsroom.withWorker(configuration) { worker in
                try await newsroom.publish(alerts + [Desk.event("flash", kind: .flash)] + Desk.alerts(10, "late"))
                let place = TopicPartition(topic: newsroom.names.source, partition: 0)
                // The scan begins at the flash. The credit is taken before the messages are handed over.
                let consumer = worker.kafka.consumer
                try await waitUntil { consumer.isReadAheadUsedUp && consumer.position(of: place) == 10 }
                try await waitUntil { worker.observation.observer.snapshot.status?.ahead == 1 }
                newsroom.hub.setFault(nil)
                let outcomes = try await newsroom.finalOutcomes(21)
                let flash = try #require(outcomes.first { $0.offset == 10 })
                #expect(flash.warnings.contains("read.ahead"))
            }
        }
    }
}
