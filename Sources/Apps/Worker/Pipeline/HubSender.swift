import Dispatch
import NewsflashBasics
import NewsflashHTTPTransport
import NewsflashObservability
import NewsflashPublishing
import NotificationHubs

/// The connection to one hub: its client and its credentials.
final class HubSender: Sendable {
    private let hub: String
    let label: String
    /// Endpoint and name, as the ledger stores them.
    let address: String
    private let credentials: HubCredentials
    private let client: Locked<HubClient>
    private let connection: Locked<HubConnectionString>
    /// Since when the credentials are being read; `nil` if they are not.
    private let reading = Locked<ContinuousClock.Instant?>(nil)
    /// The queue for reading credentials, so that a hanging file system blocks nothing else.
    private let queue: DispatchQueue
    private let logger: Logger

    /// The time after which a slow read is logged.
    private static let longestRead = Duration.seconds(10)

    /// Reads the credentials for the first time.
    ///
    /// - Parameters:
    ///   - settings: The settings of the hub.
    ///   - logger: Logs changes of the credentials.
    /// - Throws: ``HubCredentialsError`` if they are missing, or cannot be read or used.
    init(_ settings: HubSettings, logger: Logger) throws(HubCredentialsError) {
        guard let credentials = settings.credentials else {
            throw HubCredentialsError(settings.missingCredentials)
        }
        let connection = try credentials.read()
        self.hub = settings.name
        self.label = settings.label
        self.address = connection.address(ofHub: settings.name)
        self.credentials = credentials
        self.connection = Locked(connection)
        self.client = Locked(try Self.client(connection, hub: hub))
        self.queue = DispatchQueue(label: "newsflash.secrets.\(settings.label)")
        self.logger = logger
    }

    /// Makes the signed request for a send request of the core.
    func request(for order: SendRequest) -> Result<HTTPRequest, HubError> {
        let client = client.withLock { $0 }
        do throws(HubError) {
            return .success(try client.request(for: order.message, to: .tags(order.expression)))
        } catch {
            return .failure(error)
        }
    }

    /// Reads the credentials again and uses new ones. The old ones stay if reading fails, or if the new ones are for another
    /// endpoint, because the stories in the ledger were sent to the current one. Returns at once, and does nothing if a read is
    /// running.
    func reload() {
        let now = ContinuousClock.now
        let (isFree, isLate) = reading.withLock { since in
            defer { since = since ?? now }
            return (since == nil, since.map { now - $0 > Self.longestRead } ?? false)
        }
        if isFree {
            queue.async { [self] in
                read()
                reading.withLock { $0 = nil }
            }
        }
        guard isLate else { return }
        logger.error(
            "the hub's connection string cannot be read again: its file does not respond",
            metadata: [
                LogKey.hub: .string(label), LogKey.detail: .string(credentials.description),
                LogKey.remedy: .string("check its file system; until then the worker uses the old connection string"),
            ]
        )
    }

    private func read() {
        do throws(HubCredentialsError) {
            let fresh = try credentials.read()
            guard fresh != connection.withLock({ $0 }) else {
                // If the key is unchanged, the token may have expired early.
                return client.withLock { $0 }.renewToken()
            }
            guard fresh.address(ofHub: hub) == address else {
                throw HubCredentialsError("\(credentials): names another endpoint, which needs a restart")
            }
            let made = try Self.client(fresh, hub: hub)
            connection.withLock { $0 = fresh }
            client.withLock { $0 = made }
            logger.notice(
                "the hub's connection string has changed and is in use",
                metadata: [LogKey.hub: .string(label)]
            )
        } catch {
            logger.error(
                "a new connection string of the hub cannot be used",
                metadata: [LogKey.hub: .string(label), LogKey.detail: .string(error.description)]
            )
        }
    }

    private static func client(
        _ connection: HubConnectionString,
        hub: String
    ) throws(HubCredentialsError) -> HubClient {
        do throws(HubError) {
            // The system's generator is only used for the seed, because it costs two system calls per request. Tracking ids are
            // not secret.
            let random = Locked(SeededRandom(seed: .random(in: .min ... .max)))
            let configuration = HubClientConfiguration(
                trackingID: { random.withLock { TrackingID.random(using: &$0) } }
            )
            return try HubClient(connection: connection, hub: hub, configuration: configuration)
        } catch {
            throw HubCredentialsError("hub \(hub): \(error)")
        }
    }
}
