import CommandLineArguments
import FoundationEssentials
import Kafka
import TestSupport
import Testing
import Worker

@testable import Commands

/// What commands know that need no more than Kafka.
@Suite(.timeLimit(.minutes(1)))
struct TopicOptionsTests {
    private func read(_ words: String..., environment: [String: String] = [:]) throws -> TopicSettings {
        let command = try #require(try Newsflash.parseAsRoot(["topics", "list"] + words) as? TopicsListCommand)
        return try command.options.read(environment: environment)
    }

    /// Reads with a configuration of one's own.
    private func read(file text: String, _ words: String...) throws -> TopicSettings {
        let folder = try TemporaryFolder()
        let path = folder.file("news.yaml")
        try (SampleNewsroom.yaml + "\n" + text).write(toFile: path, atomically: true, encoding: .utf8)
        let words = ["topics", "list", "--config", path] + words
        let command = try #require(try Newsflash.parseAsRoot(words) as? TopicsListCommand)
        return try command.options.read(environment: [:])
    }

    @Test func `brokers and a topic are enough, without any configuration`() throws {
        let settings = try read("--brokers", "a:9092,b:9092", "--topic", "desk")
        #expect(settings.kafka.bootstrapServers == "a:9092,b:9092")
        #expect(
            NeededTopic.all(of: settings).map(\.name) == [
                "desk", "newsflash.outcomes.v1", "newsflash.dead-letters.v1", "newsflash.control",
                "newsflash.desk.ledger",
            ]
        )
        #expect(settings.clockSkew == .seconds(300))
    }

    @Test func `brokers alone take the names that are usual, and what variables say besides`() throws {
        let environment = [
            "NEWSFLASH_KAFKA_BOOTSTRAP_SERVERS": "c:9092", "NEWSFLASH_KAFKA_TLS": "true", "NEWSFLASH_KAFKA_GROUP": "g",
            "NEWSFLASH_TOPICS_OUTCOMES": "ends",
        ]
        let settings = try read("--brokers", "a:9092", environment: environment)
        #expect(settings.kafka.bootstrapServers == "a:9092")
        #expect(settings.source.ledger == "g.newsroom.breaking.v1.ledger")
        #expect(settings.topics.outcomes == "ends")
        guard case .tls = settings.kafka.security else {
            Issue.record("the connection is not encrypted")
            return
        }
    }

    @Test func `the options go before the configuration's keys`() throws {
        let kafka = "kafka: { bootstrapServers: \"x:1\", group: g }\n"
        let both = try read(file: kafka, "--brokers", "a:9092", "--topic", "desk")
        #expect(both.kafka.bootstrapServers == "a:9092")
        #expect(both.source.topic == "desk")
        #expect(both.source.ledger == "g.desk.ledger")
        #expect(try read(file: kafka).kafka.bootstrapServers == "x:1")
        let named = try read(file: kafka + "topics: { ledger: mine }", "--topic", "desk")
        #expect(named.source.ledger == "mine")
    }

    @Test(arguments: [["--brokers", " , "], ["--topic", "two words"], ["--topic", ""]])
    func `an option without a name is refused`(words: [String]) {
        #expect(throws: UsageError.self) { try Newsflash.parseAsRoot(["topics", "list"] + words) }
    }

    @Test func `what variables say wrongly is told without a file's name`() {
        let error = #expect(throws: CommandError.self) {
            try read("--brokers", "a:1", environment: ["NEWSFLASH_LEDGER_USE": "maybe"])
        }
        #expect(error?.kind == .badConfiguration)
        #expect(error?.description.hasPrefix("the environment: 1 problem\n  ledger.use: 'maybe' is none of") == true)
    }

    @Test func `a topic that would be made is told with all its settings`() {
        let needed = NeededTopic(role: .deadLetters, name: "letters")
        #expect(
            needed.line(partitions: 6)
                == "letters: would be made (dead letters, 6 partitions, cleanup.policy=delete "
                + "max.message.bytes=1064972 retention.ms=2592000000)"
        )
        #expect(
            String(decoding: needed.json(partitions: 6), as: UTF8.self)
                == #"{"topic":"letters","role":"dead-letters","partitions":6,"settings":{"cleanup.policy":"delete","#
                + #""max.message.bytes":"1064972","retention.ms":"2592000000"}}"#
        )
    }
}
