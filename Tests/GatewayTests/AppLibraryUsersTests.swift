import NewsSubscriptions
import NewsflashBasics
import NewsflashCurlTransport
import NewsflashGateway
import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashTestSupport
import NotificationHubs
import Testing

/// One phone with several users: private messages of one never arrive for the next, over HTTP.
@Suite(.timeLimit(.minutes(1)))
struct AppLibraryUsersTests {
    private static let phone = PushChannel.apns(
        deviceToken: "00FC13ADFF785122B4AD28809A3420982341241421348097878E577C991DE8F0"
    )
    private let folder: TemporaryFolder
    private var storage: FileSubscriptionStorage { FileSubscriptionStorage(path: folder.file("subscriptions.json")) }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func withRig(_ body: (GatewayRig, PhoneNetwork) async throws -> Void) async throws {
        let transport = try CurlTransport()
        defer { transport.shutdown() }
        try await GatewayRig.run { rig in try await body(rig, PhoneNetwork(transport)) }
    }

    private func gateway(_ rig: GatewayRig, _ user: String, _ network: PhoneNetwork) throws -> NewsGateway {
        try NewsGateway(url: rig.url, user: user, transport: network) {
            .basic(user: user, password: GatewayRig.passwords[user] ?? "")
        }
    }

    /// The app after a launch.
    private func app(_ registrar: Registrar) -> NewsSubscriber {
        NewsSubscriber(registrar: registrar, storage: storage)
    }

    /// Returns the number of notifications that arrive of a message to a user.
    private func arrivals(of user: String, _ rig: GatewayRig, _ network: PhoneNetwork) async throws -> Int {
        let before = rig.hub.settledDeliveries.count
        try await gateway(rig, "desk", network).notify(user: user, message: "Hello", on: .apns)
        return rig.hub.settledDeliveries.count - before
    }

    @Test(arguments: [true, false])
    func `the next user takes over the phone although the sign-out of the first had no network`(
        asInstallation: Bool
    ) async throws {
        try await withRig { rig, network in
            func registrar(_ user: String) throws -> Registrar {
                let gateway = try gateway(rig, user, network)
                return asInstallation ? .installation(through: gateway) : .gateway(gateway)
            }
            let anna = app(try registrar("anna"))
            #expect(try await anna.register(Self.phone) == .registered)
            network.setOffline(true)
            guard case .pending = try await anna.signOut() else {
                Issue.record("not pending")
                return
            }
            network.setOffline(false)
            #expect(try await app(registrar("bob")).register(Self.phone) == .registered)
            #expect(try await arrivals(of: "anna", rig, network) == 0)
            #expect(try await arrivals(of: "bob", rig, network) == 1)
            // Back to anna, without a sign-out of bob.
            #expect(try await app(registrar("anna")).register(Self.phone) == .registered)
            #expect(try await arrivals(of: "bob", rig, network) == 0)
            #expect(try await arrivals(of: "anna", rig, network) == 1)
        }
    }

    @Test func `after a change of the kind of registration each message arrives once`() async throws {
        try await withRig { rig, network in
            let anna = try gateway(rig, "anna", network)
            for registrar in [Registrar.gateway(anna), .installation(through: anna), .gateway(anna)] {
                #expect(try await app(registrar).register(Self.phone) == .registered)
                #expect(try await arrivals(of: "anna", rig, network) == 1)
            }
        }
    }

    @Test func `a user who wants nothing more gets nothing at the next launch until the next choice`() async throws {
        try await withRig { rig, network in
            let registrar = Registrar.installation(through: try gateway(rig, "anna", network))
            try await app(registrar).register(Self.phone)
            #expect(try await app(registrar).unregister() == .notRegistered)
            let launched = app(registrar)
            #expect(try await launched.register(Self.phone) == .notRegistered)
            #expect(try await arrivals(of: "anna", rig, network) == 0)
            #expect(try await launched.subscribe(to: [.sports]) == .registered)
            #expect(try await arrivals(of: "anna", rig, network) == 1)
        }
    }
}

/// The network of a phone, which may be absent.
private final class PhoneNetwork: HTTPTransport {
    private let next: any HTTPTransport
    private let isOffline = Locked(false)

    init(_ next: any HTTPTransport) {
        self.next = next
    }

    func setOffline(_ value: Bool) {
        isOffline.withLock { $0 = value }
    }

    func start(_ exchanges: [HTTPExchange], receiver: any HTTPResultReceiver) {
        guard isOffline.withLock({ $0 }) else { return next.start(exchanges, receiver: receiver) }
        let error = HTTPTransportError(.cannotConnect, "no network", mayHaveBeenReceived: false)
        receiver.receive(exchanges.map { HTTPExchangeResult(id: $0.id, result: .failure(error)) })
    }
}
