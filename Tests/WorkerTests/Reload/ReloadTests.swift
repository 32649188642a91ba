import NewsflashCurlTransport
import NewsflashEvents
import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTimestamps
import Testing

@testable import NewsflashWorker

/// A worker that reloads its configuration while it sends news.
@Suite(.timeLimit(.minutes(4)))
struct ReloadTests {
    private static let notTaken = "the reloaded configuration is rejected; the old one stays in force"

    /// Runs a worker whose configuration the test changes.
    private static func withWorker(
        _ body: (Newsroom, ConfigurationBox, Worker) async throws -> Void
    ) async throws {
        try await Newsroom.open { newsroom in
            let box = ConfigurationBox(newsroom.text)
            let worker = try await newsroom.startWorker(source: try box.source())
            do {
                try await body(newsroom, box, worker)
            } catch {
                await worker.stop()
                throw error
            }
            #expect(await worker.stop(), "the worker stops in time")
        }
    }

    @Test
    func `a mapping without a category is dropped with the events named, and the old one stays in use`() async throws {
        try await Self.withWorker { newsroom, box, worker in
            let politics = Desk.event("vote", category: "politics")
            try await newsroom.publish([politics] + Desk.alerts(3))
            _ = try await newsroom.finalOutcomes(4)
            box.replace("  Politics: [politics]\n", with: "")
            try await newsroom.order(ReloadOrder(events: 10, by: "ed:novak", reason: "a test", at: .now()))
            let line = try await newsroom.line(Self.notTaken)
            #expect(line.level == .error)
            #expect(line[LogKey.outcome] == "dropped")
            #expect(
                line[LogKey.detail]?.contains(
                    "1 of 4 events tried would notify fewer subscribers, and none may: vote (lost)"
                ) == true
            )
            #expect(line[LogKey.detail]?.contains("categories.Politics (gone)") == true)
            let rules = try await newsroom.rules(of: worker)
            let last = rules[member: "lastReload"]
            #expect(last?[member: "result"]?.string == "dropped")
            #expect(last?[member: "differing"]?.array?.first?[member: "event"]?.string == "vote")
            #expect(rules[member: "digest"]?.string == newsroom.configuration.publishing.digest)
            try await newsroom.publish([Desk.event("second-vote", category: "politics")])
            let outcomes = try await newsroom.finalOutcomes(5)
            #expect(outcomes.map(\.outcome) == Array(repeating: "sent", count: 5))
            let metrics = try await newsroom.page("/metrics", of: worker)
            #expect(metrics.contains(#"newsflash_canary_events_total{difference="lost"} 1"#))
            #expect(metrics.contains(#"newsflash_canary_events_total{difference="same"} 3"#))
            #expect(metrics.contains(#"newsflash_reloads_total{result="dropped"} 1"#))
            #expect(try await newsroom.page("/readyz", of: worker).contains("reload.dropped: 1 of 4 events"))
        }
    }

    @Test func `an announced change of words is promoted, and the next events have the new words`() async throws {
        try await Self.withWorker { newsroom, box, worker in
            try await newsroom.publish(["1", "2"].map { Desk.event($0, kind: .flash) })
            _ = try await newsroom.finalOutcomes(2)
            box.replace("Breaking: ", with: "Flash: ")
            let order = ReloadOrder(events: 2, announced: [.words], by: "ed:novak", reason: "a test", at: .now())
            try await newsroom.order(order)
            let line = try await newsroom.line("the reloaded configuration is in force")
            #expect(line[LogKey.detail]?.contains("tried on 2 events: 2 words") == true)
            try await newsroom.publish([Desk.event("3", kind: .flash)])
            _ = try await newsroom.finalOutcomes(3)
            #expect(
                newsroom.hub.headlines == [
                    "1": "Breaking: A bridge has opened (1)", "2": "Breaking: A bridge has opened (2)",
                    "3": "Flash: A bridge has opened (3)",
                ]
            )
            let rules = try await newsroom.rules(of: worker)
            #expect(rules[member: "digest"]?.string == (try box.read().configuration.publishing.digest))
            #expect(rules[member: "lastReload"]?[member: "result"]?.string == "promoted")
            let metrics = try await newsroom.page("/metrics", of: worker)
            #expect(metrics.contains("config=\"\(try box.read().configuration.publishing.digest)\""))
            #expect(newsroom.configs == ["1": "old", "2": "old", "3": "new"])
        }
    }

    @Test func `an unannounced change of words is dropped`() async throws {
        try await Self.withWorker { newsroom, box, worker in
            try await newsroom.publish([Desk.event("1", kind: .flash)])
            _ = try await newsroom.finalOutcomes(1)
            box.replace("Breaking: ", with: "Flash: ")
            worker.reload(.signal)
            let line = try await newsroom.line(Self.notTaken)
            #expect(line[LogKey.detail]?.contains("1 (words)") == true)
            box.replace("Flash: ", with: "Breaking: ")
            worker.reload(.signal)
            let second = try await newsroom.line("the reloaded configuration has no changes")
            #expect(second[LogKey.outcome] == "unchanged")
        }
    }

    @Test func `a signal uses the reload terms of the new file`() async throws {
        try await Self.withWorker { newsroom, box, worker in
            try await newsroom.publish([Desk.event("1", kind: .flash)])
            _ = try await newsroom.finalOutcomes(1)
            box.replace("Breaking: ", with: "Flash: ")
            box.append("reload: { canary: 1, announce: [words] }")
            worker.reload(.signal)
            let line = try await newsroom.line("the reloaded configuration is in force")
            #expect(line["by"] == "SIGHUP")
            #expect(line.level == .notice)
        }
    }

    @Test func `new rules right after a start are in force, with a warning that no event has tested them`() async throws
    {
        try await Self.withWorker { newsroom, box, worker in
            box.replace("Breaking: ", with: "Flash: ")
            try await newsroom.order(ReloadOrder(by: "ed:novak", reason: "a quiet night", at: .now()))
            let line = try await newsroom.line("the reloaded configuration is in force")
            #expect(line.level == .warning)
            #expect(line[LogKey.detail]?.contains("tried on 0 of 200 events;") == true)
            try await newsroom.publish([Desk.event("1", kind: .flash)])
            _ = try await newsroom.finalOutcomes(1)
            #expect(newsroom.hub.headlines["1"] == "Flash: A bridge has opened (1)")
        }
    }

    @Test func `an invalid configuration leaves the old one in force, and all problems are reported`() async throws {
        try await Self.withWorker { newsroom, box, worker in
            box.replace("  World: [world]\n", with: "  World: world: 7\n")
            worker.reload(.signal)
            let line = try await newsroom.line(Self.notTaken)
            #expect(line[LogKey.outcome] == "refused")
            #expect(line["problems"]?.contains("line ") == true)
            box.replace("  World: world: 7\n", with: "  World: [world]\n")
            box.replace("drain: 5s", with: "drain: 5 parsecs, colour: blue")
            worker.reload(.signal)
            let second = try await newsroom.line(Self.notTaken, 2)
            #expect(second["problems"]?.contains("delivery.drain") == true)
            #expect(second["problems"]?.contains("delivery.colour") == true)
            let rules = try await newsroom.rules(of: worker)
            #expect(rules[member: "lastReload"]?[member: "problems"]?.array?.count == 2)
            let ready = try await newsroom.page("/readyz", of: worker)
            #expect(ready.contains("reload.refused: newsflash.yaml has 2 problems"))
            try await newsroom.publish([Desk.event("1", kind: .flash)])
            #expect(try await newsroom.finalOutcomes(1).map(\.outcome) == ["sent"])
        }
    }

    @Test func `a change that needs a restart is named, and no other change of the file is adopted`() async throws {
        try await Self.withWorker { newsroom, box, worker in
            box.replace("Breaking: ", with: "Flash: ")
            box.replace("drain: 5s", with: "drain: 6s")
            try await newsroom.order(ReloadOrder(events: 0, by: "ed:novak", reason: "a test", at: .now()))
            let line = try await newsroom.line(Self.notTaken)
            #expect(line[LogKey.outcome] == "needs_restart")
            #expect(line[LogKey.detail]?.hasPrefix("a restart is needed for delivery.drain (line ") == true)
            try await newsroom.publish([Desk.event("1", kind: .flash)])
            _ = try await newsroom.finalOutcomes(1)
            #expect(newsroom.hub.headlines["1"] == "Breaking: A bridge has opened (1)")
        }
    }

    @Test func `an event in progress ends under the rules with which it began`() async throws {
        try await Self.withWorker { newsroom, box, worker in
            newsroom.hub.setFault(Fault(status: 500, remaining: 1))
            try await newsroom.publish([Desk.event("under-way", kind: .flash)])
            try await newsroom.reports.wait { reports in
                reports.contains { if case .retrying = $0 { true } else { false } } ? () : nil
            }
            box.replace("Breaking: ", with: "Flash: ")
            try await newsroom.order(ReloadOrder(events: 0, by: "ed:novak", reason: "a test", at: .now()))
            _ = try await newsroom.line("the reloaded configuration is in force")
            try await newsroom.publish([Desk.event("after", kind: .flash)])
            _ = try await newsroom.finalOutcomes(2)
            #expect(newsroom.hub.headlines["under-way"] == "Breaking: A bridge has opened (under-way)")
            #expect(newsroom.hub.headlines["after"] == "Flash: A bridge has opened (after)")
        }
    }

    @Test
    func `commands from before the start, unreadable ones and newer ones change nothing`() async throws {
        try await Newsroom.open { newsroom in
            try await newsroom.order(ReloadOrder(events: 0, by: "ed:novak", reason: "last week", at: .now()))
            let strange = [
                #"{"v":1,"act":"mute","by":"a","at":"2026-03-02T08:40:00Z"}"#, #"{"v":1,"act":"reload","canary":-3}"#,
                "nonsense",
            ]
            try await newsroom.writeOrders(strange)
            let box = ConfigurationBox(newsroom.text)
            let worker = try await newsroom.startWorker(source: try box.source())
            box.replace("Breaking: ", with: "Flash: ")
            try await newsroom.writeOrders(strange)
            _ = try await newsroom.line("a command of a newer version is skipped")
            // Only the last record of the key is in force.
            _ = try await newsroom.line("a command cannot be read and is skipped", 3)
            try await newsroom.publish([Desk.event("1", kind: .flash)])
            _ = try await newsroom.finalOutcomes(1)
            #expect(newsroom.hub.headlines["1"] == "Breaking: A bridge has opened (1)")
            #expect(try await newsroom.rules(of: worker)[member: "lastReload"] == .null)
            await worker.stop()
        }
    }

    @Test func `the log level changes by command, and back automatically`() async throws {
        try await Newsroom.open { newsroom in
            let worker = try await newsroom.startWorker(level: .warning)
            try await newsroom.order("debug", for: .seconds(3600))
            let first = try await newsroom.line("the log level has changed")
            #expect(first["from"] == "warning")
            #expect(first["to"] == "debug")
            #expect(first["by"] == "ops:kim")
            try await newsroom.publish([Desk.event("1")])
            _ = try await newsroom.line("an event ended")
            try await newsroom.order("info", for: .seconds(2))
            #expect(try await newsroom.line("the log level has changed", 2)["to"] == "info")
            #expect(try await newsroom.line("the log level has changed", 3)["to"] == "warning")
            await worker.stop()
        }
    }
}

