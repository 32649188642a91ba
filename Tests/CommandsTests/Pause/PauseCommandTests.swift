import CommandLineArguments
import FoundationEssentials
import Kafka
import KafkaTestCluster
import NewsEvents
import Publishing
import StructuredLog
import TestSupport
import Testing
import Timestamps
import Worker

@testable import Commands

/// The commands pause and resume, with a running worker: exit code 0 if and only if the next flash is treated as ordered.
@Suite(.timeLimit(.minutes(4)))
struct PauseCommandTests {
    private static let desk = "https://cms.example.org/desk"

    /// One command, and the state before it.
    private struct Case {
        var name: String
        /// The orders before it, which are in force when it runs.
        var before: [ControlRecord] = []
        var words: [String]
        var environment: [String: String] = [:]
        var file = "newsflash.yaml"
        /// Whether it exits with 0.
        var succeeds = true
        /// A part of what it prints.
        var prints = ""
        /// The source of the next flash.
        var source = PauseCommandTests.desk
    }

    private static func order(
        _ act: ControlRecord.Act,
        _ scope: HoldScope = .source(desk),
        by author: ControlRecord.Author = .person("ed:kim"),
        clock skew: Duration = .zero
    ) -> ControlRecord {
        ControlRecord(act, scope, by: author, reason: "before", at: .now() + skew)
    }

    private static let bySource = [
        Case(name: "name", words: ["--source", "desk"]),
        Case(name: "name with an id", words: ["--source", "desk"], file: "with-id.yaml"),
        Case(name: "URI", words: ["--source", desk]),
        Case(
            name: "trailing slash",
            words: ["--source", desk + "/"],
            succeeds: false,
            prints: "Did you mean '\(desk)'?"
        ),
        Case(name: "typo", words: ["--source", "desc"], succeeds: false, prints: "Did you mean 'desk'?"),
        Case(name: "all", words: ["--all"]),
        Case(name: "empty USER", words: ["--source", desk], environment: ["USER": ""], prints: " by someone: "),
        Case(
            name: "long USER",
            words: ["--source", desk],
            environment: ["USER": String(repeating: "u", count: 300)],
            prints: " by someone: "
        ),
        Case(
            name: "broken configuration",
            words: ["--source", "desk"],
            file: "broken.yaml",
            prints: "broken.yaml has 1 problem that does not concern this command"
        ),
    ]

    private static let pauses =
        bySource + [
            Case(
                name: "clock an hour off",
                before: [order(.release, clock: .seconds(3600))],
                words: ["--source", desk]
            ),
            Case(name: "paused before", before: [order(.hold)], words: ["--source", desk]),
            Case(name: "resumed before", before: [order(.hold), order(.release)], words: ["--source", desk]),
            Case(
                name: "unknown",
                words: ["--source", "urn:unknown"],
                succeeds: false,
                prints: "Configured: 'desk'",
                source: "urn:unknown"
            ),
            Case(name: "forced", words: ["--source", "urn:other", "--force"], source: "urn:other"),
        ]

    private static let resumes =
        bySource.map { pause in
            var pause = pause
            pause.before = [order(.hold)]
            return pause
        } + [
            Case(name: "clock an hour off", before: [order(.hold, clock: .seconds(3600))], words: ["--source", desk]),
            Case(
                name: "all are paused",
                before: [order(.hold), order(.hold, .all)],
                words: ["--source", desk],
                succeeds: false,
                prints: "still paused by the order on all sources: paused since"
            ),
            Case(name: "all, and one by name", before: [order(.hold), order(.hold, .all)], words: ["--all"]),
            Case(name: "volume limit", before: [order(.hold, by: .brake)], words: ["--source", "desk"]),
            Case(name: "volume limit, all", before: [order(.hold, by: .brake)], words: ["--all"]),
            Case(name: "not paused", words: ["--source", desk]),
        ]

    @Test func `the exit code is 0 if and only if the next flash is treated as ordered`() async throws {
        try await PausedNewsroom.open { newsroom in
            try await newsroom.watched.withWorkers { _ in
                // Its outcome contains the source that the events of the topic have.
                let isSent = try await newsroom.sends("first")
                #expect(isSent)
                for (index, pause) in Self.pauses.enumerated() { try await check("pause", pause, index, newsroom) }
                for (index, resume) in Self.resumes.enumerated() { try await check("resume", resume, index, newsroom) }
            }
        }
    }

