import NewsflashEvents
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashPublishing
import NewsflashTopicPartitions
import NewsflashWorker
import NotificationHubs
import Testing

/// One newsroom for one test: its own topics and group in the shared cluster, a hub in this process, a file with the
/// hub's key, and everything that workers log and report.
struct Newsroom: Sendable {
    let cluster: KafkaTestCluster
    let hub: HubEmulator
    let keyFile: KeyFile
    let names: Names
    let configuration: WorkerConfiguration
    /// The text of the configuration.
    let text: String
    let log = EventLog<LogEntry>()
    let reports = EventLog<PublishingReport>()
    /// Reads the outcomes and the dead letters from their beginning.
    let reader: ConsumerRecorder
    private let readingConsumer: KafkaConsumer

    /// The names that no other test uses.
    struct Names: Sendable {
        var source: String
        var outcomes: String
        var deadLetters: String
        var ledger: String
        var control: String
        var group: String
        var partitions: Int
    }

    /// Makes a newsroom, runs a test in it and closes it whatever happens.
    ///
    /// - Parameters:
    ///   - partitions: The number of partitions of the source topic.
    ///   - cluster: The cluster; `nil` for the shared one.
    ///   - environment: Overrides of the configuration, such as `NEWSFLASH_DELIVERY_CONCURRENCY`.
    ///   - body: The test.
    /// - Throws: The error of the test.
    static func open(
        partitions: Int = 1,
        on cluster: KafkaTestCluster? = nil,
        _ environment: [String: String] = [:],
        _ body: (Newsroom) async throws -> Void
    ) async throws {
        let given = cluster
        let cluster = if let given { given } else { try await KafkaTestCluster.shared() }
        let names = Names(
            source: try await cluster.makeTopic(partitions: partitions),
            outcomes: try await cluster.makeTopic(),
            deadLetters: try await cluster.makeTopic(),
            ledger: try await cluster.makeTopic(partitions: partitions, isCompacted: true),
            control: try await cluster.makeTopic(isCompacted: true),
            group: cluster.uniqueName("workers"),
            partitions: partitions
        )
        let hub = HubEmulator()
        try hub.start()
        let keyFile = try KeyFile(try #require(hub.connectionStrings.first))
        let text = Self.configurationText(names, keyFile: keyFile.path, of: cluster)
        let read = try ConfigurationReader(environment: environment).read(text: text, source: "the newsroom")
        let reader = ConsumerRecorder()
        let beginnings = [names.outcomes, names.deadLetters].map { TopicPartition(topic: $0, partition: 0) }
        do {
            try await cluster.withConsumer(
                assigned: Dictionary(uniqueKeysWithValues: beginnings.map { ($0, .beginning) }),
                recorder: reader
            ) { consumer, reader in
                let newsroom = Newsroom(
                    cluster: cluster,
                    hub: hub,
                    keyFile: keyFile,
                    names: names,
                    configuration: read.configuration,
                    text: text,
                    reader: reader,
                    readingConsumer: consumer
                )
                try await body(newsroom)
                #expect(newsroom.secretsShown == [])
            }
        } catch {
            await hub.stop()
            throw error
        }
        await hub.stop()
    }

    /// Runs a worker, and stops it whatever happens.
    ///
    /// - Parameters:
    ///   - changed: A configuration that replaces the newsroom's own.
    ///   - body: The test.
    /// - Throws: The error of the test.
    func withWorker(
        _ changed: WorkerConfiguration? = nil,
        _ body: (Worker) async throws -> Void
    ) async throws {
        let worker = try await startWorker(changed)
        do {
            try await body(worker)
        } catch {
            await worker.stop()
            throw error
        }
        #expect(await worker.stop(), "the worker stops in time")
    }

    /// Starts a worker that the test stops.
    func startWorker(
        _ changed: WorkerConfiguration? = nil,
        level: LogLevel = .trace,
        source: ConfigurationSource? = nil
    ) async throws -> Worker {
        try await Worker.start(
            changed ?? configuration,
            logger: Logger(label: "worker", level: level, handler: log),
            observer: Follower(reports: reports),
            source: source
        )
    }

    /// The log lines, outcomes and dead letters that contain the hub's key; must be empty.
    var secretsShown: [String] {
        let entries = log.events.map { "\($0.message) \($0.metadata)" }
        let records = reader.messages.map { message in
            let headers = message.headers.map { "\($0.name): \(String(decoding: $0.value ?? [], as: UTF8.self))" }
            return String(decoding: message.value ?? [], as: UTF8.self) + headers.joined(separator: "\n")
        }
        return hub.secretsShown(in: entries + records)
    }

    /// The end offset of a partition according to the broker.
    func end(of topic: String, partition: Int32 = 0) async throws -> Int64 {
        try await readingConsumer.watermarks(of: TopicPartition(topic: topic, partition: partition)).high
    }

    private static func configurationText(_ names: Names, keyFile: String, of cluster: KafkaTestCluster) -> String {
        """
        version: 1
        kafka:
          bootstrapServers: "\(cluster.bootstrapServers)"
          group: \(names.group)
          sessionTimeout: 6s
          properties: { fetch.wait.max.ms: \(cluster.fetchWait) }
        sources: { desk: { topic: \(names.source), id: "\(Desk.source)" } }
        hubs: { main: { name: newsroom, connectionStringFile: "\(keyFile)" } }
        locales: { offered: [en, fr, cs], default: en }
        categories:
          World: [world]
          Politics: [politics]
          Business: [business]
          Technology: [technology]
          Science: [science]
          Sports: [sports]
        text:
          alert: "{headline}"
          kill: "Withdrawn: {headline}"
          flash: { en: "Breaking: {headline}", fr: "Alerte : {headline}", cs: "Mimořádná zpráva: {headline}" }
        policy: { life: { alert: 36500d, update: 36500d, flash: 36500d } }
        delivery: { drain: 5s, commitInterval: 20ms, retry: { base: 20ms, cap: 100ms } }
        topics:
          { outcomes: \(names.outcomes), deadLetters: \(names.deadLetters), ledger: \(names.ledger), control: \(names.control) }
        admin: { listen: "127.0.0.1:0" }
        """
    }
}

/// Records the reports of a worker.
private struct Follower: WorkerObserver {
    let reports: EventLog<PublishingReport>

    func received(_ report: PublishingReport) { reports.append(report) }
}
