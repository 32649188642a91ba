import NewsflashHTTPServer
import NewsflashKafka
import NewsflashPlanning
import NewsflashPublishing
import NewsflashRendering
import NewsflashTestSupport
import Testing

@testable import NewsflashWorker

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The configurations with which newsrooms start.
@Suite(.timeLimit(.minutes(1)))
struct ConfigurationFileTests {
    private static let environment = [
        "NEWSFLASH_HUB_CONNECTION_STRING":
            "Endpoint=sb://news.servicebus.windows.net/;SharedAccessKeyName=Send;SharedAccessKey=a2V5"
    ]

    @Test func `the sample of six categories reads without a problem`() throws {
        let bytes = try TestData.bytes(of: "config/1-six-categories.yaml")
        let read = try ConfigurationReader(environment: Self.environment)
            .read(text: String(decoding: bytes, as: UTF8.self), source: "1-six-categories.yaml")
        #expect(read.configuration.hub.name == "regional")
        #expect(read.configuration.hub.credentials != nil)
        #expect(read.configuration.news.locales.offered == ["en", "fr", "cs"])
        #expect(read.warnings == [])
    }

    @Test
    func `the configuration that the project deploys reads without a problem`() throws {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
        let read = try ConfigurationReader(environment: [:]).read(file: root + "/deploy/newsflash.yaml")
        #expect(read.configuration.hub.credentials == .file("/run/secrets/hub-connection-string"))
        #expect(read.configuration.source.topic == "newsroom.breaking.v1")
        #expect(read.configuration.admin == ListenAddress(host: "127.0.0.1", port: 9464))
        #expect(read.warnings == [])
    }

    @Test(arguments: [
        ("", 10), ("kafka: { sessionTimeout: 30s }\n", 30), ("delivery: { drain: 60s }\n", 10),
        ("kafka: { sessionTimeout: 6s }\n", 6),
    ])
    func `the session timeout is short by default, because heartbeats continue during a drain`(
        lines: String,
        seconds: Int
    ) throws {
        #expect(try SoundConfiguration.read(adding: lines).sessionTimeout == .seconds(seconds))
    }

    @Test
    func `missing keys have their default values`() throws {
        let configuration = try SoundConfiguration.read()
        #expect(configuration.instance == nil)
        #expect(configuration.assignment == .cooperativeSticky)
        #expect(configuration.drain == .seconds(10))
        #expect(configuration.source.ledger == "newsflash.newsroom.breaking.v1.ledger")
        let ledger = LedgerSettings(use: .required, ignoresDamage: false, retention: .seconds(30 * 86_400))
        #expect(configuration.ledger == ledger)
        #expect(configuration.publishing.policy.maximumEmbargo == .seconds(60 * 86_400))
        #expect(configuration.publishing.policy.maximumLife == .seconds(7 * 86_400))
        #expect(configuration.publishing.readAheadBytes == 8 << 20)
        #expect(configuration.publishing.storyMemoryBytes == 16 << 20)
    }

    @Test
    func `a group's memory, name and bounds are read`() throws {
        let configuration = try SoundConfiguration.read(
            adding: """
                kafka: { group: night, instance: worker-1, assignment: range }
                sources: { desk: { topic: desk.v2 } }
                ledger: { use: "off", damaged: ignore, retention: 90d }
                policy: { maximumEmbargo: 30d, maximumLife: 3d }
                delivery: { storyMemory: 8MiB, readAhead: 1MiB }
                """
        )
        #expect(configuration.instance == "worker-1")
        #expect(configuration.assignment == .range)
        #expect(configuration.source.ledger == "night.desk.v2.ledger")
        let ledger = LedgerSettings(use: .off, ignoresDamage: true, retention: .seconds(90 * 86_400))
        #expect(configuration.ledger == ledger)
        #expect(configuration.publishing.policy.maximumEmbargo == .seconds(30 * 86_400))
        #expect(configuration.publishing.policy.maximumLife == .seconds(3 * 86_400))
        #expect(configuration.publishing.storyMemoryBytes == 8 << 20)
        #expect(configuration.publishing.readAheadBytes == 1 << 20)
    }

