package import NewsflashTimestamps

/// The configuration of an emulated hub.
package struct HubEmulatorConfiguration: Sendable {
    /// The address to listen on.
    package var host = "127.0.0.1"
    /// The port to listen on; zero selects a free one.
    package var port: UInt16 = 0
    /// Whether the hub listens on plain HTTP; it may listen on HTTPS only.
    package var servesPlainHTTP = true
    /// The HTTPS settings, with their own address and port; `nil` disables HTTPS.
    package var tls: HubTLS?
    /// Further host names, without ports, under which browsers may open the hub's page, in addition to `localhost`, the
    /// loopback addresses and ``host``.
    package var allowedHosts: [String] = []
    /// The token that requests below `/_emulator` must have; see ``ConsoleAccess/isValid(_:)``. If `nil`, a hub on loopback
    /// addresses requires none, and any other hub creates a random one.
    package var consoleToken: String?
    /// The maximum number of connections; less if the system allows fewer file descriptors. A new connection above the limit
    /// replaces the one that has been idle longest.
    package var maximumConnections = 20_000
    /// The time limit for receiving a request.
    package var requestTimeout = Duration.seconds(30)
    /// The name of the hub; compared case-insensitively.
    package var hubName = "newsroom"
    /// The access rules. If empty, the hub creates a full rule and a Listen rule with random keys.
    package var rules: [AccessRule] = []
    /// Determines which operations exist and whether responses to sends have a `Location`.
    package var tier = HubTier.standard
    /// The time until a write of an installation takes effect. The service writes after its response, so the tests of
    /// https://github.com/Azure/azure-notificationhubs-dotnet wait a second; Microsoft names no bound.
    package var installationDelay = Duration.zero
    /// The handling of gcm and mpns. No page of Microsoft says that the service refuses them: "FCM legacy APIs are no longer
    /// supported and are retired" (https://learn.microsoft.com/azure/notification-hubs/notification-hubs-gcm-to-fcm), and the
    /// SDKs still register and send them.
    package var retiredPlatforms = RetiredPlatformPolicy.warn
    /// The number of test sends allowed per minute; `nil` for no limit.
    package var testSendsPerMinute: Int? = TestSendLimit.ofTheService
    /// The seed for ids and random faults: the same seed and requests produce the same responses.
    package var seed: UInt64 = .random(in: .min ... .max)
    /// The number of accepted sends kept for inspection; the oldest are removed first.
    package var sendsKept = 200_000
    /// The total size of sends kept for inspection, in bytes; the oldest are removed first.
    package var bytesKept = 512 << 20
    /// The number of deliveries kept for inspection; the oldest are removed first.
    package var deliveriesKept = 100_000
    /// The total size of delivered notifications kept for inspection, in bytes; the oldest are removed first.
    package var deliveryBytesKept = 256 << 20
    /// Whether the fan-out runs in the background; otherwise only ``HubEmulator/settle()`` runs it.
    package var fansOutInBackground = true
    /// The request faults that are active from the start.
    package var faults: [Fault] = []
    /// The delivery faults that are active from the start.
    package var deliveryFaults: [DeliveryFault] = []
    /// Called with each request to the hub, and each refused request to its page and inspection, on the thread that answers.
    package var requestObserver: (@Sendable (RequestRecord) -> Void)?
    /// Returns the current time.
    package var clock: @Sendable () -> Timestamp = Timestamp.now

    /// The one or two addresses to listen on.
    var hosts: [String] { (servesPlainHTTP ? [host] : []) + (tls.map { [$0.host] } ?? []) }

    /// Creates the default configuration.
    package init() {}
}

/// The pricing tier of a namespace.
package enum HubTier: String, Sendable, CaseIterable {
    /// No batch sends and no notification ids.
    case free
    /// No notification ids.
    case basic
    /// All features.
    case standard

    /// The maximum number of devices in the namespace.
    ///
    /// Source: https://learn.microsoft.com/azure/notification-hubs/notification-hubs-push-notification-faq
    var maximumDevices: Int {
        switch self {
        case .free: 500
        case .basic: 200_000
        case .standard: 10_000_000
        }
    }
}
