import NewsSubscriptions
import NewsflashCurlTransport
import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashStrictXML
import NewsflashTimestamps
import NotificationHubs
import Testing

/// A hub on the network, a phone with its own network, and a sender with the full key.
struct Newsstand: Sendable {
    static let hubName = "newsdesk"

    let hub: HubEmulator
    let curl: CurlTransport
    let network: NotedTransport
    let storage: MemoryStorage
    let clock: TestClock
    private let full: HubConnectionString
    let listen: String

    /// Opens a newsstand, and closes it when the work ends.
    static func open(_ work: (Newsstand) async throws -> Void) async throws {
        let clock = TestClock()
        var configuration = HubEmulatorConfiguration()
        configuration.hubName = hubName
        configuration.clock = { clock.now }
        let hub = HubEmulator(configuration)
        try hub.start()
        var curlConfiguration = CurlTransportConfiguration()
        curlConfiguration.proxy = .none
        let curl = try CurlTransport(curlConfiguration)
        do {
            try await work(Newsstand(hub: hub, curl: curl, clock: clock))
        } catch {
            curl.shutdown()
            await hub.stop()
            throw error
        }
        curl.shutdown()
        await hub.stop()
    }

    private init(hub: HubEmulator, curl: CurlTransport, clock: TestClock) throws {
        self.hub = hub
        self.curl = curl
        self.clock = clock
        network = NotedTransport(curl)
        storage = MemoryStorage()
        let strings = hub.connectionStrings
        full = try HubConnectionString(strings[0])
        listen = strings[1]
    }

    /// Returns the app after a launch, whose state comes from the storage.
    func launchedApp(
        _ configure: (inout SubscriberConfiguration) -> Void = { _ in }
    ) throws -> NewsSubscriber {
        var configuration = SubscriberConfiguration()
        configure(&configuration)
        let clock = clock
        return NewsSubscriber(
            registrar: try .hub(connection: listen, name: Self.hubName, transport: network),
            storage: storage,
            configuration: configuration,
            clock: { clock.now }
        )
    }

    /// Sends the request of the tutorial's sender for a category.
    func sendTemplate(_ properties: String, to category: String) async throws -> Int {
        try await send(properties, to: category, format: "template")
    }

    func send(
        _ body: String,
        to category: String,
        format: String,
        with connection: HubConnectionString? = nil
    ) async throws -> Int {
        let url = "\(full.endpoint.url)/\(Self.hubName)/messages/?api-version=2020-06"
        let request = HTTPRequest(
            method: .post,
            url: url,
            headers: [
                .init("Authorization", token(for: url, with: connection)),
                .init("ServiceBusNotification-Tags", category),
                .init("ServiceBusNotification-Format", format),
                .init("Content-Type", "application/json;charset=utf-8"),
            ],
            body: Array(body.utf8)
        )
        return try await curl.send(request).status
    }

    /// Creates a client with all rights.
    func hubClient() throws -> NotificationHubClient {
        try NotificationHubClient(connection: full, hub: Self.hubName, transport: curl)
    }

    /// Returns the registrations of the hub.
    func registrations() async throws -> [Registration] {
        let url = "\(full.endpoint.url)/\(Self.hubName)/registrations/?api-version=2020-06"
        let request = HTTPRequest(method: .get, url: url, headers: [.init("Authorization", token(for: url))])
        let feed = try XMLReader.read(try await curl.send(request).body)
        return try feed.elements.filter { $0.localName == "entry" }.map { entry in
            var writer = XMLWriter()
            writer.element(entry)
            return try RegistrationXML.readAnswer(writer.bytes)
        }
    }

    /// Returns the bodies of the devices' notifications, by handle.
    func notifications() -> [String: [String]] {
        Dictionary(grouping: hub.settledDeliveries, by: \.handle)
            .mapValues { $0.map { String(decoding: $0.notification.body, as: UTF8.self) } }
    }

    private func token(for url: String, with connection: HubConnectionString? = nil) -> String {
        let signer = connection ?? full
        return SharedAccessSignature(
            resource: SharedAccessSignature.resource(forURL: url),
            expiry: (clock.now + .seconds(300)).seconds,
            keyName: signer.keyName,
            key: signer.key
        ).headerValue
    }
}
