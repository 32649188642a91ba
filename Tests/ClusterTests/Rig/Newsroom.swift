import Guarantees
import HubEmulator
import Kafka
import KafkaMock
import Locks
import TestSupport
import Timestamps

/// All that stands around the workers of one test: the topics, hubs, a desk that writes, and a reader of the outcomes.
final class Newsroom: Sendable {
    /// How it is set up.
    struct Setup: Sendable {
        /// Of the source; the other topics have as many.
        var partitions: Int
        /// How late the hubs answer.
        var latency = Duration.milliseconds(20)
        /// Whether there are two hubs that are watched; else one is a process of its own, out of the way, and outcomes are only
        /// counted.
        var isWatched = true
        /// The embedded cluster that the client is configured for; `nil` for real brokers.
        var mock: MockCluster?
    }

    let client: KafkaConfiguration
    /// How easy to go on the workers.
    let slowness: Slowness
    let admin: KafkaAdmin
    /// The hubs of the workers. Each event is for all of them.
    let hubs: [RigHub]
    /// The first hub.
    var hub: HubEmulator { hubs[0].emulator }
    /// Reads what the first hub accepts; `nil` if nobody watches it.
    var acceptanceReader: AcceptanceReader? { hubs[0].reader }
    let outcomeReader: OutcomeReader
    let desk: Desk
    /// The consumer group of the workers.
    let group: String
    let source: String
    let outcomes: String
    let deadLetters: String
    let ledger: String
    /// More properties of librdkafka for whatever reads: the embedded cluster does not wake a waiting fetch.
    let readingProperties: [String: String]
    let sourcePartitions: [KafkaTopicPartition]
    /// When brokers were dead, as far as that is over.
    private let brokerOutages = Locked<[(time: Range<Timestamp>, committed: [KafkaTopicPartition: Int64]?)]>([])
    /// When hubs accepted nothing, as far as that is over.
    private let hubOutages = Locked<[String: [Range<Timestamp>]]>([:])
    private let reader: KafkaConsumer
    /// Reports of sanitizers in hubs that are processes of their own.
    var sanitizerReports: [String] { hubs.flatMap(\.sanitizerReports) }

    /// Makes the topics, and starts the hubs and the readers.
    ///
    /// - Parameters:
    ///   - client: Where the cluster is.
    ///   - name: What the names of topics and group begin with.
    ///   - plan: What is going to be written.
    ///   - setup: How it is set up.
    /// - Throws: `KafkaError` when the cluster refuses, and what a hub says if it cannot listen.
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
        sourcePartitions = numbers.map { [source] in KafkaTopicPartition(topic: source, partition: $0) }
        var settings = HubEmulatorConfiguration()
        let faults = Set(plan.records.lazy.compactMap(\.fault))
        // The first that refuses ends the list, so what only delays stands last.
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
            numbers.map { (KafkaTopicPartition(topic: topic, partition: $0), KafkaOffset.beginning) }
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
    ///   - pace: How quickly.
    ///   - numbers: Which records of the plan; nil for all.
    /// - Throws: `CancellationError`, or what the client says.
    func write(_ pace: Desk.Pace, _ numbers: Range<Int>? = nil) async throws {
        try await desk.write(pace, numbers, outcomes: outcomeReader)
    }

    /// All that was seen at both ends, when nothing is under way any more.
    ///
    /// - Parameters:
    ///   - disturbances: What was done to workers.
    ///   - committed: The committed offsets of the group at the deaths and ends among these.
    ///   - forming: When the group came into being.
    ///   - patience: What is forgiven to programs as they ship; see ``Slowness``.
    /// - Returns: For the checks.
    /// - Throws: ``Acceptance/Unreadable`` if a hub accepted a request that does not come from these workers.
    func evidence(
        disturbances: [Disturbance] = [],
        committed: [Disturbance: [KafkaTopicPartition: Int64]] = [:],
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

    /// Asks what the workers' group has committed; right after a death or an end, before another worker commits anything.
    ///
    /// - Returns: The next offset to read of each partition; `nil` if the group cannot be asked within a second.
    func committedOffsets() async -> [KafkaTopicPartition: Int64]? {
        try? await admin.committedOffsets(ofGroup: group, partitions: sourcePartitions, timeout: .seconds(1))
    }

    /// Records that a broker was dead.
    ///
    /// - Parameters:
    ///   - time: From its death until it served again.
    ///   - committed: The committed offsets of the workers' group when it died.
    func brokerWasDead(_ time: Range<Timestamp>, committed: [KafkaTopicPartition: Int64]?) {
        brokerOutages.withLock { $0.append((time, committed)) }
    }

    /// Records that a hub accepted nothing.
    ///
    /// - Parameters:
    ///   - label: The hub's.
    ///   - time: From the first refusal on, until it accepted again.
    func hubWasAway(_ label: String, _ time: Range<Timestamp>) {
        hubOutages.withLock { $0[label, default: []].append(time) }
    }

    /// Whether a hub was away at some time, as far as that is over.
    func wasAway(_ label: String, in time: Range<Timestamp>) -> Bool {
        hubOutages.withLock { $0[label]?.contains { $0.overlaps(time) } == true }
    }
}
