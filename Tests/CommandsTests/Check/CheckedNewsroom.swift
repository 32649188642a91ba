import NewsflashCurlTransport
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashTopicPartitions
import NewsflashWorker
import Synchronization
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A newsroom whose Kafka and hub are checked, with names used by nobody else.
struct CheckedNewsroom {
    private static let made = Atomic(0)

    private var read: ReadConfiguration

    var configuration: WorkerConfiguration {
        get { read.configuration }
        set { read.configuration = newValue }
    }

    /// Creates a configuration for a cluster and a hub.
    ///
    /// - Parameters:
    ///   - cluster: The Kafka cluster.
    ///   - hub: A connection string; without one the hub's port has no listener.
    /// - Throws: If the sample is broken.
    init(_ cluster: KafkaConfiguration, hub: String = Self.nowhere) throws {
        let number = Self.made.wrappingAdd(1, ordering: .relaxed).newValue
        let name = "check-\(getpid())-\(number)"
        let text =
            SampleNewsroom.yaml + """

                kafka: { group: \(name) }
                sources: { desk: { topic: \(name).news } }
                topics: { outcomes: \(name).outcomes, deadLetters: \(name).letters }
                """
        read = try ConfigurationReader(environment: [:]).read(text: text, source: "news.yaml")
        configuration.kafka = cluster
        configuration.transport.proxy = .none
        configuration.transport.connectTimeout = .seconds(5)
        set(connectionString: hub)
    }

    /// A hub on a port without a listener.
    static let nowhere = "Endpoint=http://127.0.0.1:1/;SharedAccessKeyName=worker;SharedAccessKey=c2VjcmV0"

    mutating func set(connectionString: String) {
        configuration.hubs[0].credentials = .variable("HUB", value: connectionString)
    }

    var needed: [NeededTopic] { NeededTopic.all(of: TopicSettings(configuration)) }

    /// Returns the facts that a check finds.
    func facts(
        as user: CheckedUser = .worker,
        clock: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) async -> [CheckFact] {
        var told: [CheckFact] = []
        let checkup = Checkup(file: "news.yaml", result: .success(read), as: user, clock: clock)
        let facts = await checkup.run { told.append($0) }
        #expect(told == facts)
        return facts
    }

    /// Waits until the brokers know the topics that the controller has created.
    func awaitTopics(at cluster: KafkaConfiguration) async throws {
        let admin = try KafkaAdmin(cluster)
        try await waitUntil {
            let found = try await admin.topics().filter { topic in needed.contains { $0.name == topic.name } }
            let led = found.filter { !$0.partitions.isEmpty && !$0.partitions.contains { $0.leader == nil } }
            return led.count == needed.count
        }
    }

    /// Repeats a request until it has a result: brokers do not know new leaders and coordinators at once.
    private func repeated<Value: Sendable>(_ request: () async throws(KafkaError) -> Value) async throws -> Value {
        try await waitFor {
            do throws(KafkaError) {
                return try await request()
            } catch {
                guard error.isRetriable else { throw error }
                return nil
            }
        }
    }

    /// Reads the ends of the worker's topics and its group's offsets, which a check must not change.
    ///
    /// - Parameter cluster: A connection with the right to read everything.
    /// - Returns: The end of each partition, and the committed offsets.
    /// - Throws: `KafkaError` if the cluster cannot be queried.
    func traces(at cluster: KafkaConfiguration) async throws -> [String: Int64] {
        let admin = try KafkaAdmin(cluster)
        var traces: [String: Int64] = [:]
        for topic in try await admin.topics() where needed.contains(where: { $0.name == topic.name }) {
            let partitions = topic.partitions.map { TopicPartition(topic: topic.name, partition: $0.number) }
            for partition in partitions {
                traces["\(partition)"] = try await repeated { () throws(KafkaError) in
                    try await admin.watermarks(of: partition).high
                }
            }
            let group = configuration.group
            let committed = try await repeated { () throws(KafkaError) in
                try await admin.committedOffsets(ofGroup: group, partitions: partitions)
            }
            for (partition, offset) in committed {
                traces["\(partition) of \(group)"] = offset
            }
        }
        return traces
    }
}

extension [CheckFact] {
    /// The facts that are problems.
    var problems: [CheckFact] { filter { $0.status.word == "problem" } }

    /// Returns the only fact with a label.
    func only(_ code: CheckFact.Code, sourceLocation: SourceLocation = #_sourceLocation) throws -> CheckFact {
        let found = filter { $0.code == code }
        #expect(found.count == 1, "\(self)", sourceLocation: sourceLocation)
        return try #require(found.first, sourceLocation: sourceLocation)
    }
}
