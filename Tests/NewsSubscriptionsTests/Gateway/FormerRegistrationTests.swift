import NewsSubscriptions
import NewsflashBasics
import NewsflashHTTPTransport
import Testing

/// Registrations that a device had as another user, or of another kind, are removed.
@Suite(.timeLimit(.minutes(1)))
struct FormerRegistrationTests {
    private static let phone = PushChannel.apns(deviceToken: "abcd")
    private let storage = MemoryStorage()
    private let clock = TestClock()

    private func gateway(_ transport: any HTTPTransport, _ user: String = "anna") throws -> NewsGateway {
        try NewsGateway(url: "https://push.example.org", user: user, transport: transport) {
            .basic(user: user, password: "hush")
        }
    }

    private func app(
        _ registrar: Registrar,
        formerly: [Registrar] = [],
        device: String? = nil
    ) -> NewsSubscriber {
        var configuration = SubscriberConfiguration()
        configuration.device = device
        let clock = clock
        return NewsSubscriber(
            registrar: registrar,
            formerly: formerly,
            storage: storage,
            configuration: configuration,
            clock: { clock.now }
        )
    }

    private func hub(_ transport: any HTTPTransport) throws -> Registrar {
        try .hub(
            connection: "Endpoint=sb://newsdesk.example.net/;SharedAccessKeyName=Listen;SharedAccessKey=key",
            name: "newsdesk",
            transport: transport
        )
    }

    /// Returns the requests, each with its credentials.
    private func calls(_ transport: ScriptedTransport) -> [String] {
        transport.removeRequests().map { request in
            let field = request.headers["Authorization"] ?? ""
            let who =
                switch field {
                case "Basic YW5uYTpodXNo": "anna"
                case "Basic YmVuOmh1c2g=": "ben"
                default: field.hasPrefix("SharedAccessSignature") ? "key" : field
                }
            return "\(who): \(request.call)"
        }
    }

