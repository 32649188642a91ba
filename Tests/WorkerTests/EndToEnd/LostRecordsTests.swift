import Dispatch
import NewsflashEvents
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTestSupport
import NewsflashTopicPartitions
import Testing

@testable import NewsflashWorker

/// Records that Kafka loses before a worker has read them. Only a real broker can delete records.
@Suite(.timeLimit(.minutes(2)), .enabled(if: KafkaTestCluster.isReal, "needs a real Kafka: a mock deletes no records"))
struct LostRecordsTests {
    /// The counter of lost records in a scrape.
    private func lost(_ reason: String, in newsroom: Newsroom, by worker: Worker) -> Int? {
        let series = "newsflash_records_lost_total{topic=\"\(newsroom.names.source)\",reason=\"\(reason)\"} "
        let line = worker.scrape(.openMetrics).split(separator: "\n").first { $0.hasPrefix(series) }
        return line.flatMap { Double($0.dropFirst(series.count)) }.map { Int($0) }
    }

    @Test
    func `records that were deleted while all workers were down are counted once, and the rest is sent`() async throws {
        try await Newsroom.open { newsroom in
            let place = TopicPartition(topic: newsroom.names.source, partition: 0)
            try await newsroom.withWorker { worker in
                try await newsroom.publish(Desk.alerts(3, "early"))
                _ = try await newsroom.finalOutcomes(3)
                #expect(lost("retention", in: newsroom, by: worker) == 0)
            }
            try await newsroom.publish(Desk.alerts(5, "late"))
            try await newsroom.cluster.deleteRecords(of: place, below: 6)
            try await newsroom.withWorker { worker in
                let outcome = try #require(try await newsroom.provisionalOutcomes(1).first)
                #expect(outcome.outcome == "failed")
                #expect(outcome.reason == "lost.retention")
                #expect(outcome.offset == 3)
                _ = try await newsroom.finalOutcomes(5)
                #expect(lost("retention", in: newsroom, by: worker) == 3)
                let status = try JSONReader.read(worker.status.json())
                let loss = try #require(status[member: "losses"]?.array?.first)
                #expect(loss[member: "from"]?.int64 == 3)
                #expect(loss[member: "to"]?.int64 == 5)
                #expect(loss[member: "reason"]?.string == "retention")
                let entry = newsroom.log.events.first { $0.message == "Kafka has lost records of a source" }
                #expect(entry?.level == .error)
                #expect(worker.unreadyReasons == [])
            }
            // The new start is committed, although nothing was read after it in the meantime.
            try await newsroom.withWorker { worker in
                try await newsroom.publish(Desk.alerts(1, "last"))
                _ = try await newsroom.finalOutcomes(6)
                #expect(lost("retention", in: newsroom, by: worker) == 0)
            }
            try await newsroom.readToTheEnd()
            #expect(newsroom.outcomes.count { !$0.isFinal } == 1)
            #expect(newsroom.hub.sends.count == 6)
        }
    }

    @Test
    func `records that are deleted while a worker is behind are counted, and all others get outcomes`() async throws {
        try await Newsroom.open { newsroom in
            let place = TopicPartition(topic: newsroom.names.source, partition: 0)
            newsroom.hub.setFault(Fault(status: 503))
            let early = Desk.alerts(5, "early")
            let configuration = configuration(of: newsroom, holding: early)
            try await newsroom.withWorker(configuration) { worker in
                try await newsroom.publish(early)
                // Each event is a separate batch.
                for event in Desk.alerts(20, "late") { try await newsroom.publish([event]) }
                try await waitUntil { worker.kafka.consumer.isReadAheadUsedUp }
                try await newsroom.cluster.deleteRecords(of: place, below: 24)
                newsroom.hub.setFault(nil)
                let outcome = try #require(try await newsroom.provisionalOutcomes(1).first)
                #expect(outcome.reason == "lost.retention")
                let number = 24 - Int(outcome.offset)
                #expect(number > 0)
                #expect(lost("retention", in: newsroom, by: worker) == number)
                let read = try await newsroom.finalOutcomes(25 - number).map(\.offset)
                #expect(read.sorted() == Array(0..<outcome.offset) + [24])
                try await waitUntil { try await newsroom.progress().committed == [25] }
            }
        }
    }

    @Test
    func `unread events of a topic that is deleted are counted, and those that were read are sent`() async throws {
        try await Newsroom.open { newsroom in
            newsroom.hub.setFault(Fault(status: 503))
            let early = Desk.alerts(5, "early")
            try await newsroom.withWorker(configuration(of: newsroom, holding: early)) { worker in
                for event in early + Desk.alerts(20, "late") { try await newsroom.publish([event]) }
                try await waitUntil { worker.kafka.consumer.isReadAheadUsedUp }
                // The worker has received the end offset.
                try await waitUntil { worker.status.lags.first?.records == 25 }
                let place = TopicPartition(topic: newsroom.names.source, partition: 0)
                let admin = try KafkaAdmin(newsroom.cluster.client())
                #expect(try await admin.deleteTopics([newsroom.names.source]).isEmpty)
                let outcome = try #require(try await newsroom.provisionalOutcomes(1).first)
                #expect(outcome.reason == "lost.partition_removed")
                #expect(outcome.offset == worker.kafka.consumer.position(of: place))
                #expect(lost("partition_removed", in: newsroom, by: worker) == 25 - Int(outcome.offset))
                newsroom.hub.setFault(nil)
                _ = try await newsroom.finalOutcomes(Int(outcome.offset))
            }
        }
    }

