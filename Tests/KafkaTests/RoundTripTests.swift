import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

@Suite(.timeLimit(.minutes(4)))
struct RoundTripTests {
    @Test
    func `a record comes back byte for byte, with key, headers and time`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        let time = Timestamp(milliseconds: 1_700_000_000_123)
        let record = KafkaRecord(
            topic: topic,
            key: [0, 1, 0xFF],
            value: Array("väl\0ue".utf8),
            headers: [
                KafkaHeader(name: "a", value: [0, 255, 10]),
                KafkaHeader(name: "a", text: "again"),
                KafkaHeader(name: "empty", value: []),
                KafkaHeader(name: "null", value: nil),
                KafkaHeader(name: "", text: "no name"),
            ],
            timestamp: time
        )
        try await cluster.write([record])
        try await cluster.withConsumer(assigned: [.init(topic: topic, partition: 0): .beginning]) { _, recorder in
            let message = try #require(try await recorder.messages(atLeast: 1).first)
            #expect(message.topic == topic)
            #expect(message.partition == 0)
            #expect(message.offset == 0)
            #expect(message.key == record.key)
            #expect(message.value == record.value)
            #expect(message.headers == record.headers)
            #expect(message.timestamp == time)
            let headers = record.headers.reduce(0) { $0 + $1.name.utf8.count + ($1.value?.count ?? 0) }
            #expect(message.byteCount == 10 + headers)
            #expect(message.withValue { $0?.count } == 7)
            #expect(message.withKey { $0?.count } == 3)
        }
    }

    @Test(arguments: [nil, [], [7]] as [[UInt8]?])
    func `null, empty and non-empty values and keys are distinguished`(bytes: [UInt8]?) async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        try await cluster.write([
            KafkaRecord(topic: topic, partition: 0, value: bytes),
            KafkaRecord(topic: topic, partition: 0, key: bytes, value: nil),
        ])
        try await cluster.withConsumer(assigned: [.init(topic: topic, partition: 0): .beginning]) { _, recorder in
            let messages = try await recorder.messages(atLeast: 2)
            #expect(messages[0].value == bytes)
            #expect(messages[0].key == nil)
            #expect(messages[0].headers.isEmpty)
            #expect(messages[1].key == bytes)
            #expect(messages[1].withValue { $0 == nil })
        }
    }

    @Test
    func `a batch writes its records with shared headers, and distinguishes null from empty`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        let recorder = ProducerRecorder()
        let producer = try KafkaProducer(KafkaProducerConfiguration(client: cluster.client()), delegate: recorder)
        let header = KafkaHeader(name: "life", text: "1")
        var batch = KafkaRecordBatch(topic: topic, headers: [header])
        batch.append(key: "gone", partition: 0, id: 9) { $0.append(1) }
        batch.removeAll()
        #expect(batch.isEmpty)
        batch.append(key: "a", partition: 0, id: 1) { $0 += [1, 2, 3] }
        batch.append(key: nil, partition: 0, id: 2) { _ in }
        batch.appendTombstone(key: "", partition: 0, id: 3)
        producer.produce(batch)
        let copies = batch.records
        batch.removeAll()
        for id in 1...3 as ClosedRange<UInt64> { _ = try await recorder.report(on: id) }
        await producer.close()
        try await cluster.withConsumer(assigned: [.init(topic: topic, partition: 0): .beginning]) { _, reader in
            let messages = try await reader.messages(atLeast: 3)
            #expect(messages.map(\.key) == [[97], nil, []])
            #expect(messages.map(\.value) == [[1, 2, 3], [], nil])
            #expect(messages.map(\.headers) == [[header], [header], [header]])
            #expect(messages.map(\.value) == copies.map(\.value))
        }
    }

    @Test
    func `a batch that cannot be queued is reported record by record`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let recorder = ProducerRecorder()
        let producer = try KafkaProducer(KafkaProducerConfiguration(client: cluster.client()), delegate: recorder)
        await producer.close()
        var batch = KafkaRecordBatch(topic: "news")
        batch.append(key: "a", id: 1) { $0.append(1) }
        batch.append(key: "b", id: 2) { $0.append(2) }
        producer.produce(batch)
        for id in 1...2 as ClosedRange<UInt64> {
            let report = try await recorder.report(on: id)
            #expect(throws: KafkaError.self) { try report.result.get() }
        }
    }

    @Test
    func `a message is forwarded with its own bytes and headers and with added ones`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        let copies = try await cluster.makeTopic()
        let headers = [KafkaHeader(name: "first", text: "1"), KafkaHeader(name: "null", value: nil)]
        let added = KafkaHeader(name: "reason", text: "test")
        try await cluster.write([
            KafkaRecord(topic: topic, key: [1], value: [2, 3], headers: headers), KafkaRecord(topic: topic, value: nil),
        ])
        let original = TopicPartition(topic: topic, partition: 0)
        let recorder = ProducerRecorder()
        let producer = try KafkaProducer(KafkaProducerConfiguration(client: cluster.client()), delegate: recorder)
        try await cluster.withConsumer(assigned: [original: .beginning]) { _, reader in
            let messages = try await reader.messages(atLeast: 2)
            producer.forward([
                KafkaForwardedMessage(messages[0], to: copies, addedHeaders: [added], id: 1),
                KafkaForwardedMessage(messages[1], to: copies, id: 2),
            ])
            _ = try await recorder.report(on: 2)
        }
        await producer.close()
        try await cluster.withConsumer(assigned: [.init(topic: copies, partition: 0): .beginning]) { _, reader in
            let messages = try await reader.messages(atLeast: 2)
            #expect(messages[0].key == [1])
            #expect(messages[0].value == [2, 3])
            #expect(messages[0].headers == headers + [added])
            #expect(messages[1].value == nil)
            #expect(messages[1].headers.isEmpty)
        }
    }

    @Test
    func `messages outlive their consumer`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        try await cluster.write([KafkaRecord(topic: topic, value: [9], headers: [KafkaHeader(name: "h", text: "x")])])
        let recorder = ConsumerRecorder()
        try await cluster.withConsumer(
            assigned: [.init(topic: topic, partition: 0): .beginning],
            recorder: recorder
        ) { _, recorder in _ = try await recorder.messages(atLeast: 1) }
        let message = try #require(recorder.messages.first)
        #expect(message.value == [9])
        #expect(message.headers == [KafkaHeader(name: "h", text: "x")])
    }
}