    @Test func `a sign-out without a network is completed by the next user, who takes over the device`() async throws {
        let transport = ScriptedTransport([HTTPResponse(200), HTTPResponse(503)])
        let anna = app(.installation(through: try gateway(transport)))
        try await anna.register(Self.phone)
        let id = try #require(transport.removeRequests().first?.call.split(separator: "/").last)
        guard case .pending = try await anna.signOut() else {
            Issue.record("not pending")
            return
        }
        _ = transport.removeRequests()
        transport.answer([HTTPResponse(200), HTTPResponse(200, #""9""#)])
        let ben = app(.installation(through: try gateway(transport, "ben")))
        #expect(try await ben.register(Self.phone) == .registered)
        let done = calls(transport)
        #expect(done.count == 2)
        #expect(done.first?.hasPrefix("ben: PUT /api/installations/") == true)
        #expect(done.first?.hasSuffix(id) == false)
        #expect(done.last == "ben: POST /api/register")
        // It is completed, and not repeated.
        guard case .unchanged = try await ben.register(Self.phone) else {
            Issue.record("not unchanged")
            return
        }
        #expect(transport.removeRequests().isEmpty)
    }

    @Test func `a removal that the next user could not complete either is repeated while the app runs`() async throws {
        let transport = ScriptedTransport([HTTPResponse(200, #""7""#), HTTPResponse(200), HTTPResponse(503)])
        let anna = app(.gateway(try gateway(transport)))
        try await anna.register(Self.phone)
        _ = try await anna.signOut()
        transport.answer([HTTPResponse(200, #""8""#), HTTPResponse(200), HTTPResponse(503)])
        let ben = app(.gateway(try gateway(transport, "ben")))
        #expect(try await ben.register(Self.phone) == .registered)
        _ = transport.removeRequests()
        #expect(try await ben.retry().isPending)
        #expect(transport.removeRequests().isEmpty, "before its time nothing is sent")
        clock.advance(.seconds(60))
        transport.answer([HTTPResponse(503)])
        #expect(try await ben.retry().isPending)
        #expect(calls(transport) == ["ben: POST /api/register"])
        clock.advance(.seconds(60))
        transport.answer([HTTPResponse(200, #""8""#)])
        guard case .unchanged = try await ben.retry() else {
            Issue.record("not unchanged")
            return
        }
        #expect(calls(transport) == ["ben: POST /api/register"])
        _ = try await ben.retry()
        #expect(transport.removeRequests().isEmpty)
    }

    @Test func `a removal whose request was cancelled is not forgotten`() async throws {
        let transport = ScriptedTransport([HTTPResponse(200, #""7""#), HTTPResponse(200), HTTPResponse(503)])
        let anna = app(.gateway(try gateway(transport)))
        try await anna.register(Self.phone)
        _ = try await anna.signOut()
        transport.answer([HTTPResponse(200, #""8""#), HTTPResponse(200), HTTPResponse(503)])
        let cancellable = CancellableTransport(transport)
        let ben = app(.gateway(try gateway(cancellable, "ben")))
        #expect(try await ben.register(Self.phone) == .registered)
        _ = transport.removeRequests()
        clock.advance(.seconds(60))
        cancellable.cancelsAll.withLock { $0 = true }
        guard case .pending(let error) = try await ben.retry() else {
            Issue.record("not pending")
            return
        }
        #expect(error.code == .cancelled)
        cancellable.cancelsAll.withLock { $0 = false }
        transport.answer([HTTPResponse(200, #""8""#)])
        guard case .unchanged = try await ben.retry() else {
            Issue.record("not unchanged")
            return
        }
        #expect(calls(transport) == ["ben: POST /api/register"])
    }

    @Test func `a registration that the back end passes on can be removed`() async throws {
        let transport = ScriptedTransport([HTTPResponse(200), HTTPResponse(503)])
        let anna = app(.installation(through: try gateway(transport)))
        try await anna.register(Self.phone)
        let id = try #require(transport.removeRequests().first?.call.split(separator: "/").last).description
        _ = try await anna.signOut()
        _ = transport.removeRequests()
        transport.answer([HTTPResponse(200), HTTPResponse(200, "\"\(id)\""), HTTPResponse(200)])
        try await app(.installation(through: try gateway(transport, "ben"))).register(Self.phone)
        #expect(calls(transport).dropFirst() == ["ben: POST /api/register", "ben: DELETE /api/installations/\(id)"])
    }

    @Test func `an id that the next user gets is not removed as a former one`() async throws {
        let transport = ScriptedTransport([HTTPResponse(200, #""7""#), HTTPResponse(200), HTTPResponse(503)])
        let anna = app(.gateway(try gateway(transport)))
        try await anna.register(Self.phone)
        _ = try await anna.signOut()
        _ = transport.removeRequests()
        transport.answer([HTTPResponse(200, #""7""#), HTTPResponse(200)])
        #expect(try await app(.gateway(try gateway(transport, "ben"))).register(Self.phone) == .registered)
        #expect(calls(transport) == ["ben: POST /api/register", "ben: PUT /api/register/7"])
    }

    @Test func `a user who comes back keeps the id`() async throws {
        let transport = ScriptedTransport([HTTPResponse(200), HTTPResponse(503)])
        let anna = try gateway(transport)
        try await app(.installation(through: anna)).register(Self.phone)
        let first = calls(transport)
        _ = try await app(.installation(through: anna)).signOut()
        transport.answer([HTTPResponse(200), HTTPResponse(503)])
        try await app(.installation(through: gateway(transport, "ben"))).register(Self.phone)
        _ = transport.removeRequests()
        // Ben's installation is the former one now; anna takes over the device.
        transport.answer([HTTPResponse(200), HTTPResponse(200, #""9""#)])
        #expect(try await app(.installation(through: anna)).register(Self.phone) == .registered)
        #expect(calls(transport) == first + ["anna: POST /api/register"])
    }

    @Test func `a user who comes back writes under the id that was assigned`() async throws {
        let transport = ScriptedTransport([HTTPResponse(200, #""7""#), HTTPResponse(200), HTTPResponse(503)])
        let anna = try gateway(transport)
        try await app(.gateway(anna)).register(Self.phone)
        #expect(try await app(.gateway(anna)).signOut().isPending)
        transport.answer([HTTPResponse(200, #""8""#), HTTPResponse(200), HTTPResponse(503)])
        try await app(.gateway(gateway(transport, "ben"))).register(Self.phone)
        _ = transport.removeRequests()
        transport.answer([HTTPResponse(200), HTTPResponse(200, #""7""#)])
        #expect(try await app(.gateway(anna)).register(Self.phone) == .registered)
        #expect(calls(transport) == ["anna: PUT /api/register/7", "anna: POST /api/register"])
    }

    @Test func `an app that changes the kind of registration removes the old one`() async throws {
        let transport = ScriptedTransport([
            HTTPResponse(200, #""7""#), HTTPResponse(200), HTTPResponse(200), HTTPResponse(200),
        ])
        let anna = try gateway(transport)
        try await app(.gateway(anna)).register(Self.phone)
        _ = transport.removeRequests()
        #expect(try await app(.installation(through: anna)).register(Self.phone) == .registered)
        let done = calls(transport)
        #expect(done.first?.hasPrefix("anna: PUT /api/installations/") == true)
        #expect(done.dropFirst() == ["anna: DELETE /api/register/7"])
        // Back again, with a removal that has no network.
        transport.answer([HTTPResponse(200, #""8""#), HTTPResponse(200), HTTPResponse(404)])
        #expect(try await app(.gateway(anna)).register(Self.phone) == .registered)
        #expect(calls(transport).last?.hasPrefix("anna: DELETE /api/installations/") == true)
    }

    @Test func `an app that leaves the hub removes its registration there with the hub's key only`() async throws {
        let location = HTTPHeaders([.init("Location", "https://newsdesk.example.net/newsdesk/registrationids/7-8-1")])
        let transport = ScriptedTransport([
            HTTPResponse(200, "<feed/>"), HTTPResponse(201, headers: location), HTTPResponse(200), HTTPResponse(200),
        ])
        let old = try hub(transport)
        try await app(old).register(Self.phone)
        try await app(old).subscribe(to: [.world])
        #expect(try await app(old).register(Self.phone) == .registered)
        _ = transport.removeRequests()
        let new = Registrar.installation(through: try gateway(transport))
        transport.answer([HTTPResponse(200)])
        #expect(try await app(new).register(Self.phone) == .registered)
        #expect(calls(transport).count == 1, "without the hub's key nothing is asked of the hub")
        transport.answer([HTTPResponse(200)])
        _ = try await app(new, formerly: [old]).register(Self.phone)
        #expect(calls(transport) == ["key: DELETE /newsdesk/registrations/7-8-1"])
    }

    @Test func `a removal elsewhere is pending for a user who wants nothing more`() async throws {
        let transport = ScriptedTransport([HTTPResponse(200, #""7""#), HTTPResponse(200), HTTPResponse(503)])
        let anna = try gateway(transport)
        try await app(.gateway(anna)).register(Self.phone)
        _ = transport.removeRequests()
        let changed = app(.installation(through: anna))
        #expect(try await changed.unregister().isPending)
        clock.advance(.seconds(60))
        transport.answer([HTTPResponse(200)])
        #expect(try await changed.retry() == .notRegistered)
        #expect(calls(transport) == ["anna: DELETE /api/register/7", "anna: DELETE /api/register/7"])
    }

    @Test func `a removal that is refused permanently does not delay the registration`() async throws {
        let transport = ScriptedTransport([
            HTTPResponse(200, #""7""#), HTTPResponse(200), HTTPResponse(200), HTTPResponse(401),
        ])
        let anna = try gateway(transport)
        try await app(.gateway(anna)).register(Self.phone)
        #expect(try await app(.installation(through: anna)).register(Self.phone) == .registered)
    }

    @Test func `a phone that was restored from a backup leaves the old phone its registration`() async throws {
        let transport = ScriptedTransport([HTTPResponse(200, #""7""#), HTTPResponse(200)])
        let anna = try gateway(transport)
        try await app(.gateway(anna), device: "old").subscribe(to: [.world])
        try await app(.gateway(anna), device: "old").register(Self.phone)
        _ = transport.removeRequests()
        transport.answer([HTTPResponse(200, #""8""#), HTTPResponse(200)])
        let restored = app(.gateway(anna), device: "new")
        #expect(try await restored.status() == .notRegistered)
        #expect(try await restored.register(.apns(deviceToken: "EF01")) == .registered)
        #expect(calls(transport) == ["anna: POST /api/register", "anna: PUT /api/register/8"])
        #expect(try await restored.choice().categories == [.world])
        #expect(!storage.all.description.contains("new"), "the device's name is not stored")
    }

    @Test func `a phone that was restored from a backup removes nothing that the old phone has left`() async throws {
        let transport = ScriptedTransport([
            HTTPResponse(200, #""7""#), HTTPResponse(200), HTTPResponse(200), HTTPResponse(503),
        ])
        let anna = try gateway(transport)
        try await app(.gateway(anna), device: "old").register(Self.phone)
        try await app(.installation(through: anna), device: "old").register(Self.phone)
        #expect(transport.removeRequests().last?.call == "DELETE /api/register/7")
        transport.answer([HTTPResponse(200)])
        let restored = app(.installation(through: anna), device: "new")
        #expect(try await restored.register(.apns(deviceToken: "EF01")) == .registered)
        #expect(transport.removeRequests().count == 1)
    }

    @Test func `an app with a lost storage writes the same installation again`() async throws {
        let transport = ScriptedTransport([HTTPResponse(200), HTTPResponse(200), HTTPResponse(200)])
        let anna = try gateway(transport)
        try await app(.installation(through: anna)).register(Self.phone)
        for key in storage.all.keys { try storage.store(nil, forKey: key) }
        try await app(.installation(through: anna)).register(Self.phone)
        for key in storage.all.keys { try storage.store(nil, forKey: key) }
        try await app(.installation(through: gateway(transport, "ben"))).register(Self.phone)
        let calls = transport.removeRequests().map(\.call)
        #expect(calls[0] == calls[1])
        #expect(calls[0] != calls[2])
        #expect(!calls.joined().uppercased().contains("ABCD"))
    }
}

/// Passes requests on, or answers all as cancelled.
private final class CancellableTransport: HTTPTransport {
    let cancelsAll = Locked(false)
    private let transport: ScriptedTransport

    init(_ transport: ScriptedTransport) {
        self.transport = transport
    }

    func start(_ exchanges: [HTTPExchange], receiver: any HTTPResultReceiver) {
        guard cancelsAll.withLock({ $0 }) else { return transport.start(exchanges, receiver: receiver) }
        let error = HTTPTransportError(.cancelled, "cancelled", mayHaveBeenReceived: false)
        receiver.receive(exchanges.map { HTTPExchangeResult(id: $0.id, result: .failure(error)) })
    }
}
