import NewsflashBasics
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashTopicPartitions
import Testing

@Suite(.timeLimit(.minutes(4)))
struct KafkaConfigurationTests {
    private func refusal(of properties: [String: String]) -> KafkaError? {
        let client = KafkaConfiguration(bootstrapServers: "127.0.0.1:1", clientID: "tests", properties: properties)
        do {
            _ = try KafkaAdmin(client)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [["no.such.property": "1"], ["socket.timeout.ms": "soon"]])
    func `an invalid property is named`(properties: [String: String]) throws {
        let error = try #require(refusal(of: properties))
        #expect(error.code == .invalidArgument)
        #expect(error.message.contains(try #require(properties.keys.first)))
    }

    @Test
    func `a property of the caller overrides the library's`() async throws {
        let client = KafkaConfiguration(
            bootstrapServers: "127.0.0.1:1",
            clientID: "tests",
            properties: ["acks": "1"]
        )
        // The library sets idempotence, which contradicts the caller's acks, so librdkafka refuses both.
        let error = #expect(throws: KafkaError.self) {
            try KafkaProducer(KafkaProducerConfiguration(client: client), delegate: ProducerRecorder())
        }
        #expect(error?.message.contains("acks") == true)
    }

    @Test(.needsRealKafka)
    func `no client creates a topic by requesting it, although the broker would allow it`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let (written, read, followed) = (
            cluster.uniqueName("missing"), cluster.uniqueName("missing"), cluster.uniqueName("missing")
        )
        let client = cluster.client()
        let producer = try KafkaProducer(KafkaProducerConfiguration(client: client), delegate: ProducerRecorder())
        let error = await #expect(throws: KafkaError.self) { try await producer.warm(topics: [written]) }
        #expect(error?.code == .unknownTopicOrPartition)
        await producer.close(deadline: .seconds(5))
        let admin = try KafkaAdmin(client)
        #expect(try await admin.topic(written) == nil)
        let recorder = ConsumerRecorder()
        let consumer = try KafkaConsumer(cluster.consumer(group: cluster.uniqueName("group")), delegate: recorder)
        try consumer.subscribe([read])
        try await cluster.withReader { reader, recorder in
            reader.start(TopicPartition(topic: followed, partition: 0), at: .beginning)
            _ = try await recorder.failure(of: TopicPartition(topic: followed, partition: 0))
        }
        _ = try await recorder.log.wait { events in
            events.contains { if case .failed = $0 { true } else { false } } ? () : nil
        }
        await consumer.close(deadline: .seconds(5))
        let names = try await admin.topics().map(\.name)
        #expect(names.filter { [written, read, followed].contains($0) } == [])
    }

    @Test
    func `a consumer without a group is refused`() throws {
        let client = KafkaConfiguration(bootstrapServers: "127.0.0.1:1", clientID: "tests")
        let error = #expect(throws: KafkaError.self) {
            try KafkaConsumer(KafkaConsumerConfiguration(client: client, groupID: ""), delegate: ConsumerRecorder())
        }
        #expect(error?.message.contains("group.id") == true)
    }

    @Test(
        arguments: [
            .sasl(.plain(user: "u", password: KafkaSecret("hunter2")), tls: nil),
            .sasl(.scramSHA256(user: "u", password: KafkaSecret("hunter2")), tls: KafkaTLS()),
            .sasl(.scramSHA512(user: "u", password: KafkaSecret("hunter2")), tls: KafkaTLS(verifiesHostName: false)),
            .sasl(.oauthBearer(token: KafkaSecret("hunter2")), tls: KafkaTLS()),
            .tls(KafkaTLS()),
        ] as [KafkaSecurity]
    )
    func `a client can be created with every kind of security`(security: KafkaSecurity) throws {
        let client = KafkaConfiguration(bootstrapServers: "127.0.0.1:1", clientID: "tests", security: security)
        #expect(throws: Never.self) { try KafkaAdmin(client) }
    }

    @Test
    func `no description shows a secret`() throws {
        let client = KafkaConfiguration(
            bootstrapServers: "127.0.0.1:1",
            clientID: "tests",
            security: .sasl(.plain(user: "u", password: KafkaSecret("hunter2")), tls: nil),
            properties: ["ssl.key.password": "hunter2", "sasl.oauthbearer.config": "hunter2", "retries": "3"]
        )
        var dumped = ""
        dump(client, to: &dumped)
        dump(KafkaConsumerConfiguration(client: client, groupID: "g"), to: &dumped)
        dump(KafkaSecret("hunter2"), to: &dumped)
        for text in ["\(client)", String(reflecting: client), String(reflecting: KafkaSecret("hunter2")), dumped] {
            #expect(!text.contains("hunter2"))
        }
        #expect("\(client)".contains("retries=3"))
    }

    @Test
    func `an error about a secret property does not quote it`() throws {
        let error = try #require(refusal(of: ["no.such.password": "hunter2"]))
        #expect(!error.description.contains("hunter2"))
    }

    @Test
    func `an error names the secret that cannot be read`() throws {
        struct Gone: Error {}
        let password = KafkaSecret(reading: { throw Gone() })
        let client = KafkaConfiguration(
            bootstrapServers: "127.0.0.1:1",
            clientID: "tests",
            security: .sasl(.plain(user: "u", password: password), tls: nil)
        )
        let error = #expect(throws: KafkaError.self) { try KafkaAdmin(client) }
        #expect(error?.message.contains("sasl.password") == true)
        #expect(error?.message.contains("Gone") == true)
    }

    @Test
    func `a token is read without polling, and an invalid one is reported`() async throws {
        let asked = EventLog<String>()
        let lines = EventLog<KafkaLogLine>()
        let token = KafkaSecret(reading: {
            asked.append("asked")
            return "not a token\u{7}"
        })
        let client = KafkaConfiguration(
            bootstrapServers: "127.0.0.1:1",
            clientID: "tests",
            security: .sasl(.oauthBearer(token: token), tls: nil),
            log: { lines.append($0) }
        )
        let admin = try KafkaAdmin(client)
        _ = try await asked.wait { $0.first }
        let line = try await lines.wait { $0.first { $0.facility == "TOKEN" } }
        #expect(line.level == .error)
        #expect(!line.message.contains("not a token"))
        withExtendedLifetime(admin) {}
    }

    @Test
    func `the closure receives the log lines of librdkafka`() async throws {
        let lines = EventLog<KafkaLogLine>()
        let client = KafkaConfiguration(
            bootstrapServers: "127.0.0.1:1",
            clientID: "tests",
            properties: ["debug": "generic"],
            log: { lines.append($0) }
        )
        let admin = try KafkaAdmin(client)
        let line = try await lines.wait { $0.first { $0.level == .debug } }
        #expect(!line.message.isEmpty)
        withExtendedLifetime(admin) {}
    }
}