    @Test
    func `a group name may be invalid as a topic name if no topic name contains it`() throws {
        let lines = "kafka: { group: \"the night desk\" }\nledger: { use: \"off\" }\ntopics: { control: orders }"
        #expect(SoundConfiguration.problems(adding: lines) == [])
    }

    @Test
    func `an event may have the lifetime of the longest rule of the newsroom`() throws {
        let configuration = try SoundConfiguration.read(adding: "policy: { life: { correction: 8d } }")
        #expect(configuration.publishing.policy.maximumLife == .seconds(8 * 86_400))
    }

    @Test(arguments: [
        ("ledger: { retention: 2d }", "ledger.retention"),
        ("policy: { maximumLife: 1d }", "policy.maximumLife"),
    ])
    func `contradictory durations cause a warning`(line: String, path: String) throws {
        let text = SoundConfiguration.text + line
        let read = try ConfigurationReader(environment: [:]).read(text: text, source: "test.yaml")
        let warnings = read.warnings.filter { !$0.path.hasPrefix("text") && $0.path != "hub" }
        #expect(warnings.map(\.path) == [path])
        #expect(warnings.map(\.line) == [5])
    }

    @Test
    func `a mechanism that this librdkafka cannot use with Kafka 4 causes a warning`() throws {
        let sasl =
            "kafka: { tls: true, sasl: { mechanism: SCRAM-SHA-512, username: desk, passwordFile: /run/password } }"
        let read = try ConfigurationReader(environment: [:]).read(
            text: SoundConfiguration.text + sasl,
            source: "test.yaml"
        )
        let paths = read.warnings.map(\.path).filter { $0.hasPrefix("kafka") }
        #expect(paths == (KafkaLibrary.speaksSCRAMWithKafka4 ? [] : ["kafka.sasl.mechanism"]))
    }

    @Test
    func `a missing file is one problem with the file's name`() {
        let error = #expect(throws: ConfigurationError.self) {
            try ConfigurationReader(environment: [:]).read(file: "/no/such/file.yaml")
        }
        #expect(error?.source == "/no/such/file.yaml")
        #expect(error?.problems.count == 1)
        #expect(
            error?.problems.first?.message == "the file cannot be read: there is no such file; check the path"
        )
    }

    @Test
    func `a missing password file is named with the cause`() throws {
        let configuration = try SoundConfiguration.read(
            adding: "kafka: { tls: true, sasl: { mechanism: PLAIN, username: desk, passwordFile: /no/such/password } }"
        )
        let error = #expect(throws: KafkaError.self) { try KafkaAdmin(configuration.kafka) }
        #expect(error?.message.hasSuffix("/no/such/password: there is no such file; check the path") == true)
    }

    @Test
    func `a byte order mark before a connection string or a key is not part of it`() throws {
        let secret = "Endpoint=sb://a.b/;SharedAccessKeyName=c;SharedAccessKey=a2V5"
        let hub = try KeyFile("\u{FEFF}\(secret)\r\n")
        #expect(try HubCredentials.file(hub.path).read().address(ofHub: "n") == "a.b/n")
        let key = try KeyFile("\u{FEFF}0123456789abcdef\n")
        #expect(try FileContent.word(key.path) == "0123456789abcdef")
    }

    @Test
    func `the error about a folder in place of a file says that it is a folder`() {
        let error = #expect(throws: HubCredentialsError.self) { try HubCredentials.file("/").read() }
        #expect(error?.description == "file /: cannot be read: it is a folder")
    }

    @Test
    func `an unreadable file and a missing file have different errors`() {
        // Tests may run as root, for whom no permission is checked.
        let text = UnreadableFile(code: EACCES).description
        #expect(text.hasPrefix("permission denied; allow the user \(getuid()) to read the file"))
        #expect(UnreadableFile(code: ENOENT).description != text)
    }

    @Test
    func `the error about a missing file with a relative path names the folder that was searched`() {
        let path = realpath(".", nil)
        defer { free(path) }
        let folder = path.map { String(cString: $0) } ?? ""
        let error = #expect(throws: UnreadableFile.self) { try FileContent.read("no-such-file") }
        #expect(error?.description.hasSuffix(" file in \(folder); check the path") == true)
    }
}
