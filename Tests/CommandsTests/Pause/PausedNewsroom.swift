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
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// A newsroom whose events name a source that is missing in its configuration.
struct PausedNewsroom {
    let watched: WatchedNewsroom

    static func open(_ body: (PausedNewsroom) async throws -> Void) async throws {
        try await WatchedNewsroom.open { watched in
            let text = try String(contentsOfFile: watched.file, encoding: .utf8)
            let id = text.replacing(
                "desk: { topic: \(watched.configuration.source.topic)",
                with: "desk: { id: \"https://cms.example.org/desk\", topic: \(watched.configuration.source.topic)"
            )
            try watched.folder.write(id, to: "with-id.yaml")
            try watched.folder.write(text + "\nunknown: [", to: "broken.yaml")
            try await body(PausedNewsroom(watched: watched))
        }
    }

    func run(_ words: [String], _ variables: [String: String] = [:]) async throws -> (code: Int32, lines: [String]) {
        let environment = TestProgram.environment(adding: variables)
        let process = try ChildProcess([try TestProgram.path()] + words, environment: environment)
        guard case .exited(let code) = try await process.waitForEnd() else {
            throw ChildProcess.Failure(description: "newsflash was killed")
        }
        return (code, process.lines.events)
    }

    /// Writes commands as other machines do.
    func write(_ orders: [ControlRecord]) async throws {
        try await watched.cluster.write(orders.map { KafkaRecord($0, topic: watched.configuration.topics.control) })
    }

    /// Resumes everything and writes commands.
    func reset(with orders: [ControlRecord]) async throws {
        let scopes: [PauseScope] = [
            .all, .topic(watched.configuration.source.topic), .source("desk"), .source("urn:other"),
            .source("https://cms.example.org/desk"),
        ]
        try await write(
            scopes.map { ControlRecord(.resume, $0, by: .person("test"), reason: "", at: .now()) } + orders
        )
    }

    /// Waits until the worker has applied all commands so far.
    func waitForOrders(_ mark: String) async throws {
        let mark = ControlRecord(.resume, .source("urn:mark"), by: .person("test"), reason: "\(mark).", at: .now())
        try await write([mark])
        try await watched.log.wait { log in log.contains { "\($0.metadata)".contains(mark.reason) } ? () : nil }
    }

    /// Writes an event to the desk's topic, and waits until it ends or waits for a person.
    ///
    /// - Returns: Whether it has ended.
    func publish(_ event: NewsEvent) async throws -> Bool {
        let topic = watched.configuration.source.topic
        try await watched.cluster.write([
            KafkaRecord(topic: topic, partition: 0, key: nil, value: EventEncoder.encode(event))
        ])
        return try await watched.log.wait { log in
            log.first { entry in
                ["an event ended", "an event waits in the ledger"].contains(entry.message)
                    && "\(entry.metadata)".contains(event.id)
            }
            .map { $0.message == "an event ended" }
        }
    }

    /// Returns whether a flash of a source is sent; otherwise it waits.
    func sends(_ id: String, of source: String = "https://cms.example.org/desk") async throws -> Bool {
        let isEnded = try await publish(news(id, of: source))
        let isSent = !pushes(of: "story-of-\(id)").isEmpty
        #expect(isSent == isEnded, "\(id)")
        return isSent
    }

    /// Creates news of a source.
    func news(
        _ id: String,
        story: String? = nil,
        of source: String = "https://cms.example.org/desk",
        revision: Int64 = 1
    ) -> NewsEvent {
        NewsEvent(
            id: id,
            source: source,
            story: story ?? "story-of-\(id)",
            revision: revision,
            kind: .flash,
            published: .now(),
            categories: ["world"],
            language: "en",
            text: [EventText(language: "en", headline: "A bridge has opened")]
        )
    }

    /// Returns the kinds of the notifications that the hub has accepted for a story.
    func pushes(of story: String) -> [String] {
        watched.hub.pushes.compactMap { send in
            guard let body = try? JSONReader.read(send.body), body[member: "story"]?.string == story else { return nil }
            return body[member: "kind"]?.string
        }
    }
}
