import FoundationEssentials
import NewsSubscriptions
import NewsflashBasics
import NewsflashCurlTransport
import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashPlanning
import NewsflashRendering
import NewsflashStrictJSON
import NewsflashTestSupport
import NewsflashWorker
import NotificationHubs
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// An app that uses the library unchanged, and a worker with a shipped configuration: the texts are on the screen.
@Suite(.timeLimit(.minutes(1)))
struct ShippedAppTests {
    private static let shipped = [
        "README.md", "deploy/newsflash.yaml", "deploy/examples/six-categories.yaml", "deploy/examples/readers.yaml",
        "deploy/kubernetes/base/newsflash.yaml",
    ]

    private static let event = """
        {"v":1,"id":"e-1","story":"urn:desk:1","revision":1,"kind":"alert","published":"2026-03-02T08:00:00Z",\
        "categories":["world"],"text":{"en":{"headline":"Bridge closed"},"fr":{"headline":"Pont fermé"}}}
        """

    private func configuration(_ file: String, connection: String) throws -> WorkerConfiguration {
        let reader = ConfigurationReader(environment: ["NEWSFLASH_HUB_CONNECTION_STRING": connection])
        guard file == "README.md" else { return try reader.read(file: "\(Scene.checkout)/\(file)").configuration }
        let readme = String(decoding: try EventFiles.content(of: "\(Scene.checkout)/README.md"), as: UTF8.self)
        let block = try #require(readme.split(separator: "```yaml\n").dropFirst().first?.split(separator: "```").first)
        return try reader.read(text: String(block), source: file).configuration
    }

    /// Starts a hub at the address of the configuration, and a client of the network.
    private func withHub(
        for file: String,
        _ body: (WorkerConfiguration, HubEmulator, CurlTransport) async throws -> Void
    ) async throws {
        let name = try configuration(file, connection: "").hub.name
        var settings = HubEmulatorConfiguration()
        settings.hubName = name
        let hub = HubEmulator(settings)
        try hub.start()
        var curl = CurlTransportConfiguration()
        curl.proxy = .none
        let transport = try CurlTransport(curl)
        do {
            try await body(try configuration(file, connection: hub.connectionStrings[0]), hub, transport)
        } catch {
            transport.shutdown()
            await hub.stop()
            throw error
        }
        transport.shutdown()
        await hub.stop()
    }

    /// Sends the event's requests as the worker does.
    private func send(_ configuration: WorkerConfiguration, _ transport: CurlTransport) async throws {
        let record = RehearsalRecord(value: Array(Self.event.utf8))
        let explanation = try EventExplainer(
            configuration,
            places: ConfigurationPlaces(text: "", file: ""),
            now: SampleNewsroom.now
        )
        .explain([PlacedRecord(line: 1, file: "event.json", place: "event.json", record: record)])
        let requests = try #require(explanation.first).requests
        #expect(requests.count == 1)
        for request in requests {
            #expect(try await transport.send(request.request).status == 201)
        }
    }

    @Test(arguments: shipped)
    func `an app of the library shows the texts, by default and in each offered language`(file: String) async throws {
        try await withHub(for: file) { configuration, hub, transport in
            // The README's sample is short: its only text is for all languages.
            let offered = file == "README.md" ? [] : configuration.news.locales.offered
            let languages = [nil] + (try offered.map { try NewsLanguage(locale: $0) })
            var expected: [String: String] = [:]
            for (number, language) in languages.enumerated() {
                let token = "AB0\(number)"
                let news = NewsSubscriber(
                    registrar: try .hub(
                        connection: hub.connectionStrings[1],
                        name: configuration.hub.name,
                        transport: transport
                    ),
                    storage: MemoryStorage()
                )
                try await news.register(.apns(deviceToken: token))
                #expect(try await news.subscribe(to: [.world, .sports], in: language) == .registered)
                expected[token] = language?.locale == "fr" ? "Pont fermé" : "Bridge closed"
            }
            try await send(configuration, transport)
            var shown: [String: String] = [:]
            for delivery in hub.settledDeliveries {
                let alert = try JSONReader.read(delivery.notification.body)[member: "aps"]?[member: "alert"]
                shown[delivery.handle] = alert?.string
            }
            #expect(shown == expected)
        }
    }

    @Test(arguments: shipped.dropFirst())
    func `lint accepts the library's templates`(file: String) throws {
        let reader = ConfigurationReader(environment: [:])
        let read = try reader.read(file: "\(Scene.checkout)/\(file)")
        let languages = [nil] + (try read.configuration.news.locales.offered.map { try NewsLanguage(locale: $0) })
        let templates = [NewsText.tutorial, .newsflash].flatMap { text in
            languages.map { language in
                let body = NewsTemplate.apns.description(showing: text.expression(in: language)).body
                return TemplateFile(name: "alert.json", bytes: Array(body.utf8), platform: .apns)
            }
        }
        let report = LintReport(
            file: file,
            result: .success(read),
            records: [],
            templates: templates,
            now: SampleNewsroom.now
        )
        #expect(!report.hasProblems, "\(report.lines)")
    }
}

/// Storage that keeps the user's choice until the app ends.
private final class MemoryStorage: SubscriptionStorage {
    private let values = Locked<[String: [String]]>([:])

    func strings(forKey key: String) throws(SubscriptionError) -> [String]? { values.withLock { $0[key] } }

    func store(_ strings: [String]?, forKey key: String) throws(SubscriptionError) {
        values.withLock { $0[key] = strings }
    }
}
