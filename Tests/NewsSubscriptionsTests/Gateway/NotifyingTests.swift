import NewsSubscriptions
import NewsflashHTTPTransport
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite(.timeLimit(.minutes(1)))
struct NotifyingTests {
    private func gateway(_ transport: any HTTPTransport) throws -> NewsGateway {
        try NewsGateway(url: "https://push.example.org", user: "anna", transport: transport) { .bearer(token: "t0ken") }
    }

    @Test func `a message goes to another user's devices as a JSON string`() async throws {
        let transport = ScriptedTransport([HTTPResponse(200)])
        let answer = try await gateway(transport).notify(user: "ben@example.org", message: #"Lunch "now"?"#, on: .fcmv1)
        #expect(answer.outcome == nil)
        let request = try #require(transport.removeRequests().first)
        #expect(request.url == "https://push.example.org/api/notifications?pns=fcmv1&to_tag=ben%40example.org")
        #expect(request.method == .post)
        #expect(request.text == #""Lunch \"now\"?""#)
        #expect(request.headers["Authorization"] == "Bearer t0ken")
    }

    @Test func `the older form sends to the user's own devices`() async throws {
        let transport = ScriptedTransport([HTTPResponse(200)])
        try await gateway(transport).notifyMyself()
        let request = try #require(transport.removeRequests().first)
        #expect(request.url == "https://push.example.org/api/notifications")
        #expect(request.body.isEmpty)
    }

    @Test func `the hub's outcome is read from the answer if it is there`() async throws {
        let xml = "<NotificationOutcome><Success>1</Success></NotificationOutcome>"
        let transport = ScriptedTransport([HTTPResponse(200, xml)])
        let answer = try await gateway(transport).notify(user: "ben", message: "Hi", on: .apns)
        #expect(answer.outcome == Array(xml.utf8))
    }

    @Test(arguments: ["", "ben||anna", "ben&pns=apns", String(repeating: "b", count: 65)])
    func `a message to an invalid name is not sent`(name: String) async throws {
        let transport = ScriptedTransport([])
        let gateway = try gateway(transport)
        let error = await #expect(throws: SubscriptionError.self) {
            try await gateway.notify(user: name, message: "Hi", on: .apns)
        }
        #expect(error?.code == .invalidValue)
        #expect(transport.removeRequests().isEmpty)
    }

    @Test func `a secure text is fetched by its id, in the user's languages`() async throws {
        let transport = ScriptedTransport([
            HTTPResponse(
                200,
                #"{"id":"n-1","story":"s","kind":"alert","locale":"pt","headline":"Chuva","published":"2026-03-02T08:21:00Z"}"#
            )
        ])
        let found = try await gateway(transport).secureText(id: "n-1", languages: [.portuguese, .english])
        guard case .found(let text) = found else {
            Issue.record("\(found)")
            return
        }
        #expect(text.headline == "Chuva")
        #expect(text.published == Timestamp(rfc3339: "2026-03-02T08:21:00Z"))
        #expect(!"\(text)".contains("Chuva"))
        let request = try #require(transport.removeRequests().first)
        #expect(request.call == "GET /api/notifications/n-1")
        #expect(request.headers["Accept-Language"] == "pt, en")
    }

    @Test(arguments: [
        ("urn:newsml:afp.com:20260302:a/b", "urn%3Anewsml%3Aafp.com%3A20260302%3Aa%2Fb"),
        ("https://cms.example.org/a?b=1", "https%3A%2F%2Fcms.example.org%2Fa%3Fb%3D1"),
    ])
    func `an id may be any id of an event`(id: String, encoded: String) async throws {
        let transport = ScriptedTransport([HTTPResponse(404)])
        #expect(try await gateway(transport).secureText(id: id) == .notFound)
        #expect(transport.removeRequests().first?.url == "https://push.example.org/api/notifications/" + encoded)
    }

    @Test(arguments: ["", "a b", "é", String(repeating: "a", count: 257)])
    func `an id that no event can have is not requested`(id: String) async throws {
        let transport = ScriptedTransport([])
        let gateway = try gateway(transport)
        let error = await #expect(throws: SubscriptionError.self) { try await gateway.secureText(id: id) }
        #expect(error?.code == .invalidValue)
        #expect(transport.removeRequests().isEmpty)
    }

    @Test(arguments: [(404, SecureNotification.notFound), (410, .withdrawn)])
    func `a missing text and a withdrawn one are distinguished`(
        status: Int,
        found: SecureNotification
    ) async throws {
        let transport = ScriptedTransport([HTTPResponse(status)])
        #expect(try await gateway(transport).secureText(id: "n-1") == found)
    }

    @Test(arguments: [(503, SubscriptionError.Code.unavailable, true), (200, .unreadableAnswer, false)])
    func `an answer without a text contains whether to ask again`(
        status: Int,
        code: SubscriptionError.Code,
        isRetriable: Bool
    ) async throws {
        let gateway = try gateway(ScriptedTransport([HTTPResponse(status, "{}")]))
        let error = await #expect(throws: SubscriptionError.self) { try await gateway.secureText(id: "n-1") }
        #expect(error?.code == code)
        #expect(error?.isRetriable == isRetriable)
    }

    @Test(arguments: [
        "http://push.example.org", "http://127.0.0.1.example.org", "ftp://push.example.org", "https://",
        "push.example.org",
        "https://a@b", "https://push.example.org/?x=1", "",
    ])
    func `an invalid address, and one where passwords are sent unencrypted, are refused`(url: String) {
        #expect(throws: SubscriptionError.self) {
            try NewsGateway(url: url, user: "anna", transport: ScriptedTransport([])) { .bearer(token: "t") }
        }
    }

    @Test(arguments: [
        SignInCredentials.basic(user: "a:b", password: "c"), .basic(user: "", password: "c"), .bearer(token: ""),
        .bearer(token: "a b"), .bearer(token: "a\r\nX: y"),
    ])
    func `credentials that are invalid in a header are not sent`(credentials: SignInCredentials) async throws {
        let transport = ScriptedTransport([])
        let gateway = try NewsGateway(url: "https://push.example.org", user: "anna", transport: transport) {
            credentials
        }
        let error = await #expect(throws: SubscriptionError.self) { try await gateway.notifyMyself() }
        #expect(error?.code == .signInNeeded)
        #expect(transport.removeRequests().isEmpty)
    }

    @Test func `credentials are printed and mirrored without their secret`() {
        var dumped = ""
        dump(SignInCredentials.basic(user: "anna", password: "hush"), to: &dumped)
        #expect(!dumped.contains("hush"))
        #expect("\(SignInCredentials.bearer(token: "hush"))" == "Bearer <redacted>")
        #expect(String(reflecting: SignInCredentials.bearer(token: "hush")) == "Bearer <redacted>")
    }
}
