import Kafka
import Rendering
import TestSupport
import Testing
import Worker

/// The configurations that newsrooms start from.
@Suite(.timeLimit(.minutes(1)))
struct ConfigurationFileTests {
    private static let environment = [
        "NEWSFLASH_HUB_CONNECTION_STRING":
            "Endpoint=sb://news.servicebus.windows.net/;SharedAccessKeyName=Send;SharedAccessKey=a2V5"
    ]

    @Test(.enabled(if: SharedData.isPresent, "no shared data; set NEWSFLASH_SHARED"))
    func `the sample of six categories reads without a problem`() throws {
        let bytes = try SharedData.bytes(of: "data/config/1-six-categories.yaml")
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
        ("", 45), ("kafka: { sessionTimeout: 30s }\n", 30), ("delivery: { drain: 60s }\n", 65),
        ("kafka: { sessionTimeout: 6s }\ndelivery: { drain: 500ms }\n", 6),
    ])
    func `a session outlives a broker's replacement and a drain, unless it is told to be short`(
        lines: String,
        seconds: Int
    ) throws {
        let configuration = try SoundConfiguration.read(adding: lines)
        #expect(configuration.consumer(configuration.kafka).sessionTimeout == .seconds(seconds))
    }

    @Test
    func `a file that is not there is one problem with its name`() {
        let error = #expect(throws: ConfigurationError.self) {
            try ConfigurationReader(environment: [:]).read(file: "/no/such/file.yaml")
        }
        #expect(error?.source == "/no/such/file.yaml")
        #expect(error?.problems.count == 1)
        #expect(error?.description.contains("cannot be read") == true)
    }
}
