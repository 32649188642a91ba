import NewsflashBasics
import NewsflashHTTPTransport
import NewsflashStrictJSON
import NewsflashWorker
import NotificationHubs
import Testing

@testable import NewsflashGateway

/// Changes to an installation that another program writes, too, with tags that break the rules of this server.
@Suite(.timeLimit(.minutes(1)))
struct ForeignInstallationTests {
    /// A hub with one installation, which it does not change.
    private final class OneInstallation: HTTPTransport {
        private let json: String
        private let patches = Locked<[String]>([])

        init(_ json: String) {
            self.json = json
        }

        /// The bodies of the patches so far.
        var received: [String] { patches.withLock { $0 } }

        func start(_ exchanges: [HTTPExchange], receiver: any HTTPResultReceiver) {
            for exchange in exchanges {
                let request = exchange.request
                var response = HTTPResponse(status: 200)
                if request.method == .get {
                    let isInstallation = request.url.contains("/installations/")
                    response.body = Array((isInstallation ? json : "<feed><title>Registrations</title></feed>").utf8)
                } else {
                    patches.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
                }
                receiver.receive([HTTPExchangeResult(id: exchange.id, result: .success(response))])
            }
        }
    }

    private static let foreignTags = #""köln","newsflash-probe","Sports","username:anna""#

    /// Patches an installation with these tags.
    ///
    /// - Returns: The bodies of the requests that the hub received.
    private func patch(
        _ body: String,
        tags: String = foreignTags,
        user: String = #","userId":"anna""#,
        members: String = ""
    ) async throws -> [String] {
        let hub = OneInstallation(
            #"{"installationId":"phone","platform":"apns","pushChannel":"AA","tags":[\#(tags)]\#(user)\#(members)}"#
        )
        let connection = "Endpoint=sb://news.example.net/;SharedAccessKeyName=full;SharedAccessKey=key"
        let configuration = try ConfigurationReader(environment: ["NEWSFLASH_HUB_CONNECTION_STRING": connection]).read(
            text: """
                version: 1
                hub: newsroom
                kafka: { bootstrapServers: "127.0.0.1:9092" }
                sources: { desk: { topic: desk } }
                locales: { offered: [en], default: en }
                categories: { World: [world] }
                """,
            source: "newsflash.yaml"
        ).configuration
        let controller = InstallationController(
            handles: DeviceHandles(hub: try GatewayHub(configuration.hub, transport: hub)),
            rule: ClientTagRule(probes: [try Tag("newsflash-probe")])
        )
        let anna = try #require(GatewayUser("anna"))
        try await controller.patch("phone", Array(body.utf8), for: anna)
        return hub.received
    }

    @Test func `a patch leaves tags of other programs that this server would refuse`() async throws {
        let add = #"[{"op":"add","path":"/tags","value":"World"}]"#
        #expect(try await patch(add) == [add])
        let handle = #"[{"op":"replace","path":"/pushChannel","value":"BB"}]"#
        let many = (1...72).map { "\"tag\($0)\"" }.joined(separator: ",")
        #expect(try await patch(handle, tags: many + #","username:anna""#) == [handle])
    }

    @Test func `a patch of one template leaves one of another program`() async throws {
        let templates =
            #","templates":{"username:bob":{"body":"{}"},"":{"body":"{}"},"news":{"body":"{}","tags":["köln"]}}"#
        let body = #"[{"op":"replace","path":"/templates/news/body","value":"{\"aps\":{}}"}]"#
        #expect(try await patch(body, members: templates) == [body])
    }

    @Test func `a patch that replaces or removes the tags restores the server's`() async throws {
        let user = #"{"op":"add","path":"/tags","value":"username:anna"}"#
        let replace = #"{"op":"replace","path":"/tags","value":["World"]}"#
        #expect(try await patch("[\(replace)]") == ["[\(replace),\(user)]"])
        let remove = #"{"op":"remove","path":"/tags"}"#
        #expect(try await patch("[\(remove)]") == ["[\(remove),\(user)]"])
    }

    @Test func `a patch of an installation without a user makes it the user's`() async throws {
        let add = #"{"op":"add","path":"/tags","value":"World"}"#
        let user =
            #"{"op":"replace","path":"/userId","value":"anna"},{"op":"add","path":"/tags","value":"username:anna"}"#
        #expect(try await patch("[\(add)]", tags: #""köln""#, user: "") == ["[\(add),\(user)]"])
    }

    @Test(arguments: [
        (#"[{"op":"add","path":"/tags","value":"köln"}]"#, 400),
        (#"[{"op":"add","path":"/tags","value":"newsflash-probe"}]"#, 403),
        (#"[{"op":"add","path":"/tags","value":"username:anna"}]"#, 403),
        (#"[{"op":"add","path":"/tags","value":"username:bob"}]"#, 403),
    ])
    func `a client cannot set such a tag itself`(body: String, status: Int) async throws {
        let error = await #expect(throws: GatewayRefusal.self) { try await patch(body) }
        #expect(error?.status == status)
    }
}
