import NewsflashBasics
package import NewsflashKafka
package import NewsflashKafkaMock
// Each test of a cluster waits on an `EventLog`.
@_exported public import NewsflashTestSupport
import NewsflashTopicPartitions

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The cluster that tests of one process share: a real broker when `KAFKA_HOME` is set, the mock otherwise.
package struct KafkaTestCluster: Sendable {
    /// Whether tests run against a real broker.
    package static let isReal = variable("KAFKA_HOME") != nil

    /// The addresses for clients.
    package let bootstrapServers: String
    /// The mock; `nil` for a real broker.
    package let mock: MockCluster?
    // The broker stops when this object is deinitialized.
    private let broker: RealCluster?

    // All tests wait for this one start. The cluster lives until the process ends.
    private static let start = SharedStart { () throws -> KafkaTestCluster in
        guard isReal else {
            let mock = try MockCluster(brokers: 1)
            return KafkaTestCluster(bootstrapServers: mock.bootstrapServers, mock: mock, broker: nil)
        }
        let broker = try await RealCluster.start()
        let cluster = KafkaTestCluster(bootstrapServers: broker.bootstrapServers, mock: nil, broker: broker)
        try await cluster.settle()
        return cluster
    }
    private static let topicsMade = Locked(0)

    private init(bootstrapServers: String, mock: MockCluster?, broker: RealCluster?) {
        self.bootstrapServers = bootstrapServers
        self.mock = mock
        self.broker = broker
    }

    /// Makes a cluster of a test's own mock.
    package init(of mock: MockCluster) {
        self.init(bootstrapServers: mock.bootstrapServers, mock: mock, broker: nil)
    }

    /// Makes a cluster of a test's own brokers.
    package init(of broker: RealCluster) {
        self.init(bootstrapServers: broker.bootstrapServers, mock: nil, broker: broker)
    }

    /// The cluster, started on first use.
    package static func shared() async throws -> KafkaTestCluster {
        try await start.value
    }

    /// The configuration with which tests connect.
    ///
    /// - Parameters:
    ///   - properties: More properties of librdkafka.
    ///   - log: Receives librdkafka's log lines.
    /// - Returns: A configuration for any client.
    package func client(
        _ properties: [String: String] = [:],
        log: @escaping @Sendable (KafkaLogLine) -> Void = { _ in }
    ) -> KafkaConfiguration {
        KafkaConfiguration(
            bootstrapServers: bootstrapServers,
            clientID: "tests",
            properties: properties,
            log: log
        )
    }

    /// How long a fetch waits for records, in milliseconds. The mock does not wake one, so they are short there. A real
    /// broker would spend most of its time on short fetches.
    package var fetchWait: String { mock == nil ? "100" : "10" }

    /// The configuration with which tests read, from the beginning.
    ///
    /// - Parameters:
    ///   - group: The group's name.
    ///   - properties: More properties of librdkafka.
    /// - Returns: A configuration for a consumer.
    package func consumer(group: String, _ properties: [String: String] = [:]) -> KafkaConsumerConfiguration {
        let quick = ["fetch.wait.max.ms": fetchWait].merging(properties) { $1 }
        return KafkaConsumerConfiguration(
            client: client(quick),
            groupID: group,
            offsetReset: .earliest,
            sessionTimeout: .milliseconds(3500),
            revokeDeadline: .seconds(2)
        )
    }

    /// A name that no other test uses.
    package func uniqueName(_ kind: String) -> String {
        "\(kind)-\(getpid())-\(Self.topicsMade.withLock { $0 += 1; return $0 })"
    }

    /// Makes a topic that no other test uses.
    ///
    /// - Parameters:
    ///   - partitions: The number of partitions.
    ///   - isCompacted: Whether the topic is compacted.
    /// - Returns: Its name.
    /// - Throws: `KafkaError` when the cluster refuses.
    package func makeTopic(partitions: Int = 1, isCompacted: Bool = false) async throws -> String {
        let name = uniqueName("topic")
        try await makeTopic(named: name, partitions: partitions, isCompacted: isCompacted)
        return name
    }

    private func admin() throws -> KafkaAdmin { try broker?.admin() ?? KafkaAdmin(client()) }

    /// Makes a topic with a name.
    package func makeTopic(named name: String, partitions: Int = 1, isCompacted: Bool = false) async throws {
        if let mock {
            try mock.createTopic(name, partitions: partitions)
        } else {
            let admin = try admin()
            let settings = isCompacted ? ["cleanup.policy": "compact"] : [:]
            let topic = KafkaNewTopic(name: name, partitions: partitions, replicationFactor: 1, configuration: settings)
            if let error = try await admin.createTopics([topic])[name] { throw error }
            try await awaitTopic(name, partitions: partitions)
        }
    }

    /// Changes a topic's configuration like an operator. Only for a real broker.
    ///
    /// - Parameters:
    ///   - topic: Its name.
    ///   - settings: The settings, such as `retention.ms=1000`.
    /// - Throws: ``ChildProcess/Failure`` when Kafka's own tool fails.
    package func configure(_ topic: String, _ settings: String) async throws {
        let home = variable("KAFKA_HOME") ?? ""
        try await ChildProcess.run([
            "/usr/bin/env", "KAFKA_JVM_PERFORMANCE_OPTS=-XX:TieredStopAtLevel=1",
            home + "/bin/kafka-configs.sh", "--bootstrap-server", bootstrapServers, "--alter", "--entity-type",
            "topics", "--entity-name", topic, "--add-config", settings,
        ])
    }

    /// Waits until the broker itself has a topic that the controller has created, which takes a moment.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - partitions: Its number of partitions.
    /// - Throws: `KafkaError` when the broker cannot be asked.
    package func awaitTopic(_ name: String, partitions: Int) async throws {
        let admin = try admin()
        try await waitUntil {
            let found = try await admin.topic(name)?.partitions ?? []
            return found.count == partitions && !found.contains { $0.leader == nil }
        }
    }

    /// Waits until a new broker coordinates groups in all partitions of the offsets topic.
    private func settle() async throws {
        let topic = try await makeTopic()
        let admin = try KafkaAdmin(client())
        let place = TopicPartition(topic: topic, partition: 0)
        for number in 0..<16 {
            try await waitUntil {
                do throws(KafkaError) {
                    try await admin.alterOffsets(ofGroup: "settle-\(number)", to: [place: 1])
                    return true
                } catch {
                    guard error.isRetriable else { throw error }
                    return false
                }
            }
        }
    }
}
