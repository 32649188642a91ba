import NewsSubscriptions
import NewsflashHTTPTransport
import NewsflashStrictJSON
import NotificationHubs
import Testing

/// The notify-users system of the tutorial from the app's side, with scripted answers of a back end.
@Suite(.timeLimit(.minutes(1)))
struct GatewayRegistrationTests {
    private static let phone = PushChannel.apns(deviceToken: "abcd")
    private let storage = MemoryStorage()

    private func app(
        _ transport: any HTTPTransport,
        user: String = "anna",
        asInstallation: Bool = false
    ) throws -> NewsSubscriber {
        let gateway = try NewsGateway(url: "https://push.example.org/base/", user: user, transport: transport) {
            .basic(user: user, password: "hush")
        }
        return NewsSubscriber(
            registrar: asInstallation ? .installation(through: gateway) : .gateway(gateway),
            storage: storage
        )
    }

    @Test func `the app requests an id with the handle, then writes the device under the id`() async throws {
        let transport = ScriptedTransport([HTTPResponse(200, #""7-8-1""#), HTTPResponse(200)])
        let app = try app(transport)
        try await app.subscribe(to: [.world, .sports])
        #expect(try await app.register(Self.phone) == .registered)
        let requests = transport.removeRequests()
        #expect(
            requests.map { "\($0.method.rawValue) \($0.url)" } == [
                "POST https://push.example.org/base/api/register?handle=ABCD",
                "PUT https://push.example.org/base/api/register/7-8-1",
            ]
        )
        #expect(requests.map(\.text) == ["", #"{"Platform":"apns","Handle":"ABCD","Tags":["Sports","World"]}"#])
        #expect(requests.map { $0.headers["Authorization"] } == ["Basic YW5uYTpodXNo", "Basic YW5uYTpodXNo"])
        #expect(requests[1].headers["Content-Type"] == "application/json")
    }

    @Test func `neither a handle nor an id ends the address`() async throws {
        let transport = ScriptedTransport([HTTPResponse(200, #""7?8#9%41""#), HTTPResponse(200)])
        #expect(try await app(transport).register(.fcmv1(registrationID: "a&b#c?d%41+e")) == .registered)
        #expect(
            transport.removeRequests().map(\.url) == [
                "https://push.example.org/base/api/register?handle=a%26b%23c%3Fd%2541%2Be",
                "https://push.example.org/base/api/register/7%3F8%239%2541",
            ]
        )
    }

    @Test func `the app keeps the id and repeats only the second step when the choice changes`() async throws {
        let transport = ScriptedTransport([HTTPResponse(200, #""7-8-1""#), HTTPResponse(200), HTTPResponse(200)])
        try await app(transport).register(Self.phone)
        let second = try app(transport)
        try await second.subscribe(to: [.science])
        _ = transport.removeRequests()
        #expect(try await second.register(Self.phone) == .registered)
        #expect(transport.removeRequests().map(\.call) == ["PUT /base/api/register/7-8-1"])
    }

    @Test(arguments: [(410, ""), (404, ""), (403, #"{"error":"foreign","message":"This is another user's."}"#)])
    func `the app drops an id that is gone and repeats both steps`(status: Int, body: String) async throws {
        let transport = ScriptedTransport([
            HTTPResponse(200, #""7""#), HTTPResponse(status, body), HTTPResponse(200, #""8""#), HTTPResponse(200),
        ])
        #expect(try await app(transport).register(Self.phone) == .registered)
        #expect(
            transport.removeRequests().map(\.call) == [
                "POST /base/api/register", "PUT /base/api/register/7", "POST /base/api/register",
                "PUT /base/api/register/8",
            ]
        )
    }

    @Test(arguments: ["", "no JSON", #"{"error":"reserved_tag"}"#, #"{"error":"origin"}"#])
    func `a request refused for another reason is not repeated under a new id`(body: String) async throws {
        let transport = ScriptedTransport([HTTPResponse(200, #""7""#), HTTPResponse(403, body)])
        let app = try app(transport)
        let error = await #expect(throws: SubscriptionError.self) { try await app.register(Self.phone) }
        #expect(error?.code == .forbidden)
        #expect(transport.removeRequests().map(\.call) == ["POST /base/api/register", "PUT /base/api/register/7"])
    }

    @Test func `both steps are repeated only once`() async throws {
        let transport = ScriptedTransport([
            HTTPResponse(200, #""7""#), HTTPResponse(410), HTTPResponse(200, #""8""#), HTTPResponse(410),
            HTTPResponse(200, #""9""#),
        ])
        guard case .pending(let error) = try await app(transport).register(Self.phone) else {
            Issue.record("not pending")
            return
        }
        #expect(error.code == .gone)
        #expect(transport.removeRequests().count == 4)
    }

    @Test(arguments: ["", "7-8-1", #"{"id":"7"}"#, #""""#, #""a/b""#, #""a b""#])
    func `an id is a JSON string that is valid in an address`(body: String) async throws {
        let transport = ScriptedTransport([HTTPResponse(200, body)])
        let app = try app(transport)
        let error = await #expect(throws: SubscriptionError.self) { try await app.register(Self.phone) }
        #expect(error?.code == .unreadableAnswer)
    }

    @Test func `a sign-out removes the registration`() async throws {
        let transport = ScriptedTransport([HTTPResponse(200, #""7""#), HTTPResponse(200), HTTPResponse(404)])
        let app = try app(transport)
        try await app.register(Self.phone)
        _ = transport.removeRequests()
        #expect(try await app.unregister() == .notRegistered)
        #expect(transport.removeRequests().map(\.call) == ["DELETE /base/api/register/7"])
        #expect(try await app.status() == .notRegistered)
    }

    @Test func `an installation keeps its id and has the template`() async throws {
        let transport = ScriptedTransport([HTTPResponse(200), HTTPResponse(200)])
        let first = try app(transport, asInstallation: true)
        try await first.register(Self.phone)
        #expect(try await first.subscribe(to: [.world], in: .french) == .registered)
        let requests = transport.removeRequests()
        #expect(requests.count == 2)
        #expect(requests[0].call == requests[1].call)
        let id = try #require(requests[1].call.split(separator: "/").last)
        #expect(id.utf8.count == 32)
        let installation = try InstallationJSON.read(requests[1].body, id: String(id))
        #expect(installation.channel == .apns(deviceToken: "ABCD"))
        #expect(installation.tags.map(\.description) == ["World"])
        #expect(installation.userID == nil)
        #expect(
            installation.templates == [
                InstallationTemplate(
                    name: "simpleAPNSTemplate",
                    body: #"{"aps":{"alert":"$(News_French)"}}"#,
                    expiry: "0"
                )
            ]
        )
    }

    @Test func `refused credentials ask for a sign-in, and no error contains them`() async throws {
        let transport = ScriptedTransport([HTTPResponse(401, "anna:hush is wrong")])
        let app = try app(transport)
        let error = try #require(
            await #expect(throws: SubscriptionError.self) { try await app.register(Self.phone) }
        )
        #expect(error.code == .signInNeeded)
        #expect(!"\(error)".contains("hush"))
        #expect(!storage.all.description.contains("hush"))
    }

    @Test func `the error of the credentials' source is not repeated`() async throws {
        struct Locked: Error { var password = "hush" }
        let transport = ScriptedTransport([])
        let gateway = try NewsGateway(url: "http://127.0.0.1:8090", user: "anna", transport: transport) {
            throw Locked()
        }
        let app = NewsSubscriber(registrar: .gateway(gateway), storage: storage)
        let error = try #require(
            await #expect(throws: SubscriptionError.self) { try await app.register(Self.phone) }
        )
        #expect(error.code == .signInNeeded)
        #expect(!"\(error)".contains("hush"))
        #expect(transport.removeRequests().isEmpty)
    }
}
