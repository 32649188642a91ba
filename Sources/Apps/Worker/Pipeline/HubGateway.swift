import Dispatch
import HTTPTransport
import Locks
import NotificationHubs
import Publishing
import Randomness
import StructuredLog

/// The way to one hub: its client, and where the client's secrets come from.
final class HubGateway: Sendable {
    private let hub: String
    let label: String
    /// Endpoint and name, for the ledger.
    let address: String
    private let credentials: HubCredentials
    private let client: Locked<HubClient>
    private let connection: Locked<HubConnectionString>
    /// Since when the secrets are being read; `nil` while they are not.
    private let reading = Locked<ContinuousClock.Instant?>(nil)
    /// The thread that reads them: a file of a mount that hangs stops nothing else.
    private let queue: DispatchQueue
    private let logger: Logger

    /// How long reading may take before somebody should look.
    private static let longestRead = Duration.seconds(10)

    /// Reads the secrets for the first time.
    ///
    /// - Parameters:
    ///   - settings: Which hub.
    ///   - logger: Where it is told when they change.
    /// - Throws: ``HubCredentialsError`` when there are none, they cannot be read, or make no client.
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

    /// The request for an order, signed.
    func request(for order: SendOrder) -> Result<HTTPRequest, HubError> {
        let client = client.withLock { $0 }
        do throws(HubError) {
            return .success(try client.request(for: order.message, to: .tags(order.expression)))
        } catch {
            return .failure(error)
        }
    }

    /// Reads the secrets again, and uses new ones; the old ones stay if that fails, or if the new ones are for another endpoint:
    /// stories that the ledger has were sent to the present one. Returns at once, and does nothing while they are being read.
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
            "the hub's connection string is not read again: its file does not answer",
            metadata: [
                LogKey.hub: .string(label), LogKey.detail: .string(credentials.description),
                LogKey.remedy: .string("see that its file system works; until then the worker uses the old one"),
            ]
        )
    }

    private func read() {
        do throws(HubCredentialsError) {
            let fresh = try credentials.read()
            guard fresh != connection.withLock({ $0 }) else {
                // The key is the same, so it may be the token that has ended before its time.
                return client.withLock { $0 }.renewToken()
            }
            guard fresh.address(ofHub: hub) == address else {
                throw HubCredentialsError("\(credentials): names another endpoint, which only a new start may use")
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
            // The system's generator is asked once: it is two system calls a request. Names of requests are no secret.
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
