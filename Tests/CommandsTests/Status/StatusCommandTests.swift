import NewsflashCommandLineArguments
import NewsflashEvents
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTimestamps
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(4)))
struct StatusCommandTests {
    @Test
    func `a working worker is fine, one with an open circuit is not, and one that has ended does not answer`()
        async throws
    {
        try await WatchedNewsroom.open { newsroom in
            var gone = ""
            try await newsroom.withWorkers { addresses in
                let address = try #require(addresses.first)
                gone = address
                let well = try await WatchedNewsroom.newsflash("status", "--admin", address)
                #expect(well.code == 0, "\(well.lines)")
                #expect(well.lines.first?.hasPrefix("\(address): ready; newsflash \(WorkerVersion.current) in") == true)
                #expect(well.lines.contains("  lag        none: every record is processed, or waits in the ledger"))
                newsroom.hub.setFault(Fault(status: 401))
                try await newsroom.publish(3)
                try await newsroom.log.wait { log in
                    log.contains { $0.message.hasPrefix("the circuit of a hub is open") } ? () : nil
                }
                let held = try await WatchedNewsroom.newsflash("status", "--admin", address)
                #expect(held.code == 1, "\(held.lines)")
                #expect(held.lines.first?.hasPrefix("\(address): NOT READY") == true)
                #expect(held.lines.contains { $0.hasPrefix("  not ready  held.unauthorized: hub main, since ") })
                #expect(
                    held.lines.contains {
                        $0.hasPrefix("  hub        main: ") && $0.hasSuffix("CIRCUIT OPEN: unauthorized")
                    }
                )
                let json = try await WatchedNewsroom.newsflash("status", "--json", "--admin", address)
                #expect(json.code == 1)
                let document = try JSONReader.read(Array((json.lines.first ?? "").utf8))
                #expect(document[member: "ready"]?.bool == false)
                #expect(document[member: "status"]?[member: "circuit"]?[member: "reason"]?.string == "unauthorized")
                newsroom.hub.setFault(nil)
            }
            let silent = try await WatchedNewsroom.newsflash("status", "--admin", gone)
            #expect(silent.code == 69)
            #expect(silent.lines.first?.hasPrefix("\(gone): no answer: ") == true)
            #expect(silent.lines.last?.contains("'newsflash status --group' asks Kafka instead") == true)
        }
    }

    @Test
    func `the status of a group comes from Kafka alone if no worker runs`() async throws {
        try await WatchedNewsroom.open(partitions: 2) { newsroom in
            try await newsroom.withWorkers { _ in
                try await newsroom.publish(3, "done")
                try await newsroom.log.wait { $0.count { $0.message == "an event ended" } >= 3 ? () : nil }
            }
            let settings = TopicSettings(newsroom.configuration)
            let rested = try await GroupSnapshot.query(settings)
            #expect(rested.isWell)
            #expect(rested.partitions.map(\.records) == [0, 0])
            #expect(rested.partitions.map(\.committed) == [3, nil])
            #expect(rested.newest != nil)
            #expect(rested.pauses == [])
            // Two minutes ago by Kafka's clock.
            let old = KafkaRecord(
                topic: newsroom.configuration.source.topic,
                partition: 0,
                value: [1],
                timestamp: .now() - .seconds(120)
            )
            try await newsroom.cluster.write([old, old])
            let late = try await GroupSnapshot.query(settings)
            #expect(!late.isWell)
            #expect(late.partitions.map(\.records) == [2, 0])
            #expect((late.partitions.first?.age(at: late.now) ?? .zero) >= .seconds(119))
            let shown = try await WatchedNewsroom.newsflash("status", "--group", "--config", newsroom.file)
            #expect(shown.code == 1, "\(shown.lines)")
            #expect(shown.lines.first?.hasSuffix(": NOT WELL, because a record waits for more than 60 s") == true)
            #expect(shown.lines.contains("  lag        2 records, the oldest written 2 min ago"))
            #expect(shown.lines.contains("  pauses     none"))
            let json = try await WatchedNewsroom.newsflash("status", "--group", "--json", "--config", newsroom.file)
            let document = try JSONReader.read(Array((json.lines.first ?? "").utf8))
            let first = document[member: "partitions"]?.array?.first
            #expect(first?[member: "committed"]?.int64 == 3)
            #expect(first?[member: "lag"]?[member: "records"]?.int64 == 2)
        }
    }

    @Test
    func `what waits in the ledger is listed without a worker, until a later record or a tombstone`() async throws {
        try await WatchedNewsroom.open(partitions: 2) { newsroom in
            let topic = newsroom.configuration.source.topic
            let embargo = Timestamp.now() + .seconds(3600)
            func event(_ id: String, story: String, kind: EventKind, until embargo: Timestamp?) -> KafkaRecord {
                var event = NewsEvent(
                    id: id,
                    source: "desk",
                    story: story,
                    revision: kind == .kill ? 2 : 1,
                    kind: kind,
                    published: .now(),
                    categories: ["world"],
                    language: "en",
                    text: [EventText(language: "en", headline: "A bridge has opened")]
                )
                event.embargo = embargo
                return KafkaRecord(topic: topic, partition: 1, key: nil, value: EventEncoder.encode(event))
            }
            func waiting() async throws -> [JSONValue] {
                let file = newsroom.file
                let found = try await WatchedNewsroom.newsflash("status", "--waiting", "--json", "--config", file)
                #expect(found.code == 0, "\(found.lines)")
                return try found.lines.map { try JSONReader.read(Array($0.utf8)) }
            }
            #expect(try await waiting().isEmpty)
            try await newsroom.withWorkers { _ in
                try await newsroom.cluster.write([
                    event("one", story: "s1", kind: .flash, until: embargo),
                    event("two", story: "s2", kind: .flash, until: embargo),
                    event("three", story: "s3", kind: .flash, until: nil),
                ])
                try await newsroom.log.wait { log in
                    log.count { $0.message == "an event waits in the ledger" } >= 2 ? () : nil
                }
            }
            let found = try await waiting()
            #expect(found.map { $0[member: "event"]?.string } == ["one", "two"])
            #expect(found.map { $0[member: "story"]?.string } == ["s1", "s2"])
            #expect(found.first?[member: "reason"]?.string == "embargo")
            #expect(found.first?[member: "kind"]?.string == "flash")
            #expect(found.first?[member: "until"]?.string?.prefix(19) == embargo.rfc3339.prefix(19))
            #expect(found.first?[member: "partition"]?.int64 == 1 && found.last?[member: "offset"]?.int64 == 1)
            let text = try await WatchedNewsroom.newsflash("status", "--waiting", "--config", newsroom.file)
            #expect(text.lines.first == "2 events wait in the ledgers", "\(text.lines)")
            #expect(!text.lines.joined().contains("bridge"), "no word of news is shown")
            // A kill ends the wait of one story, and somebody deletes the record of the other.
            try await newsroom.withWorkers { _ in
                let ended = newsroom.log.events.count { $0.message == "an event ended" }
                try await newsroom.cluster.write([event("kill", story: "s1", kind: .kill, until: nil)])
                try await newsroom.log.wait { log in
                    log.count { $0.message == "an event ended" } >= ended + 2 ? () : nil
                }
            }
            #expect(try await waiting().map { $0[member: "event"]?.string } == ["two"])
            let tombstone = KafkaRecord(
                topic: newsroom.configuration.source.ledger,
                partition: 1,
                key: Array("s2".utf8),
                value: nil
            )
            try await newsroom.cluster.write([tombstone])
            #expect(try await waiting().isEmpty)
        }
    }

    @Test
    func `a group with a paused source is not fine, and a group without Kafka has no answer`() async throws {
        try await WatchedNewsroom.open { newsroom in
            let topic = newsroom.configuration.source.topic
            let orders = [PauseScope.all, .topic(topic)].map { scope in
                ControlRecord(.pause, scope, by: .person("ed:novak"), reason: "a test", at: .now())
            }
            let control = newsroom.configuration.topics.control
            try await newsroom.cluster.write(orders.map { KafkaRecord($0, topic: control) })
            let held = try await GroupSnapshot.query(TopicSettings(newsroom.configuration))
            #expect(!held.isWell)
            #expect(held.pauses?.map(\.scope) == orders.map(\.scope))
            #expect(held.pauses?.map(\.reason) == ["a test", "a test"])
            let name = "\(newsroom.configuration.source.name) (all of topic \(topic)): paused since "
            #expect(held.lines(.plain).contains { $0.hasPrefix("  pauses     \(name)") }, "\(held.lines(.plain))")
            #expect(held.lines(.plain).first?.hasSuffix(": NOT WELL, because something is paused") == true)
            #expect(held.lines(.plain).contains { $0.hasPrefix("  pauses     ") && $0.contains("by ed:novak: a test") })
            let none = try await WatchedNewsroom.newsflash("status", "--group", "--brokers", "127.0.0.1:1")
            #expect(none.code == 69, "\(none.lines)")
        }
    }

    @Test
    func `pauses shows the command with the highest offset, whatever the clocks of the machines`() async throws {
        try await WatchedNewsroom.open { newsroom in
            let topic = newsroom.configuration.topics.control
            let fast = Timestamp.now() + .seconds(600)
            let hold = ControlRecord(.pause, .source("desk"), by: .person("ed:novak"), reason: "a test", at: fast)
            try await newsroom.cluster.write([KafkaRecord(hold, topic: topic)])
            let held = try await WatchedNewsroom.newsflash("pauses", "--config", newsroom.file)
            #expect(held.lines.count == 1)
            #expect(held.lines.first?.hasPrefix("desk: paused since ") == true)
            let released = try await WatchedNewsroom.newsflash(
                "resume",
                "--source",
                "desk",
                "--reason",
                "a test",
                "--config",
                newsroom.file
            )
            #expect(released.code == 0, "\(released.lines)")
            let none = try await WatchedNewsroom.newsflash("pauses", "--config", newsroom.file)
            #expect(none.lines == ["nothing is paused"])
            #expect(try await GroupSnapshot.query(TopicSettings(newsroom.configuration)).pauses == [])
            let json = try await WatchedNewsroom.newsflash("pauses", "--json", "--config", newsroom.file)
            #expect(json.lines == [])
            // Somebody deletes a command.
            let all = ControlRecord(.pause, .all, by: .person("ed:novak"), reason: "a test", at: fast)
            let tombstone = KafkaRecord(topic: topic, partition: 0, key: Array("all".utf8), value: nil)
            try await newsroom.cluster.write([KafkaRecord(all, topic: topic), tombstone])
            let after = try await WatchedNewsroom.newsflash("pauses", "--config", newsroom.file)
            #expect(after.lines == ["nothing is paused"])
        }
    }

    @Test(arguments: [
        ["status", "--admin", "nowhere"], ["status", "--admin", "127.0.0.1:0"],
        ["status", "--group", "--admin", "127.0.0.1:1"], ["status", "--brokers", "127.0.0.1:1"],
        ["top", "--every", "0"], ["top", "--times", "0"],
    ])
    func `contradicting options are refused before any worker is asked`(words: [String]) async {
        let code = await Newsflash.main(words, output: { _ in }, errors: { _ in })
        #expect(code == .validationFailure)
    }
}
