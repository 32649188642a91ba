import NewsflashEvents
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashTimestamps
import Testing

@testable import NewsflashWorker

/// A partition that is revoked before the hub has answered, and returns to the same worker. The late answer of its
/// earlier assignment must not stop it (vector#22006).
@Suite(.timeLimit(.minutes(4)))
struct ReturnedPartitionTests {
    @Test(arguments: [KafkaConsumerConfiguration.AssignmentStrategy.range, .cooperativeSticky])
    func `partitions whose drain ended without an answer are read again when they come back`(
        strategy: KafkaConsumerConfiguration.AssignmentStrategy
    ) async throws {
        let environment = ["NEWSFLASH_KAFKA_ASSIGNMENT": strategy.rawValue, "NEWSFLASH_DELIVERY_DRAIN": "1s"]
        try await Newsroom.open(partitions: 2, environment) { newsroom in
            let (early, late) = (Desk.alerts(8, "early"), Desk.alerts(8, "late"))
            try await newsroom.withWorker { worker in
                newsroom.hub.setFault(Fault(latency: .seconds(6)))
                try await newsroom.publish(early)
                let inFlight = "newsflash_requests_in_flight{hub=\"main\"} 8.0"
                try await waitUntil { worker.scrape(.prometheus).contains(inFlight) }
                // Another member receives a partition and leaves.
                var configuration = newsroom.cluster.consumer(group: newsroom.names.group)
                configuration.assignmentStrategy = strategy
                // The embedded cluster removes members that send heartbeats less often than the newest member must.
                configuration.sessionTimeout = newsroom.configuration.sessionTimeout
                let recorder = ConsumerRecorder()
                let other = try KafkaConsumer(configuration, delegate: recorder)
                try other.subscribe([newsroom.names.source])
                try await recorder.log.wait { events in
                    events.contains { if case .assigned(let all) = $0 { !all.isEmpty } else { false } } ? () : nil
                }
                newsroom.hub.setFault(nil)
                #expect(await other.close(deadline: .seconds(10)))
                try await newsroom.publish(late)
                _ = try await newsroom.finalOutcomes(16)
                // The embedded cluster refuses commits during a rebalance, so records that are done may be read once more.
                try await waitUntil {
                    let progress = try await newsroom.progress()
                    return progress.committed == progress.ends
                }
            }
            try await newsroom.readToTheEnd()
            let sent = newsroom.hub.pushes.compactMap { $0.property("id") }
            #expect(Set(sent) == Set((early + late).map(\.id)))
            let finals = newsroom.outcomes.filter(\.isFinal).map(\.event)
            #expect(Set(finals).count == finals.count, "each event ends once")
        }
    }
}
