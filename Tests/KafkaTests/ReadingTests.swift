import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashTopicPartitions
import Testing

@Suite(.timeLimit(.minutes(4)))
struct ReadingTests {
    @Test
    func `reading pauses and continues without loss or repetition`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        let partition = TopicPartition(topic: topic, partition: 0)
        try await cluster.write((0..<100).map { KafkaRecord(topic: topic, value: [$0]) })
        try await cluster.withConsumer(assigned: [partition: .beginning]) { consumer, recorder in
            _ = try await recorder.messages(atLeast: 100)
            consumer.setReading(false)
            try await cluster.write((100..<200).map { KafkaRecord(topic: topic, value: [$0]) })
            // Another consumer has read all of them and a commit was answered, so they would have arrived here too.
            try await cluster.withConsumer(assigned: [partition: .beginning]) { _, other in
                _ = try await other.messages(atLeast: 200)
            }
            #expect(consumer.commit([partition: 50]).isEmpty)
            try await recorder.commit(of: [partition: 50])
            #expect(recorder.messages.count == 100)
            consumer.setReading(true)
            let messages = try await recorder.messages(atLeast: 200)
            #expect(messages.map { $0.value } == (0..<200).map { [$0] })
            #expect(messages.map(\.offset) == Array(0..<200))
        }
    }

    @Test
    func `one partition pauses while another continues`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(partitions: 2)
        let still = TopicPartition(topic: topic, partition: 0)
        let flowing = TopicPartition(topic: topic, partition: 1)
        try await cluster.withConsumer(assigned: [still: .beginning, flowing: .beginning]) { consumer, recorder in
            consumer.setReading(false, of: [still])
            try await cluster.write([
                KafkaRecord(topic: topic, partition: 0, value: [0]),
                KafkaRecord(topic: topic, partition: 1, value: [1]),
            ])
            #expect(try await recorder.messages(atLeast: 1).map(\.topicPartition) == [flowing])
            try await cluster.write([KafkaRecord(topic: topic, partition: 1, value: [2])])
            #expect(try await recorder.messages(atLeast: 2).map(\.topicPartition) == [flowing, flowing])
            consumer.setReading(true, of: [still])
            #expect(try await recorder.messages(atLeast: 3).last?.topicPartition == still)
        }
    }

    @Test
    func `batches have at most the requested size, and partitions take turns`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(partitions: 2)
        try await cluster.write(
            (0..<400).map { KafkaRecord(topic: topic, partition: Int32($0 % 2), value: [UInt8($0 / 2)]) }
        )
        var configuration = cluster.consumer(group: cluster.uniqueName("group"))
        configuration.maximumBatch = 50
        let places = (0..<2).map { TopicPartition(topic: topic, partition: $0) }
        let offsets = Dictionary(places.map { ($0, KafkaOffset.beginning) }) { $1 }
        try await cluster.withConsumer(assigned: offsets, configuration) { _, recorder in
            let messages = try await recorder.messages(atLeast: 400)
            for place in places {
                #expect(messages.filter { $0.topicPartition == place }.map(\.offset) == Array(0..<200))
            }
            for case .received(let batch) in recorder.log.events { #expect(batch.count <= 50) }
        }
    }

    @Test
    func `the end of a partition is reported after its last message`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        let partition = TopicPartition(topic: topic, partition: 0)
        try await cluster.write((0..<3).map { KafkaRecord(topic: topic, value: [$0]) })
        var configuration = cluster.consumer(group: cluster.uniqueName("group"))
        configuration.reportsPartitionEnd = true
        try await cluster.withConsumer(assigned: [partition: .at(1)], configuration) { consumer, recorder in
            let (end, before) = try await recorder.log.wait { events in
                for (index, event) in events.enumerated() {
                    if case .reachedEnd(_, let offset) = event {
                        return (offset, Array(events[..<index]).messages.count)
                    }
                }
                return nil
            }
            #expect(end == 3)
            #expect(before == 2)
            #expect(consumer.position(of: partition) == 3)
            #expect(consumer.knownWatermarks(of: partition)?.high == 3)
            #expect(try await consumer.watermarks(of: partition) == KafkaWatermarks(low: 0, high: 3))
        }
    }

    @Test
    func `reading without an offset and without a rule for it fails with a reason`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        var configuration = cluster.consumer(group: cluster.uniqueName("group"))
        configuration.offsetReset = .error
        let partition = TopicPartition(topic: topic, partition: 0)
        try await cluster.withConsumer(assigned: [partition: .committed], configuration) { _, recorder in
            let error = try await recorder.log.wait { events in
                events.lazy.compactMap { event -> KafkaError? in
                    if case .failed(let error) = event, !error.isRetriable { error } else { nil }
                }.first
            }
            #expect(error.code == .noOffset)
            #expect(error.message.contains("\(partition)"))
        }
    }
}
