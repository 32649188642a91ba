import NewsSubscriptions
import NewsflashHTTPTransport
import Testing

/// The request of an app without a stored registration: the hub's registrations of its device.
@Suite(.timeLimit(.minutes(1)))
struct HubLookupTests {
    private let transport = ScriptedTransport([])
    private let created = HTTPResponse(
        201,
        headers: [.init("Location", "https://newsdesk.example.net/newsdesk/registrationids/7-8-1")]
    )

    private func app(_ transport: (any HTTPTransport)? = nil) throws -> NewsSubscriber {
        let registrar = try Registrar.hub(
            connection: "Endpoint=sb://newsdesk.example.net/;SharedAccessKeyName=Listen;SharedAccessKey=key",
            name: "newsdesk",
            transport: transport ?? self.transport
        )
        return NewsSubscriber(registrar: registrar, storage: MemoryStorage())
    }

    @Test(arguments: [
        "<feed/>", "", "<feed><entry><RegistrationId></RegistrationId></entry></feed>",
        "<feed><entry><RegistrationId>7/8</RegistrationId></entry></feed>",
        "<feed><entry><RegistrationId>7 8</RegistrationId></entry></feed>",
    ])
    func `an answer without a usable id leads to a new one`(feed: String) async throws {
        let app = try app()
        try await app.subscribe(to: [.world])
        transport.answer([HTTPResponse(200, feed), created, HTTPResponse(200)])
        #expect(try await app.register(.apns(deviceToken: "ABCD")) == .registered)
        let calls = transport.removeRequests().map(\.call)
        #expect(
            calls == [
                "GET /newsdesk/registrations/", "POST /newsdesk/registrationids/", "PUT /newsdesk/registrations/7-8-1",
            ]
        )
    }

    @Test func `a quote in a handle does not end the filter`() async throws {
        let app = try app()
        try await app.subscribe(to: [.world])
        transport.answer([HTTPResponse(503)])
        try await app.register(.fcmv1(registrationID: "a'or'b&c"))
        let url = try #require(transport.removeRequests().first?.url)
        #expect(url.hasSuffix("&$filter=ChannelUri%20eq%20%27a%27%27or%27%27b%26c%27"))
    }

    @Test func `an id of the hub does not end the address`() async throws {
        let app = try app()
        try await app.subscribe(to: [.world])
        transport.answer([
            HTTPResponse(200, "<feed><entry><RegistrationId>7?8#9%41</RegistrationId></entry></feed>"),
            HTTPResponse(200),
        ])
        #expect(try await app.register(.apns(deviceToken: "ABCD")) == .registered)
        #expect(transport.removeRequests().last?.call == "PUT /newsdesk/registrations/7%3F8%239%2541")
    }

    @Test(arguments: [
        ("<Error><Detail>Missing parenthesis.TrackingId:b8f8,TimeStamp:1</Detail></Error>", "Missing parenthesis"),
        (#"{"error":"x","message":"The tag is invalid.","path":"/Tags/0"}"#, "The tag is invalid. (/Tags/0)"),
        ("<Error><Detail>Token cRxdF0A5TTSGbb8uYyDk-I:x \n unknown</Detail></Error>", "Token … unknown"),
        ("<Error><Detail>Token 'cRxdF-ATTTSGbbuuYyDkzI' unknown</Detail></Error>", "Token … unknown"),
        ("<html>Bad request</html>", nil as String?), ("", nil),
    ])
    func `a rejected request has the server's text, without handles`(body: String, text: String?) async throws {
        let app = try app()
        try await app.subscribe(to: [.world])
        transport.answer([HTTPResponse(400, body)])
        let error = try #require(
            await #expect(throws: SubscriptionError.self) { try await app.register(.apns(deviceToken: "ABCD")) }
        )
        #expect(error.code == .refused)
        #expect(error.serverText == text)
        #expect(text.map { error.description.contains($0) } != true)
    }

    @Test func `a lookup without an answer makes no second registration`() async throws {
        let app = try app()
        try await app.subscribe(to: [.world])
        transport.answer([HTTPResponse(503)])
        #expect(try await app.register(.apns(deviceToken: "ABCD")).isPending)
        #expect(transport.removeRequests().map(\.method) == [.get])
        let network = NotedTransport(transport)
        network.setOffline(true)
        let offline = try self.app(network)
        try await offline.subscribe(to: [.world])
        #expect(try await offline.register(.apns(deviceToken: "ABCD")).isPending)
        #expect(network.removeRequests().map(\.method) == [.get])
    }
}
