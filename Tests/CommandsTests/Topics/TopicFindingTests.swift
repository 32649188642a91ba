import NewsflashKafka
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct TopicFindingTests {
    private func topic(
        _ role: NeededTopic.Role,
        partitions: Int = 6,
        replicas: Int32 = 3,
        leader: Int32? = 1,
        changing changes: [String: String] = [:]
    ) -> PresentTopic {
        let needed = NeededTopic(role: role, name: "topic")
        let partitions = (0..<Int32(partitions)).map {
            KafkaTopic.Partition(number: $0, leader: leader, replicas: Array(0..<replicas), inSyncReplicas: [])
        }
        let broker = ["max.message.bytes": "1048588", "min.insync.replicas": "\(min(2, replicas))"]
        let settings = broker.merging(needed.settings) { $1 }.merging(changes) { $1 }
        return PresentTopic(
            needed: needed,
            topic: KafkaTopic(name: "topic", partitions: partitions),
            settings: settings
        )
    }

    private func lines(_ topics: PresentTopic..., partitions: Int? = nil) -> [String] {
        TopicFinding.all(in: topics, partitions: partitions).map { finding in
            "\(finding.topic): \(finding.isProblem ? "" : "advice: ")\(finding.message)"
        }
    }

    @Test func `topics as the worker would create them have no problem`() {
        #expect(lines(topic(.source), topic(.outcomes), topic(.deadLetters), topic(.ledger)) == [])
    }

    @Test func `new topics have the settings of the design`() throws {
        let all = NeededTopic.all(of: TopicSettings(try SampleNewsroom.configuration().configuration))
        #expect(
            all.map(\.name) == [
                "newsroom.breaking.v1", "newsflash.outcomes.v1", "newsflash.dead-letters.v1", "newsflash.control",
                "newsflash.newsroom.breaking.v1.ledger",
            ]
        )
        #expect(
            all.map(\.settings) == [
                ["cleanup.policy": "delete", "retention.ms": "604800000", "max.message.bytes": "1048588"],
                ["cleanup.policy": "delete", "retention.ms": "2592000000"],
                ["cleanup.policy": "delete", "retention.ms": "2592000000", "max.message.bytes": "1064972"],
                ["cleanup.policy": "compact", "delete.retention.ms": "86400000"],
                [
                    "cleanup.policy": "compact", "delete.retention.ms": "86400000", "max.message.bytes": "1048588",
                    "min.cleanable.dirty.ratio": "0.1", "min.compaction.lag.ms": "600000",
                    "segment.bytes": "67108864", "segment.ms": "3600000",
                ],
            ]
        )
        let new = all.map { $0.new(partitions: 12, replicationFactor: nil) }
        #expect(new.map(\.partitions) == [12, 12, 12, 1, 12])
        #expect(new.allSatisfy { $0.replicationFactor == nil })
    }

    @Test func `a missing topic is a problem with what to do`() {
        let missing = PresentTopic(needed: NeededTopic(role: .outcomes, name: "topic"), topic: nil)
        #expect(lines(missing) == ["topic: is missing: make it with 'newsflash topics apply'"])
        #expect(TopicFinding.all(in: [missing], partitions: nil).map(\.isProblem) == [true])
    }

    @Test(arguments: [
        (nil, "topic: advice: has 3 partitions: at most 3 workers can share the events"),
        (4, "topic: has 3 partitions: at most 3 workers can share the events; 4 are wanted"),
    ])
    func `few partitions are a problem only if more are wanted`(asked: Int?, line: String) {
        #expect(lines(topic(.source, partitions: 3), partitions: asked) == [line])
        #expect(lines(topic(.source, partitions: 3), partitions: 3) == [])
        #expect(lines(topic(.outcomes, partitions: 1), partitions: asked) == [])
    }

    @Test func `a compacted source, unconfirmable writes and missing leaders are problems`() {
        let broken = topic(
            .source,
            replicas: 2,
            leader: nil,
            changing: ["cleanup.policy": "compact,delete", "min.insync.replicas": "3"]
        )
        let findings = TopicFinding.all(in: [broken], partitions: nil)
        #expect(findings.map(\.isProblem) == [true, true, true])
        #expect(
            findings.map(\.message) == [
                "partitions 0, 1, 2, 3, 4, 5 have no leader: bring their brokers back",
                "cleanup.policy=compact,delete drops revisions that were not read yet: set it to delete",
                "min.insync.replicas=3 with 2 replicas prevents all writes: add replicas or lower it",
            ]
        )
    }

    @Test func `one broker and a short retention are advice`() {
        let weak = topic(.deadLetters, replicas: 1, changing: ["retention.ms": "86400000"])
        #expect(
            lines(weak) == [
                "topic: advice: keeps records for 1 day; recommended are 30 days: set retention.ms=2592000000",
                "topic: advice: has one replica, and is lost with its broker: three are recommended",
            ]
        )
        #expect(lines(topic(.deadLetters, changing: ["retention.ms": "-1"])) == [])
    }

    @Test func `a dead letter must have room for the largest event and its headers`() {
        let small = topic(.deadLetters, changing: ["max.message.bytes": "262144"])
        #expect(lines(small) == [])
        #expect(
            lines(topic(.source), small) == [
                "topic: allows records of 262144 bytes, too small for the largest event with the headers of a dead letter: "
                    + "set max.message.bytes=1064972 or more"
            ]
        )
    }

    @Test func `a ledger is not expected of a worker without one`() throws {
        var configuration = try SampleNewsroom.configuration().configuration
        configuration.ledger.use = .off
        #expect(
            NeededTopic.all(of: TopicSettings(configuration)).map(\.role) == [
                .source, .outcomes, .deadLetters, .control,
            ]
        )
    }

    @Test(arguments: [
        ("delete", "loses what was sent and what waits"),
        ("compact,delete", "loses what was sent and what waits"),
    ])
    func `a ledger that deletes records is a problem`(policy: String, harm: String) {
        let ledger = topic(.ledger, changing: ["cleanup.policy": policy])
        #expect(
            lines(topic(.source), ledger) == [
                "topic: cleanup.policy=\(policy) \(harm): set it to compact only"
            ]
        )
    }

    @Test(arguments: [(3, "move the stories"), (12, "do not delete the ledger")])
    func `a ledger and events with different numbers of partitions are a problem`(partitions: Int, remedy: String) {
        let found = lines(topic(.source), topic(.ledger, partitions: partitions))
        #expect(found.count == 1)
        #expect(
            found.first?.hasPrefix("topic: has \(partitions) partitions and the topic of events 6") == true
        )
        #expect(found.first?.contains(remedy) == true)
        #expect(found.first?.contains("'newsflash topics apply'") == true)
        let missing = PresentTopic(needed: NeededTopic(role: .source, name: "topic"), topic: nil)
        #expect(lines(missing, topic(.ledger, partitions: partitions)).count == 1)
    }

    @Test func `a ledger must have room for the largest event that waits`() {
        #expect(
            lines(topic(.source), topic(.ledger, changing: ["max.message.bytes": "300000"])) == [
                "topic: allows records of 300000 bytes, too small for the largest waiting event: "
                    + "set max.message.bytes=1048588"
            ]
        )
    }

    @Test func `the ledger of a feed has room for its largest item, each byte of which may take two in JSON`() {
        let feed = NeededTopic(role: .ledger, name: "topic", source: "news", largestValue: 1_048_576)
        #expect(feed.settings["max.message.bytes"] == "2162688")
        var ledger = topic(.ledger)
        ledger.needed = feed
        #expect(
            lines(ledger) == [
                "topic: allows records of 1048588 bytes, too small for the largest waiting event: "
                    + "set max.message.bytes=2162688"
            ]
        )
    }

    @Test func `a ledger with fewer replicas than the events, or that drops tombstones soon, is advice`() {
        let weak = topic(.ledger, replicas: 1, changing: ["delete.retention.ms": "3600000"])
        #expect(
            lines(topic(.source), weak) == [
                "topic: advice: deletes tombstones after 1 hour, so a slow worker may miss the end of a story: "
                    + "set delete.retention.ms=86400000",
                "topic: advice: has 1 replica, and the topic of events 3: with the ledger, workers lose what was sent "
                    + "and what waits; give it as many",
            ]
        )
        #expect(
            lines(topic(.source, replicas: 1), topic(.ledger, replicas: 1)).allSatisfy {
                $0.hasPrefix("topic: advice: has one replica")
            }
        )
    }

    @Test func `settings that may not be read are not checked`() {
        var hidden = topic(.ledger)
        hidden.settings = [:]
        #expect(lines(topic(.source), hidden) == [])
        var unseen = topic(.source)
        unseen.settings = [:]
        #expect(lines(unseen) == [])
    }

    @Test func `a ledger that is compacted late or too soon is advice`() {
        let slow = topic(.ledger, changing: ["segment.ms": "604800000", "min.cleanable.dirty.ratio": "0.5"])
        #expect(
            lines(topic(.source), slow) == [
                "topic: advice: min.cleanable.dirty.ratio=0.5 keeps old records longer, so workers start more slowly: set "
                    + "min.cleanable.dirty.ratio=0.1",
                "topic: advice: segment.ms=604800000 keeps old records longer, so workers start more slowly: set "
                    + "segment.ms=3600000",
            ]
        )
        let quick = topic(.ledger, changing: ["min.compaction.lag.ms": "0", "segment.bytes": "1048576"])
        #expect(
            lines(topic(.source), quick) == [
                "topic: advice: min.compaction.lag.ms=0 may remove the newer of two records before the owner of the story has "
                    + "merged them: set min.compaction.lag.ms=600000"
            ]
        )
    }

    @Test func `three replicas of which one is enough for a confirmation are advice`() {
        let weak = topic(.outcomes, changing: ["min.insync.replicas": "1"])
        #expect(lines(weak).first?.hasPrefix("topic: advice: min.insync.replicas=1: a record that only one") == true)
        #expect(lines(topic(.outcomes, replicas: 2, changing: ["min.insync.replicas": "1"])) == [])
    }

    @Test func `settings that the user may not see are advice`() {
        var hidden = topic(.outcomes)
        (hidden.settings, hidden.hidesSettings) = ([:], true)
        #expect(lines(hidden) == ["topic: advice: its settings were not compared, because the user may not see them"])
    }
}
