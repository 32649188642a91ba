import FoundationEssentials
import NewsflashCommandLineArguments
import NewsflashKafka
import NewsflashTestSupport
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// The options and configuration of commands that need only Kafka.
@Suite(.timeLimit(.minutes(1)))
struct TopicOptionsTests {
    private func read(_ words: String..., environment: [String: String] = [:]) throws -> TopicSettings {
        let command = try #require(try Newsflash.parseAsRoot(["topics", "plan"] + words) as? TopicsPlanCommand)
        return try command.options.read(environment: environment)
    }

    /// Reads a configuration.
    private func read(
        file text: String,
        _ words: String...,
        note: (String) -> Void = { Issue.record("\($0)") }
    ) throws -> TopicSettings {
        let folder = try TemporaryFolder()
        let path = folder.file("news.yaml")
        try (SampleNewsroom.yaml + "\n" + text).write(toFile: path, atomically: true, encoding: .utf8)
        let words = ["topics", "plan", "--config", path] + words
        let command = try #require(try Newsflash.parseAsRoot(words) as? TopicsPlanCommand)
        return try command.options.read(environment: [:]) { note($0.replacing(path, with: "news.yaml")) }
    }

    @Test func `brokers and a topic are enough without any configuration`() throws {
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

    @Test func `brokers alone are used with the default names and with the variables`() throws {
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

    @Test func `the options have precedence over the configuration's keys`() throws {
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
        #expect(throws: UsageError.self) { try Newsflash.parseAsRoot(["topics", "plan"] + words) }
    }

    @Test func `a wrong variable is reported without a file's name`() {
        let error = #expect(throws: OperationError.self) {
            try read("--brokers", "a:1", environment: ["NEWSFLASH_LEDGER_USE": "maybe"])
        }
        #expect(error?.kind == .badConfiguration)
        #expect(error?.description.hasPrefix("the environment: 1 problem\n  ledger.use: 'maybe' is not one of") == true)
    }

    // MARK: Problems elsewhere in the file

    private static let kafka = """
        kafka: { bootstrapServers: "x:1", group: g, sessionTimeout: 1s }
        topics: { control: orders }
        sources:
          wire: { topic: news, id: "https://wire.example.net/feed", format: ninjs, push: { urgency: many } }

        """

    @Test(
        arguments: [
            ("log: { level: loud }", 3), ("unknown: dropp", 3), ("hubs: {}", 3), ("helo: 1", 3),
            ("policy: { life: never }\nlocales: { offered: [en], default: xx }", 3), ("text: { flash: [", 1),
            ("send: \"to whom", 1), ("text:\n  flash: 1\n flash: 2", 1), ("admin: { listen: [", 1),
        ]
    )
    func `problems in other sections are one line, and the rest is read`(text: String, least: Int) throws {
        var notes: [String] = []
        let settings = try read(file: Self.kafka + text) { notes.append($0) }
        #expect(settings.kafka.bootstrapServers == "x:1")
        #expect(settings.topics.control == "orders")
        #expect(settings.sources.map(\.id) == ["https://wire.example.net/feed"])
        #expect(settings.sources.map(\.ledger) == ["g.news.ledger"])
        let note = try #require(notes.first)
        #expect(notes.count == 1)
        #expect(note.hasPrefix("news.yaml has "))
        #expect(note.hasSuffix(" not concern this command; see 'newsflash lint'"))
        #expect(note.split(separator: " ").dropFirst(2).first.flatMap { Int($0) } ?? 0 >= least, "\(note)")
    }

    @Test(
        arguments: [
            ("kafka: { bootstrapServer: \"x:1\" }", "kafka.bootstrapServer: unknown key"),
            ("kafka: { sasl: { mechanism: PLANE } }", "kafka.sasl.mechanism: 'PLANE' is not one of"),
            ("topics: { controll: orders }", "topics.controll: unknown key"),
            ("sources: { wire: { topc: news } }", "sources.wire.topc: unknown key"),
            ("sources: { wire: news }", "sources.wire: must be a mapping"),
            ("topcs: { control: orders }", "topcs: unknown key"), ("ledger: { use: maybe }", "ledger.use: 'maybe'"),
            ("kafka: { bootstrapServers: [", "line "), ("kafka: {}\nkafka: {}", "line "),
        ]
    )
    func `a problem that may lead to another cluster, group or topic is an error`(text: String, problem: String) {
        let error = #expect(throws: OperationError.self) { _ = try read(file: text) }
        #expect(error?.kind == .badConfiguration)
        #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
    }

    @Test func `an unknown key is recognized by its kind, whatever its message says`() {
        let misspelt = ConfigurationProblem(path: "topcs", message: "no such section", kind: .unknownKey)
        #expect(misspelt.concernsTopics(formats: false))
        let other = ConfigurationProblem(path: "topcs", message: "unknown key; allowed: topics")
        #expect(!other.concernsTopics(formats: false))
        let unlike = ConfigurationProblem(path: "colour", message: "no such section", kind: .unknownKey)
        #expect(!unlike.concernsTopics(formats: false))
    }

    @Test func `a syntax error is ignored only if the brokers are named`() throws {
        let text = "text: { flash: ["
        #expect(throws: OperationError.self) { _ = try read(file: text) }
        let named = "kafka: { bootstrapServers: \"x:1\" }\n"
        #expect(try read(file: named + text) { _ in }.kafka.bootstrapServers == "x:1")
    }

    @Test func `the formats of sources matter to commands that decode events`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("news.yaml")
        try (SampleNewsroom.yaml + "\n" + Self.kafka).write(toFile: path, atomically: true, encoding: .utf8)
        let words = ["publish", "--config", path, "event.json"]
        let command = try #require(try Newsflash.parseAsRoot(words) as? PublishCommand)
        let error = #expect(throws: OperationError.self) {
            _ = try command.options.read(formats: true, environment: [:]) { _ in }
        }
        #expect(error?.description.contains("sources.wire.push.urgency: 'many'") == true)
    }

    @Test func `a configuration with problems leaves only the forecast out`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("news.yaml")
        func forecast(_ text: String) throws -> (isKnown: Bool, notes: [String]) {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            let words = ["dead-letters", "show", "--config", path, "0@1"]
            let command = try #require(try Newsflash.parseAsRoot(words) as? DeadLettersShowCommand)
            var notes: [String] = []
            let configuration = command.options.cluster.readWorker(environment: [:]) { notes.append($0) }
            return (configuration != nil, notes)
        }
        let sound = try forecast(SampleNewsroom.yaml)
        #expect(sound.isKnown)
        #expect(sound.notes == [])
        let wrong = try forecast(SampleNewsroom.yaml + "\nlog: { level: loud }")
        #expect(!wrong.isKnown)
        let note = "has 1 problem, so what would happen now is not known; see 'newsflash lint'"
        #expect(wrong.notes == ["note: \(path) \(note)"])
    }

    // MARK: The path of the configuration

    @Test func `the file is the option's, then the variable's, then the first default path with a file`() throws {
        let folder = try TemporaryFolder()
        let (here, there) = (folder.file("newsflash.yaml"), folder.file("etc.yaml"))
        func find(_ named: String? = nil, _ variable: String? = nil) -> String? {
            let environment = variable.map { ["NEWSFLASH_CONFIG": $0] } ?? [:]
            return ConfigurationPlace.find(named, environment: environment, usual: [here, there])
        }
        #expect(find() == nil)
        #expect(find("a.yaml", "b.yaml") == "a.yaml")
        #expect(find(nil, "b.yaml") == "b.yaml")
        try "".write(toFile: there, atomically: true, encoding: .utf8)
        #expect(find(nil, "") == there)
        try "".write(toFile: here, atomically: true, encoding: .utf8)
        #expect(find() == here)
        let error = ConfigurationPlace.missing.description
        #expect(error.contains("neither newsflash.yaml nor /etc/newsflash/newsflash.yaml"))
    }

    @Test func `the admin port is read despite other problems, and has a default without a configuration`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("news.yaml")
        func ports(_ text: String?, _ words: String...) throws -> [String] {
            try text?.write(toFile: path, atomically: true, encoding: .utf8)
            let command = try #require(try Newsflash.parseAsRoot(["status"] + words) as? StatusCommand)
            let config = text == nil ? nil : path
            return try command.adminOptions.ports(orOf: config, environment: [:]).map(\.address)
        }
        #expect(try ports("admin: { listen: \"0.0.0.0:7000\" }\nunknown: dropp\nkafka: 7") == ["127.0.0.1:7000"])
        #expect(try ports("kafka: {}\nadmin: { listen: \"h:7000\" }\ntext: [") == ["h:7000"])
        #expect(try ports(nil) == ["127.0.0.1:9464"])
        #expect(try ports("admin: { listen: here }", "--admin", "h:1") == ["h:1"])
        for text in ["admin: { listen: here }", "admin: { listen: off }", "admin: { lissen: \"h:7000\" }"] {
            let error = #expect(throws: OperationError.self) { _ = try ports(text) }
            #expect(error?.description.contains("--admin") == true)
        }
    }
}
