package import NotificationHubs
import Signing
package import Timestamps

/// How an emulated hub is set up.
package struct HubEmulatorConfiguration: Sendable {
    /// The address to listen on.
    package var host = "127.0.0.1"
    /// The port to listen on; zero takes a free one.
    package var port: UInt16 = 0
    /// Whether it listens there; a hub may speak HTTPS alone.
    package var servesPlainHTTP = true
    /// How it speaks HTTPS, on an address and port of its own; nothing where it does not.
    package var tls: HubTLS?
    /// What else the machine is called in the addresses of browsers that look at the hub's page, without ports; beside
    /// `localhost`, the loopback addresses and ``host``.
    package var allowedHosts: [String] = []
    /// How many clients may be connected at once; fewer where the system allows fewer file descriptors. One more takes the
    /// place of the one that has been idle for longest.
    package var maximumConnections = 20_000
    /// How long a request may take to come.
    package var requestTimeout = Duration.seconds(30)
    /// The name of the one hub; compared without case.
    package var hubName = "newsroom"
    /// Who may do what; a full and a Listen rule with random keys where there is none.
    package var rules: [AccessRule] = []
    /// Decides which operations there are and whether sends have a `Location`.
    package var tier = HubTier.standard
    /// How many test sends are allowed in any minute; nothing for as many as one likes.
    package var testSendsPerMinute: Int? = TestSendLimit.ofTheService
    /// For ids and for faults that strike at random: the same seed and requests give the same answers.
    package var seed: UInt64 = .random(in: .min ... .max)
    /// How many accepted sends are kept for inspection; the oldest go first.
    package var sendsKept = 200_000
    /// How many bytes of sends are kept for inspection; the oldest go first.
    package var bytesKept = 512 << 20
    /// How many deliveries are kept for inspection; the oldest go first.
    package var deliveriesKept = 100_000
    /// How many bytes of what devices got are kept for inspection; the oldest go first.
    package var deliveryBytesKept = 256 << 20
    /// Whether targets are found in the background; else only ``HubEmulator/settle()`` finds them.
    package var fansOutInBackground = true
    /// What goes wrong from the start.
    package var faults: [Fault] = []
    /// What goes wrong with deliveries from the start.
    package var deliveryFaults: [DeliveryFault] = []
    /// Is told each request to the hub, and each to its page and inspection that was refused; on the thread that answers.
    package var requestObserver: (@Sendable (RequestRecord) -> Void)?
    /// Tells the present instant.
    package var clock: @Sendable () -> Timestamp = Timestamp.now

    /// Makes the default configuration.
    package init() {}
}

/// What a namespace pays for.
package enum HubTier: String, Sendable, CaseIterable {
    /// No batch sends, no notification ids.
    case free
    /// No notification ids.
    case basic
    /// Everything.
    case standard

    /// The most devices of the namespace.
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

/// What a policy allows.
package enum Claim: String, Sendable, CaseIterable {
    /// Single registrations and installations.
    case listen = "Listen"
    /// Sends.
    case send = "Send"
    /// The hub itself and lists of registrations.
    case manage = "Manage"
}

/// A shared access policy: who signs with its key may do what it claims.
package struct AccessRule: Sendable, Equatable {
    /// The policy's name; may hold blanks.
    package var name: String
    /// The policy's key.
    package var key: SharedAccessKey
    /// What it allows.
    package var claims: Set<Claim>

    /// Makes a rule.
    ///
    /// - Parameters:
    ///   - name: The policy's name.
    ///   - key: The policy's key.
    ///   - claims: What it allows.
    package init(name: String, key: SharedAccessKey, claims: Set<Claim>) {
        self.name = name
        self.key = key
        self.claims = claims
    }

    /// Reads a rule as the command line has it: `NAME=KEY:Listen,Send,Manage`.
    ///
    /// - Parameter text: The name ends at the first `=`, the key at the last `:`.
    package init?(_ text: String) {
        guard let equals = text.firstIndex(of: "="), let colon = text.lastIndex(of: ":"), equals < colon else {
            return nil
        }
        let name = text[..<equals]
        let key = text[text.index(after: equals)..<colon]
        let claims = text[text.index(after: colon)...].split(separator: ",", omittingEmptySubsequences: false)
            .map { word in Claim.allCases.first { $0.rawValue.lowercased() == word.lowercased() } }
        guard !name.isEmpty, !key.isEmpty, claims.allSatisfy({ $0 != nil }) else { return nil }
        self.init(name: String(name), key: SharedAccessKey(String(key)), claims: Set(claims.compactMap(\.self)))
    }

    /// The two rules that every hub is born with, with new random keys.
    static func defaults() -> [AccessRule] {
        [
            AccessRule(name: "DefaultFullSharedAccessSignature", key: randomKey(), claims: Set(Claim.allCases)),
            AccessRule(name: "DefaultListenSharedAccessSignature", key: randomKey(), claims: [.listen]),
        ]
    }

    private static func randomKey() -> SharedAccessKey {
        SharedAccessKey(Base64.encode((0..<32).map { _ in UInt8.random(in: .min ... .max) }))
    }
}
