import HubEmulator
import Kafka
import KafkaTestCluster
import NewsEvents
import NotificationHubs
import Publishing
import StructuredLog
import Testing
import Worker

/// One newsroom for one test: topics and a group of its own in the shared cluster, a hub in this process, a file with the
/// hub's key, and everything that workers say.
struct Newsroom: Sendable {
    let cluster: KafkaTestCluster
    let hub: HubEmulator
    let keyFile: KeyFile
    let names: Names
    let configuration: WorkerConfiguration
    /// What the configuration was read from.
    let text: String
    let log = EventLog<LogEntry>()
    let reports = EventLog<PublishingReport>()
    /// Reads the outcomes and the dead letters from their beginning.
    let reader: ConsumerRecorder
    private let readingConsumer: KafkaConsumer

    /// What nobody else uses.
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
    ///   - partitions: Of the source topic.
    ///   - cluster: Where; nil for the one that tests share.
    ///   - environment: Overrides of the configuration, such as `NEWSFLASH_DELIVERY_CONCURRENCY`.
    ///   - body: The test.
    /// - Throws: What the test threw.
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
        let text = Self.configurationText(names, keyFile: keyFile.path, bootstrapServers: cluster.bootstrapServers)
        let read = try ConfigurationReader(environment: environment).read(text: text, source: "the newsroom")
        let reader = ConsumerRecorder()
        let beginnings = [names.outcomes, names.deadLetters].map { KafkaTopicPartition(topic: $0, partition: 0) }
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
    ///   - changed: A configuration in place of the newsroom's own.
    ///   - body: The test.
    /// - Throws: What the test threw.
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
            logger: Logger(label: "worker", level: level, handler: LogRecorder(log: log)),
            observer: Follower(reports: reports),
            source: source
        )
    }

    /// Where the log, or an outcome, or a dead letter shows the hub's key; empty as it should be.
    var secretsShown: [String] {
        let entries = log.events.map { "\($0.message) \($0.metadata)" }
        let records = reader.messages.map { message in
            let headers = message.headers.map { "\($0.name): \(String(decoding: $0.value ?? [], as: UTF8.self))" }
            return String(decoding: message.value ?? [], as: UTF8.self) + headers.joined(separator: "\n")
        }
        return hub.secretsShown(in: entries + records)
    }

    /// How many records the topics hold, as the broker says.
    func end(of topic: String, partition: Int32 = 0) async throws -> Int64 {
        try await readingConsumer.watermarks(of: KafkaTopicPartition(topic: topic, partition: partition)).high
    }

    private static func configurationText(_ names: Names, keyFile: String, bootstrapServers: String) -> String {
        """
        version: 1
        kafka:
          bootstrapServers: "\(bootstrapServers)"
          group: \(names.group)
          sessionTimeout: 6s
          properties: { fetch.wait.max.ms: "5" }
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

/// Keeps what a worker logs.
private struct LogRecorder: LogHandler {
    let log: EventLog<LogEntry>

    func log(_ entry: LogEntry) { log.append(entry) }
}

/// Keeps what a worker reports.
private struct Follower: WorkerObserver {
    let reports: EventLog<PublishingReport>

    func heard(_ report: PublishingReport) { reports.append(report) }
}
