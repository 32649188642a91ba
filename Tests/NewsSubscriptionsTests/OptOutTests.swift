import NewsSubscriptions
import NewsflashHTTPTransport
import Testing

/// A user who wants nothing more gets nothing more, whatever the app does at its next launch.
@Suite(.timeLimit(.minutes(1)))
struct OptOutTests {
    private static let phone = PushChannel.apns(deviceToken: "abcd")
    private let storage = MemoryStorage()
    private let transport = ScriptedTransport([])

    private func app(_ user: String = "anna", asInstallation: Bool = false) throws -> NewsSubscriber {
        let gateway = try NewsGateway(url: "https://push.example.org", user: user, transport: transport) {
            .bearer(token: "t")
        }
        return NewsSubscriber(
            registrar: asInstallation ? .installation(through: gateway) : .gateway(gateway),
            storage: storage
        )
    }

    private func registered() async throws {
        transport.answer([HTTPResponse(200, #""7""#), HTTPResponse(200)])
        try await app().subscribe(to: [.sports])
        #expect(try await app().register(Self.phone) == .registered)
        _ = transport.removeRequests()
    }

    @Test func `the next launch does not register the device again, an explicit choice does`() async throws {
        try await registered()
        transport.answer([HTTPResponse(200)])
        #expect(try await app().unregister() == .notRegistered)
        #expect(transport.removeRequests().map(\.call) == ["DELETE /api/register/7"])
        let launched = try app()
        #expect(try await launched.register(Self.phone) == .notRegistered)
        #expect(try await launched.retry() == .notRegistered)
        #expect(transport.removeRequests().isEmpty)
        #expect(try await launched.choice().categories == [.sports], "the switches keep their place")
        transport.answer([HTTPResponse(200, #""8""#), HTTPResponse(200)])
        #expect(try await launched.subscribe(to: [.sports]) == .registered)
        guard case .unchanged = try await app().register(Self.phone) else {
            Issue.record("the wish is not over")
            return
        }
    }

    @Test func `the wish is stored if the removal failed, and the next launch repeats it`() async throws {
        try await registered()
        transport.answer([HTTPResponse(503)])
        guard case .pending = try await app().unregister() else {
            Issue.record("not pending")
            return
        }
        _ = transport.removeRequests()
        transport.answer([HTTPResponse(200)])
        #expect(try await app().register(Self.phone) == .notRegistered)
        #expect(transport.removeRequests().map(\.call) == ["DELETE /api/register/7"])
    }

    @Test func `the wish belongs to its user, whatever the kind of registration`() async throws {
        try await registered()
        transport.answer([HTTPResponse(200)])
        try await app().unregister()
        #expect(try await app(asInstallation: true).register(Self.phone) == .notRegistered)
        _ = transport.removeRequests()
        transport.answer([HTTPResponse(200, #""9""#), HTTPResponse(200), HTTPResponse(200)])
        #expect(try await app("ben").register(Self.phone) == .registered)
        transport.answer([HTTPResponse(200), HTTPResponse(200)])
        #expect(try await app().register(Self.phone) == .notRegistered)
    }

    @Test func `a wish from before the app had users counts for each user until the next choice`() async throws {
        let hub = try Registrar.hub(
            connection: "Endpoint=sb://newsdesk.example.net/;SharedAccessKeyName=Listen;SharedAccessKey=key",
            name: "newsdesk",
            transport: transport
        )
        try await NewsSubscriber(registrar: hub, storage: storage).unregister()
        #expect(try await app().register(Self.phone) == .notRegistered)
        #expect(try await app("ben").register(Self.phone) == .notRegistered)
        #expect(transport.removeRequests().isEmpty)
        try await app("ben").subscribe(to: [.world])
        transport.answer([HTTPResponse(200, #""7""#), HTTPResponse(200)])
        #expect(try await app().register(Self.phone) == .registered)
    }

    @Test func `a sign-out is not permanent: the next sign-in registers again`() async throws {
        try await registered()
        transport.answer([HTTPResponse(200)])
        let signedOut = try app()
        try await signedOut.register(Self.phone)
        #expect(try await signedOut.signOut() == .notRegistered)
        // Without a choice in between, which would end the wish to get nothing.
        transport.answer([HTTPResponse(200, #""8""#), HTTPResponse(200)])
        #expect(try await app().register(Self.phone) == .registered)
        #expect(try await signedOut.subscribe(to: [.world]) == .waitingForDevice)
    }
}