extension Newsroom {
    /// Writes a command like `newsflash reload`.
    fileprivate func order(_ order: ReloadOrder) async throws {
        try await cluster.write([KafkaRecord(.reload(order), topic: names.control)])
    }

    /// Writes a command like `newsflash log-level`.
    fileprivate func order(_ level: String, for length: Duration) async throws {
        let now = Timestamp.now()
        let order = LogLevelOrder(level: level, until: now + length, by: "ops:kim", reason: "a test", at: now)
        try await cluster.write([KafkaRecord(.logLevel(order), topic: names.control)])
    }

    /// Writes any texts to the control topic.
    fileprivate func writeOrders(_ texts: [String]) async throws {
        try await cluster.write(
            texts.map { KafkaRecord(topic: names.control, partition: 0, key: Array("x".utf8), value: Array($0.utf8)) }
        )
    }

    /// Waits for a line of the log.
    fileprivate func line(_ message: String, _ number: Int = 1) async throws -> LogEntry {
        try await log.wait { $0.lazy.filter { $0.message == message }.dropFirst(number - 1).first }
    }

    fileprivate func page(_ path: String, of worker: Worker) async throws -> String {
        let url = "http://127.0.0.1:\(try #require(worker.adminPort))\(path)"
        return String(decoding: try await CurlTransport().send(HTTPRequest(method: .get, url: url)).body, as: UTF8.self)
    }

    /// The member `rules` of the status.
    fileprivate func rules(of worker: Worker) async throws -> JSONValue {
        let status = try JSONReader.read(Array(try await page("/status", of: worker).utf8))
        return try #require(status[member: "rules"])
    }

    /// The rules under which each event ended.
    fileprivate var configs: [String: String] {
        var configs: [String: String] = [:]
        for message in reader.messages where message.topic == names.outcomes {
            guard let document = try? JSONReader.read(message.value ?? []), document[member: "final"]?.bool == true,
                let event = document[member: "event"]?.string
            else { continue }
            let isOld = document[member: "config"]?.string == configuration.publishing.digest
            configs[event] = isOld ? "old" : "new"
        }
        return configs
    }
}

extension HubEmulator {
    /// The English headline that was sent for each event.
    fileprivate var headlines: [String: String] {
        Dictionary(pushes.map { ($0.property("id") ?? "", $0.property("headline_en") ?? "") }) { _, last in last }
    }
}

extension LogEntry {
    fileprivate subscript(key: String) -> String? { metadata[key]?.description }
}
