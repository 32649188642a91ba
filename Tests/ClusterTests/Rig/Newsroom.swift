import NewsflashBasics
import NewsflashGuarantees
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaMock
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashTopicPartitions

/// The surroundings of the workers of one test: the topics, the hubs, a desk that writes, and a reader of the outcomes.
final class Newsroom: Sendable {
    /// The setup of a newsroom.
    struct Setup: Sendable {
        /// The number of partitions of the source and of each other topic.
        var partitions: Int
        /// The latency of the hubs.
        var latency = Duration.milliseconds(20)
        /// Whether there are two watched hubs; otherwise there is one in its own process, and outcomes are only
        /// counted.
        var isWatched = true
        /// The embedded cluster in the client's configuration; `nil` for real brokers.
        var mock: MockCluster?
    }

    let client: KafkaConfiguration
    /// The slowness of the workers, for loads and limits.
    let slowness: Slowness
    let admin: KafkaAdmin
    /// The hubs of the workers. Each event is for all of them.
    let hubs: [RigHub]
    /// The first hub.
    var hub: HubEmulator { hubs[0].emulator }
    /// The reader of the first hub's acceptances; `nil` if the hub is not watched.
    var acceptanceReader: AcceptanceReader? { hubs[0].reader }
    let outcomeReader: OutcomeReader
    let desk: Desk
    /// The consumer group of the workers.
    let group: String
    let source: String
    let outcomes: String
    let deadLetters: String
    let ledger: String
    /// More properties of librdkafka for all consumers, because the embedded cluster does not wake a waiting fetch.
    let readingProperties: [String: String]
    let sourcePartitions: [TopicPartition]
    /// The ended outages of brokers.
    private let brokerOutages = Locked<[(time: Range<Timestamp>, committed: [TopicPartition: Int64]?)]>([])
    /// The ended outages of hubs.
    private let hubOutages = Locked<[String: [Range<Timestamp>]]>([:])
    private let reader: KafkaConsumer
    /// Reports of sanitizers in hubs in their own processes.
    var sanitizerReports: [String] { hubs.flatMap(\.sanitizerReports) }

    /// Creates the topics, and starts the hubs and the readers.
    ///
    /// - Parameters:
    ///   - client: The configuration of the cluster's client.
    ///   - name: The prefix of the names of topics and group.
    ///   - plan: The plan to write.
    ///   - setup: The setup.
    /// - Throws: `KafkaError` if the cluster refuses, or the error of a hub that cannot listen.
    init(_ client: KafkaConfiguration, name: String, plan: NewsPlan, _ setup: Setup) async throws {
        self.client = client
        slowness = try await Slowness.present()
        admin = try KafkaAdmin(client)
        group = "\(name)-workers"
        source = "\(name).news"
        outcomes = "\(name).outcomes"
        deadLetters = "\(name).dead-letters"
        ledger = "\(group).\(source).ledger"
        if let mock = setup.mock {
            readingProperties = ["fetch.wait.max.ms": "5"]
            for topic in [source, outcomes, deadLetters, ledger] {
                try mock.createTopic(topic, partitions: setup.partitions)
            }
        } else {
            readingProperties = [:]
            var topics = [source, outcomes, deadLetters].map { KafkaNewTopic(name: $0, partitions: setup.partitions) }
            topics.append(
                KafkaNewTopic(name: ledger, partitions: setup.partitions, configuration: ["cleanup.policy": "compact"])
            )
            let refused = try await admin.createTopics(topics)
            if let error = refused.values.first { throw error }
        }
        let numbers = (0..<Int32(setup.partitions))
        sourcePartitions = numbers.map { [source] in TopicPartition(topic: source, partition: $0) }
        var settings = HubEmulatorConfiguration()
        let faults = Set(plan.records.lazy.compactMap(\.fault))
        // The first fault with a refusal ends the list, so the latency is last.
        settings.faults = HubFault.allCases.filter(faults.contains).map(\.fault) + [Fault(latency: setup.latency)]
        let desk = Desk(plan, client: client, topic: source)
        self.desk = desk
        if setup.isWatched {
            hubs = try ["main", "south"].map { label in
                try RigHub(watched: label, settings) { desk.partition(of: $0) }
            }
        } else {
            hubs = [try await RigHub(apart: "main", answeringAfter: setup.latency)]
        }
        outcomeReader = OutcomeReader(outcomesTopic: outcomes, onlyCounts: !setup.isWatched)
        var readingClient = client
        readingClient.properties.merge(readingProperties) { $1 }
        reader = try KafkaConsumer(
            KafkaConsumerConfiguration(client: readingClient, groupID: "\(name)-reader", offsetReset: .earliest),
            delegate: outcomeReader
        )
        let read = [outcomes, deadLetters].flatMap { topic in
            numbers.map { (TopicPartition(topic: topic, partition: $0), KafkaOffset.beginning) }
        }
        reader.assign(Dictionary(uniqueKeysWithValues: read))
    }

