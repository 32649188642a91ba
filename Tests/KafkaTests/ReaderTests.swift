import NewsflashKafka
import NewsflashKafkaMock
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import NewsflashTopicPartitions
import Testing

@Suite(.timeLimit(.minutes(4)))
struct ReaderTests {
    @Test
    func `a partition is read to its end, and later records after that`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let partition = TopicPartition(topic: try await cluster.makeTopic(), partition: 0)
        try await cluster.write((0..<100).map { KafkaRecord(topic: partition.topic, value: [$0]) })
        try await cluster.withReader { reader, recorder in
            reader.start(partition, at: .beginning)
            try await recorder.end(of: partition, at: 100)
            #expect(recorder.log.events.first == .started(partition, .beginning))
            #expect(recorder.log.events.values(before: .reachedEnd(partition, 100)) == (0..<100).map { [$0] })
            try await cluster.write((100..<150).map { KafkaRecord(topic: partition.topic, value: [$0]) })
            try await recorder.end(of: partition, at: 150)
            #expect(recorder.log.events.values(before: .reachedEnd(partition, 150)) == (0..<150).map { [$0] })
        }
    }

    @Test
    func `a start begins again, with or without a stop before it`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let partition = TopicPartition(topic: try await cluster.makeTopic(), partition: 0)
        try await cluster.write((0..<20).map { KafkaRecord(topic: partition.topic, value: [$0]) })
        try await cluster.withReader { reader, recorder in
            for begin in [5, 15, 0] as [Int64] {
                reader.start(partition, at: .at(begin))
                let events = try await recorder.events(of: partition, from: begin, toEnd: 20)
                #expect(events.values == (UInt8(begin)..<20).map { [$0] })
                if begin == 5 { reader.stop(partition) }
            }
            reader.start(partition, at: .end)
            let events = try await recorder.events(of: partition, from: nil, toEnd: 20)
            #expect(events.values.isEmpty)
        }
    }

    @Test
    func `a stopped partition delivers nothing`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(partitions: 2)
        let (still, flowing) = (
            TopicPartition(topic: topic, partition: 0), TopicPartition(topic: topic, partition: 1)
        )
        try await cluster.withReader { reader, recorder in
            reader.start(still, at: .beginning)
            reader.start(flowing, at: .beginning)
            try await recorder.end(of: still, at: 0)
            try await recorder.end(of: flowing, at: 0)
            reader.stop(still)
            // Requests are handled in order, so when this partition is read the other is stopped.
            for number in 0..<3 as Range<UInt8> {
                try await cluster.write([
                    KafkaRecord(topic: topic, partition: 0, value: [100]),
                    KafkaRecord(topic: topic, partition: 1, value: [number]),
                ])
                try await recorder.end(of: flowing, at: Int64(number) + 1)
            }
            #expect(recorder.log.events.values == [[0], [1], [2]])
        }
    }

    @Test
    func `a partition that is stopped before its leader is found is not read`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(partitions: 2)
        try await cluster.write([KafkaRecord(topic: topic, partition: 0, value: [1])])
        let (stopped, other) = (
            TopicPartition(topic: topic, partition: 0), TopicPartition(topic: topic, partition: 1)
        )
        try await cluster.withReader { reader, recorder in
            // Both are handled together, and the request for the leader is not answered in between.
            reader.start(stopped, at: .beginning)
            reader.stop(stopped)
            reader.start(other, at: .beginning)
            try await recorder.end(of: other, at: 0)
            // By then the leader of both was found long ago.
            try await cluster.write([KafkaRecord(topic: topic, partition: 1, value: [2])])
            try await recorder.end(of: other, at: 1)
            #expect(recorder.log.events.values == [[2]])
        }
    }

    @Test
    func `a reader returns the ends of a partition, and nothing after it is closed`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let partition = TopicPartition(topic: try await cluster.makeTopic(), partition: 0)
        try await cluster.write((0..<3).map { KafkaRecord(topic: partition.topic, value: [$0]) })
        let reader = try await cluster.withReader { reader, _ in
            let ends = try await ends(of: partition, by: reader)
            #expect(ends == KafkaWatermarks(low: 0, high: 3))
            return reader
        }
        let error = await #expect(throws: KafkaError.self) { try await ends(of: partition, by: reader) }
        #expect(error?.code == .closed)
    }

    /// Queries the ends on a thread that may block.
    private func ends(of partition: TopicPartition, by reader: KafkaReader) async throws -> KafkaWatermarks {
        try await onThread { Result { try reader.blockingWatermarks(of: partition) } }.get()
    }

    @Test
    func `partitions are read concurrently, and each batch has messages of one`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(partitions: 3)
        let partitions = (0..<3).map { TopicPartition(topic: topic, partition: $0) }
        try await cluster.write(
            (0..<200).map { KafkaRecord(topic: topic, partition: Int32($0 % 2), value: [UInt8($0 / 2)]) }
        )
        try await cluster.withReader(maximumBatch: 30) { reader, recorder in
            for partition in partitions { reader.start(partition, at: .beginning) }
            try await recorder.end(of: partitions[2], at: 0)
            for partition in partitions.prefix(2) {
                try await recorder.end(of: partition, at: 100)
                let batches = recorder.log.events.batches(of: partition)
                #expect(batches.flatMap { $0 } == (0..<100).map { [$0] })
                #expect(batches.allSatisfy { $0.count <= 30 })
            }
        }
    }

    @Test
    func `a missing topic is reported, and read once it exists`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = cluster.uniqueName("missing")
        // The mock creates requested topics.
        if let mock = cluster.mock { mock.setError(.unknownTopicOrPartition, ofTopic: topic) }
        let partition = TopicPartition(topic: topic, partition: 0)
        let properties = ["topic.metadata.refresh.interval.ms": "500"]
        try await cluster.withReader(properties) { reader, recorder in
            reader.start(partition, at: .beginning)
            let error = try await recorder.failure(of: partition)
            #expect(error.code == .unknownTopicOrPartition)
            #expect(error.message.contains(topic))
            if let mock = cluster.mock {
                mock.setError(.none, ofTopic: topic)
            } else {
                let wish = KafkaNewTopic(name: topic, partitions: 1, replicationFactor: 1)
                let admin = try KafkaAdmin(cluster.client())
                let refused = try await admin.createTopics([wish]).compactMapValues(\.self)
                #expect(refused.isEmpty)
            }
            try await recorder.end(of: partition, at: 0)
        }
    }

    @Test
    func `a missing partition is reported`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        try await cluster.withReader { reader, recorder in
            reader.start(TopicPartition(topic: topic, partition: 0), at: .beginning)
            try await recorder.end(of: TopicPartition(topic: topic, partition: 0), at: 0)
            let partition = TopicPartition(topic: topic, partition: 7)
            reader.start(partition, at: .beginning)
            let error = try await recorder.failure(of: partition)
            #expect(error.code == .unknownTopicOrPartition)
        }
    }

    @Test
    func `a missing offset is reported, and nothing is read instead`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let partition = TopicPartition(topic: try await cluster.makeTopic(), partition: 0)
        try await cluster.write((0..<10).map { KafkaRecord(topic: partition.topic, value: [$0]) })
        try await cluster.withReader { reader, recorder in
            reader.start(partition, at: .at(500))
            let error = try await recorder.failure(of: partition)
            #expect(error.code == .offsetOutOfRange)
            #expect(error.message.contains("\(partition)"))
            #expect(recorder.log.events.values.isEmpty)
            reader.start(partition, at: .at(8))
            let events = try await recorder.events(of: partition, from: 8, toEnd: 10)
            #expect(events.values == [[8], [9]])
        }
    }

    @Test
    func `a followed partition is read again from its beginning if the offset is gone`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let partition = TopicPartition(topic: try await cluster.makeTopic(), partition: 0)
        try await cluster.write((0..<10).map { KafkaRecord(topic: partition.topic, value: [$0]) })
        try await cluster.withReader(recovery: .restart) { reader, recorder in
            reader.start(partition, at: .at(500))
            #expect(try await recorder.failure(of: partition).code == .offsetOutOfRange)
            try await recorder.end(of: partition, at: 10)
            let events = recorder.log.events
            #expect(events.prefix(1) == [.started(partition, .at(500))])
            #expect(events.dropFirst(2).first == .started(partition, .beginning))
            #expect(events.values == (0..<10).map { [$0] })
            reader.start(partition, at: .at(500))
            try await recorder.log.wait { events in
                let failures = events.filter { if case .failed = $0 { true } else { false } }
                return failures.count == 2 ? () : nil
            }
            // A start by the owner replaces the reader's own restart.
            reader.start(partition, at: .at(9))
            _ = try await recorder.events(of: partition, from: 9, toEnd: 10)
            try await cluster.write([KafkaRecord(topic: partition.topic, value: [10])])
            try await recorder.end(of: partition, at: 11)
            #expect(recorder.log.events.values.suffix(2) == [[9], [10]])
        }
    }

    @Test(.needsRealKafka)
    func `a followed partition is read from its beginning if its topic was recreated`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let partition = TopicPartition(topic: try await cluster.makeTopic(), partition: 0)
        try await cluster.write([KafkaRecord(topic: partition.topic, value: [0])])
        try await cluster.withReader(recovery: .restart) { reader, recorder in
            reader.start(partition, at: .beginning)
            try await recorder.end(of: partition, at: 1)
            let admin = try KafkaAdmin(cluster.client())
            #expect(try await admin.deleteTopics([partition.topic]).isEmpty)
            let label = try await recorder.failure(of: partition).label
            #expect(["unknown_topic_or_part", "local_unknown_topic", "local_unknown_partition"].contains(label))
            try await cluster.makeTopic(named: partition.topic)
            // More records than before, so that the offset of the old topic also exists in the new one.
            try await cluster.write((1...3).map { KafkaRecord(topic: partition.topic, value: [$0]) })
            try await recorder.end(of: partition, at: 3)
            #expect(recorder.log.events.values == [[0], [1], [2], [3]])
        }
    }

    @Test
    func `a reader without a group refuses to start at a committed offset`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let partition = TopicPartition(topic: try await cluster.makeTopic(), partition: 0)
        try await cluster.withReader { reader, recorder in
            reader.start(partition, at: .committed)
            let error = try await recorder.failure(of: partition)
            #expect(error.code == .invalidArgument)
        }
    }

    @Test
    func `a reader can close while it reads, and its messages outlive it`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(partitions: 4)
        try await cluster.write(
            (0..<8000).map { KafkaRecord(topic: topic, partition: Int32($0 % 4), value: [UInt8($0 % 256)]) }
        )
        for _ in 0..<5 {
            let recorder = ReaderRecorder()
            let reader = try KafkaReader(cluster.reader(), delegate: recorder)
            for number in 0..<4 as Range<Int32> {
                reader.start(TopicPartition(topic: topic, partition: number), at: .beginning)
            }
            _ = try await recorder.log.wait { $0.values.isEmpty ? nil : () }
            #expect(await reader.close(deadline: .seconds(10)))
            #expect(await reader.close(deadline: .seconds(10)))
            let count = recorder.log.events.count
            reader.start(TopicPartition(topic: topic, partition: 0), at: .beginning)
            #expect(recorder.log.events.count == count)
            #expect(recorder.log.events.values.allSatisfy { $0.count == 1 })
        }
    }

    @Test
    func `a delegate that does not return cannot block closing a reader forever`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let partition = TopicPartition(topic: try await cluster.makeTopic(), partition: 0)
        let lines = EventLog<KafkaLogLine>()
        let calls = EventLog<Bool>()
        let gate = EventLog<Bool>()
        let recorder = ReaderRecorder(beforeEach: {
            calls.append(true)
            gate.blockingWait()
        })
        var configuration = cluster.reader()
        configuration.client.log = { lines.append($0) }
        let reader = try KafkaReader(configuration, delegate: recorder)
        reader.start(partition, at: .beginning)
        try await calls.wait { $0.isEmpty ? nil : () }
        #expect(await reader.close(deadline: .milliseconds(200)) == false)
        #expect(lines.events.contains { $0.facility == "CLOSE" && $0.level == .critical })
        gate.append(true)
        #expect(await reader.close(deadline: .seconds(10)))
    }

    @Test
    func `reading continues when the broker is back`() async throws {
        let mock = try MockCluster()
        try mock.createTopic("news", partitions: 1)
        let partition = TopicPartition(topic: "news", partition: 0)
        let client = KafkaConfiguration(
            bootstrapServers: mock.bootstrapServers,
            clientID: "tests",
            properties: ["fetch.wait.max.ms": "5"]
        )
        let cluster = KafkaTestCluster(of: mock)
        let recorder = ReaderRecorder()
        let reader = try KafkaReader(KafkaReaderConfiguration(client: client, recovery: .tell), delegate: recorder)
        try await cluster.write([KafkaRecord(topic: "news", value: [1])])
        reader.start(partition, at: .beginning)
        try await recorder.end(of: partition, at: 1)
        try await mock.withoutBroker {
            try await recorder.log.wait { events in
                events.contains { if case .failed(_, nil) = $0 { true } else { false } } ? () : nil
            }
        }
        try await cluster.write([KafkaRecord(topic: "news", value: [2])])
        try await recorder.end(of: partition, at: 2)
        #expect(recorder.log.events.values == [[1], [2]])
        #expect(await reader.close())
    }
}
