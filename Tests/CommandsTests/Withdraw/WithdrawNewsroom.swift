import FoundationEssentials
import NewsflashEvents
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashWorker
import NotificationHubs
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// A newsroom for one test with three sources: `desk` and `night` have events, `wire` has ninjs items. Each topic has
/// two partitions, and the hub is in this process.
struct WithdrawNewsroom: Sendable {
    static let desk = "https://cms.example.org/desk"

    let cluster: KafkaTestCluster
    let hub: HubEmulator
    let folder: TemporaryFolder
    let outcomes: String
    let control: String
    private let topics: [String: String]
    private let deadLetters: String
    private let group: String

    /// Creates a newsroom, runs a test in it and closes it in any case.
    static func open(_ body: (WithdrawNewsroom) async throws -> Void) async throws {
        let cluster = try await KafkaTestCluster.shared()
        let hub = HubEmulator()
        try hub.start()
        var topics: [String: String] = [:]
        for source in ["desk", "night", "wire"] {
            let topic = try await cluster.makeTopic(partitions: 2)
            try await cluster.makeTopic(named: "\(topic).ledger", partitions: 2, isCompacted: true)
            topics[source] = topic
        }
        let newsroom = WithdrawNewsroom(
            cluster: cluster,
            hub: hub,
            folder: try TemporaryFolder(),
            outcomes: try await cluster.makeTopic(),
            control: try await cluster.makeTopic(isCompacted: true),
            topics: topics,
            deadLetters: try await cluster.makeTopic(),
            group: cluster.uniqueName("workers")
        )
        do {
            try newsroom.folder.write(try #require(hub.connectionStrings.first), to: "key")
            try await body(newsroom)
        } catch {
            await hub.stop()
            throw error
        }
        await hub.stop()
    }

    func topic(_ source: String) -> String { topics[source] ?? "" }

    /// Writes the configuration.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - more: Further sections.
    /// - Returns: Its path.
    /// - Throws: If the file cannot be written.
    func configurationFile(_ name: String = "newsflash.yaml", more: String = "") throws -> String {
        let text = """
            version: 1
            kafka:
              bootstrapServers: "\(cluster.bootstrapServers)"
              group: \(group)
              sessionTimeout: 6s
              properties: { fetch.wait.max.ms: \(cluster.fetchWait) }
            sources:
              desk: { topic: \(topic("desk")), id: "\(Self.desk)" }
              night: { topic: \(topic("night")), id: "urn:night" }
              wire:
                topic: \(topic("wire"))
                format: ninjs
                id: "urn:wire"
                push: { urgency: 1..3 }
                kinds: { 1: flash, 2: alert, 3: alert }
                revision: version
            hubs: { main: { name: newsroom, connectionStringFile: "\(folder.file("key"))" } }
            locales: { offered: [en], default: en }
            categories: { World: [world] }
            text: { alert: "{headline}", kill: "Withdrawn: {headline}" }
            delivery: { drain: 5s, commitInterval: 20ms, retry: { base: 20ms, cap: 100ms } }
            topics:
              outcomes: \(outcomes)
              deadLetters: \(deadLetters)
              ledger: "{topic}.ledger"
              control: \(control)
            admin: { listen: "off" }

            """
        return try folder.write(text + more, to: name)
    }

    /// Runs a worker, and stops it in any case.
    func withWorker(_ file: String, _ body: () async throws -> Void) async throws {
        let configuration = try ConfigurationReader(environment: [:]).read(file: file).configuration
        let worker = try await Worker.start(
            configuration,
            logger: Logger(label: "worker", level: .critical, handler: DiscardingLogHandler())
        )
        do {
            try await body()
        } catch {
            await worker.stop()
            throw error
        }
        #expect(await worker.stop(), "the worker stops in time")
    }

    /// Runs the program to its end.
    ///
    /// - Returns: Its exit code and its lines, without notes about waiting for a slow machine.
    func run(_ words: [String]) async throws -> (code: Int32, lines: [String]) {
        let process = try ChildProcess([try TestProgram.path()] + words, environment: TestProgram.environment)
        let end = try await process.waitForEnd()
        let lines = process.lines.events.filter { !$0.hasPrefix("still ") }
        switch end {
        case .exited(let code): return (code, lines)
        case .signalled(let number): return (128 + number, lines)
        }
    }

    /// Runs `newsflash withdraw`.
    func withdraw(_ words: [String], _ file: String) async throws -> (code: Int32, lines: [String]) {
        try await run(["withdraw", "--config", file, "--by", "ed:novak"] + words)
    }

    // MARK: - News

    /// Creates an alert of a story.
    func alert(_ story: String, source: String = Self.desk, revision: Int64 = 1) -> NewsEvent {
        NewsEvent(
            id: "alert-of-\(story)-\(revision)",
            source: source,
            story: story,
            revision: revision,
            kind: .alert,
            published: .now(),
            categories: ["world"],
            text: [EventText(language: "en", headline: "A bridge has opened (\(story))")]
        )
    }

    /// Writes an alert to a source, into a partition that may differ from its key's.
    func publish(_ event: NewsEvent, to source: String = "desk", partition: Int32 = 1) async throws {
        try await write(EventEncoder.encode(event), key: event.story, to: source, partition: partition)
    }

    /// Writes an item of the agency.
    func publishItem(_ story: String, partition: Int32 = 1) async throws {
        let item = """
            {"uri":"\(story)","version":"1","versioncreated":"\(Timestamp.now().rfc3339)","language":"en",\
            "headline":"A dam has opened (\(story))","subject":["world"],"urgency":2}
            """
        try await write(Array(item.utf8), key: story, to: "wire", partition: partition)
    }

    private func write(_ value: [UInt8], key: String, to source: String, partition: Int32) async throws {
        try await cluster.write([
            KafkaRecord(topic: topic(source), partition: partition, key: Array(key.utf8), value: value)
        ])
    }

    /// Writes a command to the control topic.
    func order(_ act: ControlRecord.Act, _ source: String) async throws {
        let record = ControlRecord(act, .source(source), by: .person("ed"), reason: "a test", at: .now())
        try await cluster.write([KafkaRecord(.source(record), topic: control)])
    }

    // MARK: - Results

    /// Waits until the outcomes topic has a number of records.
    func waitForOutcomes(_ count: Int) async throws {
        let log = EventLog<Int64>()
        _ = try await TopicScan(cluster.client(), topics: [outcomes], from: .earliest, to: .never).run { messages in
            for message in messages { log.append(message.offset) }
            return log.events.count < count
        }
    }

    /// Reads all records of a source's topic.
    func records(of source: String) async throws -> [KafkaMessage] {
        let log = EventLog<KafkaMessage>()
        _ = try await TopicScan(cluster.client(), topics: [topic(source)], from: .earliest, to: .present).run {
            messages in
            for message in messages { log.append(message) }
            return true
        }
        return log.events
    }

    /// Returns the texts of the withdrawals that the hub has accepted for a story.
    func withdrawals(of story: String) -> [String] {
        hub.pushes.compactMap { send in
            guard let body = try? JSONReader.read(send.body), body[member: "story"]?.string == story,
                body[member: "kind"]?.string == "kill"
            else { return nil }
            return body[member: "headline_en"]?.string
        }
    }
}
