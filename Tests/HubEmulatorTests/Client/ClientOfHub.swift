import NewsflashCurlTransport
import NewsflashHubEmulator
import NotificationHubs

/// A hub that serves over HTTP, and clients connected to it.
struct ClientOfHub {
    let hub: HubEmulator
    /// A client with all rights.
    let client: NotificationHubClient
    /// A client that may only register.
    let listener: NotificationHubClient
    let transport: CurlTransport

    /// Starts a hub and stops it when `body` has finished.
    ///
    /// - Parameters:
    ///   - retries: The retry policy of the clients.
    ///   - adjust: Changes to the hub.
    ///   - body: The use of the hub and its clients.
    /// - Throws: The error of the body.
    static func run(
        retries: HubRetryPolicy = HubRetryPolicy(firstWait: .milliseconds(1), longestWait: .milliseconds(2)),
        _ adjust: (inout HubEmulatorConfiguration) -> Void = { _ in },
        body: (ClientOfHub) async throws -> Void
    ) async throws {
        var configuration = HubEmulatorConfiguration()
        configuration.hubName = "breaking"
        adjust(&configuration)
        let hub = HubEmulator(configuration)
        try hub.start()
        var settings = CurlTransportConfiguration()
        settings.proxy = .none
        let transport = try CurlTransport(settings)
        let outcome: Result<Void, any Error>
        do {
            let connections = try hub.connectionStrings.map { try HubConnectionString($0) }
            let clients = try connections.prefix(2).map {
                try NotificationHubClient(connection: $0, hub: "breaking", transport: transport, retries: retries)
            }
            try await body(ClientOfHub(hub: hub, client: clients[0], listener: clients[1], transport: transport))
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        transport.shutdown()
        await hub.stop()
        try outcome.get()
    }
}

/// Tags that a test knows to be valid.
func tags(_ texts: String...) throws -> [NotificationHubs.Tag] {
    try texts.map { try NotificationHubs.Tag($0) }
}