    /// Ends the readers and the hubs.
    func close() async {
        await desk.close()
        await reader.close(deadline: .seconds(5))
        for hub in hubs { await hub.close() }
    }

    /// Writes the plan.
    ///
    /// - Parameters:
    ///   - pace: The pace.
    ///   - numbers: The records of the plan to write; `nil` for all.
    /// - Throws: `CancellationError`, or the error of the client.
    func write(_ pace: Desk.Pace, _ numbers: Range<Int>? = nil) async throws {
        try await desk.write(pace, numbers, outcomes: outcomeReader)
    }

    /// The evidence from the source, the hubs and the outcomes, when nothing is in flight any more.
    ///
    /// - Parameters:
    ///   - disturbances: The disturbances of workers.
    ///   - committed: The committed offsets of the group at the deaths and ends among the disturbances.
    ///   - forming: The time in which the group was formed.
    ///   - patience: The tolerances for programs without a sanitizer; see ``Slowness``.
    /// - Returns: The evidence for the checks.
    /// - Throws: ``Acceptance/Unreadable`` if a hub accepted a request that does not come from these workers.
    func evidence(
        disturbances: [Disturbance] = [],
        committed: [Disturbance: [TopicPartition: Int64]] = [:],
        forming: Range<Timestamp>? = nil,
        patience: Evidence.Patience = .init()
    ) throws -> Evidence {
        let ended = outcomeReader.present
        let outages = brokerOutages.withLock { $0 }
        return Evidence(
            records: desk.plan.records,
            written: desk.written,
            places: desk.places,
            hubs: hubs.map(\.label),
            acceptances: try hubs.acceptances(),
            away: hubOutages.withLock { $0 },
            throttled: Dictionary(uniqueKeysWithValues: hubs.map { ($0.label, $0.throttled) }),
            outcomes: ended.outcomes,
            deadLetters: ended.deadLetters,
            disturbances: disturbances,
            committed: committed,
            pauses: desk.pauses,
            forming: forming,
            outages: outages.map(\.time),
            committedAtOutages: Dictionary(uniqueKeysWithValues: outages.map { ($0.time, $0.committed) })
                .compactMapValues(\.self),
            patience: slowness.stretched(patience)
        )
    }

    /// Reads the committed offsets of the workers' group. Call it right after the death or end of a worker, before
    /// another worker commits.
    ///
    /// - Returns: The next offset to read of each partition; `nil` if the group does not respond within a second.
    func committedOffsets() async -> [TopicPartition: Int64]? {
        try? await admin.committedOffsets(ofGroup: group, partitions: sourcePartitions, timeout: .seconds(1))
    }

    /// Records that a broker was dead.
    ///
    /// - Parameters:
    ///   - time: The time from its death until it worked again.
    ///   - committed: The committed offsets of the workers' group when it died.
    func brokerWasDead(_ time: Range<Timestamp>, committed: [TopicPartition: Int64]?) {
        brokerOutages.withLock { $0.append((time, committed)) }
    }

    /// Records that a hub accepted nothing.
    ///
    /// - Parameters:
    ///   - label: The hub's label.
    ///   - time: The time from the first refusal until it accepted again.
    func hubWasAway(_ label: String, _ time: Range<Timestamp>) {
        hubOutages.withLock { $0[label, default: []].append(time) }
    }

    /// Whether a hub had an outage, now ended, that overlaps a time.
    func wasAway(_ label: String, in time: Range<Timestamp>) -> Bool {
        hubOutages.withLock { $0[label]?.contains { $0.overlaps(time) } == true }
    }
}
