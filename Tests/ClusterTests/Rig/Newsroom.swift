import Guarantees
import HubEmulator
import Kafka
import KafkaMock
import Locks
import TestSupport
import Timestamps

/// All that stands around the workers of one test: the topics, a hub, a desk that writes, and a reader of the outcomes.
final class Newsroom: Sendable {
    /// How it is set up.
    struct Setup: Sendable {
        /// Of the source; the other topics have as many.
        var partitions: Int
        /// How late the hub answers.
        var latency = Duration.milliseconds(20)
        /// Whether the hub is watched; else it is a process of its own, out of the way, and outcomes are only counted.
        var isWatched = true
        /// The embedded cluster that the client is configured for; `nil` for real brokers.
        var mock: MockCluster?
    }

    let client: KafkaConfiguration
    /// How easy to go on the workers.
    let slowness: Slowness
    let admin: KafkaAdmin
    /// The hub that is watched.
    let hub: HubEmulator
    /// What workers need to send to the hub.
    let connectionString: String
    /// The secret of that.
    var hubKey: String {
        connectionString.split(separator: ";").last { $0.hasPrefix("SharedAccessKey=") }
            .map { String($0.dropFirst("SharedAccessKey=".count)) } ?? ""
    }
    let outcomeReader: OutcomeReader
    let acceptanceReader: AcceptanceReader?
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
    private let reader: KafkaConsumer
    private let hubProcess: LeashedProgram?
    /// What sanitizers found in the hub, where that is a process of its own.
    var sanitizerReports: [String] { Sanitizer.reports(in: hubProcess?.lines.events ?? []) }

    /// Makes the topics, and starts a hub and the readers.
    ///
    /// - Parameters:
    ///   - client: Where the cluster is.
    ///   - name: What the names of topics and group begin with.
    ///   - plan: What is going to be written.
    ///   - setup: How it is set up.
    /// - Throws: `KafkaError` when the cluster refuses, and what the hub says where it cannot listen.
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
        hub = HubEmulator(settings)
        if setup.isWatched {
            hubProcess = nil
            try hub.start()
            connectionString = hub.connectionStrings.first ?? ""
        } else {
            let process = try await WorkerProgram.hub(answeringAfter: setup.latency)
            hubProcess = process
            connectionString = try await process.lines.wait { lines in lines.first { $0.hasPrefix("Endpoint=") } }
        }
        let desk = Desk(plan, client: client, topic: source)
        self.desk = desk
        acceptanceReader = setup.isWatched ? AcceptanceReader(hub) { desk.partition(of: $0) } : nil
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

    /// Ends the readers and the hub.
    func close() async {
        await desk.close()
        await reader.close(deadline: .seconds(5))
        acceptanceReader?.close()
        await hub.stop()
        hubProcess?.end()
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
    ///   - patience: What is forgiven to programs as they ship; see ``Slowness``.
    /// - Returns: For the checks.
    /// - Throws: ``Acceptance/Unreadable`` where the hub accepted what no worker of ours sends.
    func evidence(
        disturbances: [Disturbance] = [],
        committed: [Disturbance: [KafkaTopicPartition: Int64]] = [:],
        patience: Evidence.Patience = .init()
    ) throws -> Evidence {
        let ended = outcomeReader.present
        let outages = brokerOutages.withLock { $0 }
        return Evidence(
            records: desk.plan.records,
            written: desk.written,
            places: desk.places,
            acceptances: try acceptanceReader?.all(with: hub.sends) ?? hub.pushes.map { try Acceptance($0) },
            outcomes: ended.outcomes,
            deadLetters: ended.deadLetters,
            disturbances: disturbances,
            committed: committed,
            pauses: desk.pauses,
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
}