    /// A configuration with room for the given events and a small fetch of librdkafka.
    private func configuration(of newsroom: Newsroom, holding events: [NewsEvent]) -> WorkerConfiguration {
        var configuration = newsroom.configuration
        configuration.publishing.readAheadBytes = events.reduce(0) { sum, event in
            sum + event.story.utf8.count + EventEncoder.encode(event).count + PublishingConfiguration.bytesBesideRecord
        }
        configuration.kafka.properties["queued.min.messages"] = "1"
        configuration.kafka.properties["fetch.message.max.bytes"] = "1000"
        return configuration
    }

    @Test
    func `the records of an emptied log are counted once`() async throws {
        try await Newsroom.open { newsroom in
            let place = TopicPartition(topic: newsroom.names.source, partition: 0)
            try await newsroom.withWorker { _ in
                try await newsroom.publish(Desk.alerts(1, "early"))
                _ = try await newsroom.finalOutcomes(1)
            }
            try await newsroom.publish(Desk.alerts(2, "late"))
            try await newsroom.cluster.deleteRecords(of: place, below: 3)
            try await newsroom.withWorker { worker in
                try await waitUntil { lost("retention", in: newsroom, by: worker) == 2 }
                try await waitUntil { try await newsroom.progress().committed == [3] }
            }
            try await newsroom.withWorker { worker in
                try await newsroom.publish(Desk.alerts(1, "last"))
                _ = try await newsroom.finalOutcomes(2)
                #expect(lost("retention", in: newsroom, by: worker) == 0)
            }
        }
    }

    @Test
    func `a recreated topic is read from its beginning, whatever offsets the ledger has`() async throws {
        try await Newsroom.open { newsroom in
            try await newsroom.withWorker { _ in
                try await newsroom.publish(Desk.alerts(5, "old"))
                _ = try await newsroom.finalOutcomes(5)
            }
            let admin = try KafkaAdmin(newsroom.cluster.client())
            #expect(try await admin.deleteTopics([newsroom.names.source]).isEmpty)
            try await waitUntil { try await admin.topic(newsroom.names.source) == nil }
            try await newsroom.cluster.makeTopic(named: newsroom.names.source)
            try await newsroom.publish(Desk.alerts(2, "new"))
            // This is the state after a late commit.
            let place = TopicPartition(topic: newsroom.names.source, partition: 0)
            try await admin.alterOffsets(ofGroup: newsroom.names.group, to: [place: 5])
            try await newsroom.withWorker { worker in
                _ = try await newsroom.finalOutcomes(7)
                #expect(lost("topic_recreated", in: newsroom, by: worker) == 3)
                try await waitUntil { try await newsroom.progress().committed == [2] }
            }
            #expect(newsroom.hub.sends.count == 7)
        }
    }

    @Test
    func `a partition without an offset waits for a person if so configured, and the others are read`() async throws {
        try await Newsroom.open(partitions: 2) { newsroom in
            var configuration = newsroom.configuration
            configuration.startAt = .error
            let places = (0...1).map { TopicPartition(topic: newsroom.names.source, partition: $0) }
            let admin = try KafkaAdmin(newsroom.cluster.client())
            try await admin.alterOffsets(ofGroup: newsroom.names.group, to: [places[1]: 0])
            let alerts = Desk.alerts(12)
            let read = alerts.filter { newsroom.partition(of: $0.story) == 1 }
            try await newsroom.publish(alerts)
            try await newsroom.withWorker(configuration) { worker in
                let outcomes = try await newsroom.finalOutcomes(read.count)
                #expect(outcomes.allSatisfy { $0.partition == 1 })
                let reason = try await waitFor { worker.unreadyReasons.first { $0.contains("\(places[0])") } }
                #expect(reason.hasPrefix("kafka: "))
                #expect(reason.contains("kafka.startAt"))
                #expect(!worker.unreadyReasons.contains { $0.contains("\(places[1])") })
                #expect(!worker.observation.fatalFault.isReported, "the worker continues")
            }
        }
    }
}

/// The outcomes of lost records, without a broker.
@Suite(.timeLimit(.minutes(1)))
struct LostOutcomesTests {
    @Test
    func `the outcome of a gap is written until it is confirmed`() async throws {
        let written = EventLog<KafkaRecord>()
        let losses = LostRecords(
            of: ["news"],
            outcomes: "outcomes",
            group: "workers",
            config: "",
            registry: MetricsRegistry(),
            pause: .milliseconds(1),
            logger: Logger(label: "", handler: DiscardingLogHandler())
        )
        losses.open { written.append($0) }
        func lose(_ partition: Int32) {
            let place = TopicPartition(topic: "news", partition: partition)
            losses.add(KafkaLogGap(partition: place, offsets: 3..<6, reason: .retention))
        }
        func failure(of record: KafkaRecord) -> KafkaDeliveryReport {
            let error = KafkaError(.transport, "away")
            return KafkaDeliveryReport(id: record.id, result: .failure(error), mayBePersisted: false)
        }
        lose(0)
        let first = try #require(written.events.first)
        losses.reported([failure(of: first)])
        #expect(try await written.wait { $0.count == 2 ? $0[1] : nil } == first)
        let place = KafkaDeliveryReport.Place(partition: 0, offset: 0)
        losses.reported([KafkaDeliveryReport(id: first.id, result: .success(place), mayBePersisted: true)])
        // The outcome is confirmed, so a late report on the first attempt changes nothing.
        // The next gap has its own outcome.
        losses.reported([failure(of: first)])
        lose(1)
        let second = try #require(written.events.last)
        losses.reported([failure(of: second)])
        let all = try await written.wait { $0.count == 4 ? $0.map(\.id) : nil }
        #expect(all == [first, first, second, second].map(\.id))
    }
}