    private func check(_ command: String, _ test: Case, _ index: Int, _ newsroom: PausedNewsroom) async throws {
        try await newsroom.reset(with: test.before, "\(command)-\(index)-before")
        let reason = "\(command)-\(index)-reason"
        let words = [command, "--config", newsroom.watched.folder.file(test.file), "--reason", reason] + test.words
        let (code, lines) = try await newsroom.run(words, test.environment)
        let text = lines.joined(separator: "\n")
        #expect(code == (test.succeeds ? 0 : 1), "\(command), \(test.name): \(text)")
        #expect(text.contains(test.prints), "\(command), \(test.name): \(text)")
        if code == 0 {
            if KafkaTestCluster.isReal { #expect(text.contains("1 worker of group ")) }
            try await newsroom.waitForLog(reason)
        }
        let isSent = try await newsroom.sends("\(command)-\(index)-flash", of: test.source)
        #expect(isSent == ((command == "resume") == (code == 0)), "\(command), \(test.name): \(text)")
    }

    @Test func `an order without a worker applies as soon as one starts, and resume --all resumes it`()
        async throws
    {
        try await PausedNewsroom.open { newsroom in
            let file = newsroom.watched.file
            let paused = try await newsroom.run(["pause", "--config", file, "--source", Self.desk, "--force"])
            #expect(paused.code == 0, "\(paused.lines)")
            #expect(paused.lines.first?.hasSuffix(": no reason given") == true, "\(paused.lines)")
            if KafkaTestCluster.isReal { #expect(paused.lines.last?.hasPrefix("no worker of group ") == true) }
            let list = try await newsroom.run(["pauses", "--config", file])
            #expect(list.code == 0)
            #expect(list.lines.first == paused.lines.first)
            let json = try await newsroom.run(["pauses", "--config", file, "--json"])
            #expect(json.lines.first?.contains(#""source":"https://cms.example.org/desk""#) == true)
            try await newsroom.watched.withWorkers { _ in
                let isSent = try await newsroom.sends("held")
                #expect(!isSent)
            }
            let resumed = try await newsroom.run(["resume", "--config", file, "--all", "--json", "--by", "ed:novak"])
            #expect(resumed.code == 0, "\(resumed.lines)")
            #expect(
                resumed.lines.count == 3,
                "an order for all, the source that was paused and the one of the configuration"
            )
            #expect(resumed.lines.allSatisfy { $0.contains(#""inForce":true"#) })
            let none = try await newsroom.run(["pauses", "--config", file])
            #expect(none.lines == ["nothing is paused"])
        }
    }

    @Test func `an order that a later one replaced is not in force`() {
        var holds = SourceHolds()
        let pause = Self.order(.hold)
        holds.apply(pause, at: 1)
        #expect(PauseResult(order: pause, paused: holds.pauses(on: pause.scope)).isInForce)
        holds.apply(Self.order(.release), at: 2)
        let lost = PauseResult(order: pause, paused: holds.pauses(on: pause.scope))
        #expect(!lost.isInForce)
        #expect(lost.problem.contains("somebody resumed it after this order"))
        holds.apply(Self.order(.hold), at: 3)
        let resume = Self.order(.release)
        let late = PauseResult(order: resume, paused: holds.pauses(on: resume.scope))
        #expect(late.problem.contains("see who paused it after this order"))
        #expect(String(decoding: late.json(workers: 2), as: UTF8.self).contains(#""inForce":false,"pausedBy":{"v":1"#))
    }

    @Test func `an order for all pauses each source, and is not shown twice`() {
        var holds = SourceHolds()
        holds.apply(Self.order(.hold, .all), at: 1)
        #expect(holds.pauses(on: .source(Self.desk)).map(\.scope) == [.all])
        #expect(holds.pauses(on: .all).count == 1)
    }

    @Test func `a reason of others does not steer the terminal`() async throws {
        try await PausedNewsroom.open { newsroom in
            var order = Self.order(.hold)
            order.reason = "look\u{1B}[2J\nforged line"
            try await newsroom.write([order])
            let list = try await newsroom.run(["pauses", "--config", newsroom.watched.file])
            #expect(list.lines.count == 1)
            #expect(list.lines.first?.contains("\u{1B}") == false)
        }
    }

    @Test(arguments: [
        ["pause"], ["pause", "--all", "--source", "desk"], ["resume", "--source", ""], ["hold", "--all"],
    ])
    func `an order without a source is refused`(words: [String]) async {
        let code = await Newsflash.main(words, output: { _ in }, errors: { _ in })
        #expect(code == .validationFailure)
    }
}

/// A newsroom whose events name a source that its configuration does not have.
private struct PausedNewsroom {
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

    /// Writes orders as other machines do.
    func write(_ orders: [ControlRecord]) async throws {
        try await watched.cluster.write(orders.map { KafkaRecord($0, topic: watched.configuration.topics.control) })
    }

    /// Resumes everything, gives orders, and waits until the worker obeys them.
    func reset(with orders: [ControlRecord], _ mark: String) async throws {
        let scopes: [HoldScope] = [
            .all, .source("desk"), .source("urn:other"), .source("https://cms.example.org/desk"),
        ]
        let releases = scopes.map { ControlRecord(.release, $0, by: .person("test"), reason: "", at: .now()) }
        let marked = (releases + orders).enumerated().map { index, order in
            var order = order
            order.reason = "\(mark)-\(index)."
            return order
        }
        try await write(marked)
        try await waitForLog("\(mark)-\(marked.count - 1).")
    }

    /// Waits until the worker logs an order with a reason.
    func waitForLog(_ reason: String) async throws {
        try await watched.log.wait { log in log.contains { "\($0.metadata)".contains(reason) } ? () : nil }
    }

    /// Whether a flash of a source is sent; otherwise it waits.
    func sends(_ id: String, of source: String = "https://cms.example.org/desk") async throws -> Bool {
        let event = NewsEvent(
            id: id,
            source: source,
            story: "story-of-\(id)",
            revision: 1,
            kind: .flash,
            published: .now(),
            categories: ["world"],
            language: "en",
            text: [EventText(language: "en", headline: "A bridge has opened")]
        )
        let topic = watched.configuration.source.topic
        try await watched.cluster.write([
            KafkaRecord(topic: topic, partition: 0, key: nil, value: EventEncoder.encode(event))
        ])
        return try await watched.log.wait { log in
            log.first { entry in
                ["an event ended", "an event waits in the ledger"].contains(entry.message)
                    && "\(entry.metadata)".contains(id)
            }
            .map { $0.message == "an event ended" }
        }
    }
}
