import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

@testable import NewsflashWorker

/// The lag that a worker shows, with a cluster.
@Suite(.timeLimit(.minutes(4)))
struct LagTests {
    /// Asks the leaders until the lag meets the condition.
    private func lag(of worker: Worker, when isReached: (PartitionLag) -> Bool) async throws -> PartitionLag {
        try await waitFor {
            await worker.lag.poll()
            return worker.lag.lags(now: .now()).first.flatMap { isReached($0) ? $0 : nil }
        }
    }

    @Test
    func `lag grows while the circuit is open, and is zero when all events have ended`() async throws {
        try await Newsroom.open { newsroom in
            newsroom.hub.setFault(Fault(status: 503))
            var configuration = newsroom.configuration
            // Room for about fifteen events.
            configuration.publishing.readAheadBytes = 64 << 10
            try await newsroom.withWorker(configuration) { worker in
                try await newsroom.publish(Desk.alerts(40, "early"))
                try await newsroom.waitForHold(.hubUnavailable)
                let early = try await lag(of: worker) { $0.records == 40 }
                #expect(early.age > .zero)
                try await newsroom.publish(Desk.alerts(20, "late"))
                let late = try await lag(of: worker) { $0.records == 60 }
                #expect(late.age > early.age)
                let place = TopicPartition(topic: newsroom.names.source, partition: 0)
                #expect((worker.kafka.consumer.position(of: place) ?? 0) < 60, "reading did not pause")
                newsroom.hub.setFault(nil)
                _ = try await newsroom.finalOutcomes(60)
                let none = try await lag(of: worker) { $0.records == 0 }
                #expect(none.age == .zero)
                let text = worker.scrape(.openMetrics)
                let labels = #"{topic="\#(newsroom.names.source)",partition="0"}"#
                #expect(text.contains("newsflash_lag_records\(labels) 0.0\n"))
                #expect(text.contains("newsflash_lag_seconds\(labels) 0.0\n"))
            }
        }
    }

    @Test
    func `the time of a first record is returned, and an end has none`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(partitions: 2)
        let times = [1_700_000_000_000, 1_700_000_060_000].map { Timestamp(milliseconds: $0) }
        try await cluster.write(
            times.map { KafkaRecord(topic: topic, partition: 0, value: [1], timestamp: $0) }
        )
        let places = (0...1).map { TopicPartition(topic: topic, partition: Int32($0)) }
        let found = try await RecordTimes.first(
            from: [places[0]: 1, places[1]: 0],
            at: cluster.client(),
            within: .seconds(30)
        )
        #expect(found == [places[0]: .written(times[1]), places[1]: .none])
        let admin = try KafkaAdmin(cluster.client())
        #expect(try await admin.watermarks(of: places).mapValues(\.high) == [places[0]: 2, places[1]: 0])
    }
}
