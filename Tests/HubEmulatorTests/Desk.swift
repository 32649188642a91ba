import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashTimestamps
import NotificationHubs

/// A hub and a publisher that knows its key, without a network between them.
struct Desk {
    static let now = Timestamp(seconds: 1_767_222_000)

    let hub: HubEmulator
    let client: HubClient
    let key = SharedAccessKey("full key")

    init(_ adjust: (inout HubEmulatorConfiguration) -> Void = { _ in }, policy: String = "Full") throws {
        var configuration = HubEmulatorConfiguration()
        configuration.hubName = "Breaking-News"
        configuration.seed = 7
        configuration.clock = { Desk.now }
        configuration.rules = [
            AccessRule(name: "Full", key: key, claims: [.listen, .send, .manage]),
            AccessRule(name: "Listen Only", key: key, claims: [.listen]),
        ]
        adjust(&configuration)
        self.hub = HubEmulator(configuration)
        self.client = try HubClient(
            connection: HubConnectionString(
                "Endpoint=http://127.0.0.1:8080/;SharedAccessKeyName=\(policy);SharedAccessKey=\(key.secretText)"
            ),
            hub: "breaking-news",
            clock: configuration.clock
        )
    }

    /// Sends a message and returns the answer as it would be on the wire.
    func send(_ message: HubMessage, to audience: HubAudience) throws -> HTTPResponse {
        hub.answer(EmulatedRequest(try client.request(for: message, to: audience))).response
    }

    /// A request with a valid token and a format, for tests to make invalid.
    func request(
        _ path: String = "/Breaking-News/messages?api-version=2020-06",
        method: String = "POST",
        headers: HTTPHeaders = [],
        body: String = #"{"a":"b"}"#,
        format: String? = "template"
    ) -> EmulatedRequest {
        var all = headers
        all.append("Host", "127.0.0.1:8080")
        if headers["Authorization"] == nil { all.append("Authorization", token()) }
        if let format { all.append("ServiceBusNotification-Format", format) }
        return EmulatedRequest(method: method, target: path, headers: all, body: Array(body.utf8))
    }

    /// The answer to a request with a valid token and a format.
    func post(
        _ path: String = "/Breaking-News/messages?api-version=2020-06",
        method: String = "POST",
        headers: HTTPHeaders = [],
        body: String = #"{"a":"b"}"#,
        format: String? = "template"
    ) -> HTTPResponse {
        hub.answer(request(path, method: method, headers: headers, body: body, format: format)).response
    }

    func token(
        url: String = "http://127.0.0.1:8080/breaking-news",
        policy: String = "Full",
        key: String = "full key",
        life: Int64 = 60
    ) -> String {
        SharedAccessSignature(
            resource: SharedAccessSignature.resource(forURL: url),
            expiry: Desk.now.seconds + life,
            keyName: policy,
            key: SharedAccessKey(key)
        ).headerValue
    }

    /// A request to the inspection pages.
    func inspect(_ method: String, _ path: String, body: String = "") -> HTTPResponse {
        hub.answer(EmulatedRequest(method: method, target: "/_emulator/" + path, body: Array(body.utf8))).response
    }
}

extension EmulatedRequest {
    /// The request as the server receives it from a client.
    init(_ request: HTTPRequest) {
        let afterScheme = request.url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        let authorityAndPath = afterScheme.last.map(String.init) ?? ""
        let slash = authorityAndPath.firstIndex(of: "/") ?? authorityAndPath.endIndex
        var headers = request.headers
        headers.append("Host", String(authorityAndPath[..<slash]))
        self.init(
            method: request.method.rawValue,
            target: String(authorityAndPath[slash...]),
            headers: headers,
            body: request.body
        )
    }
}

extension HTTPResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}

extension HubClient {
    /// Sends a message once, without retries.
    func send(
        _ message: HubMessage,
        to audience: HubAudience,
        over transport: any HTTPTransport
    ) async throws(HubError) -> HubAcceptance {
        try await NotificationHubClient(self, transport: transport, retries: .never).send(message, to: audience)
    }
}
