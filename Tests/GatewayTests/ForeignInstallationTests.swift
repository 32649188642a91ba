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
    /// A hub with one installation, which it does not change, and registrations, which it lists until one is deleted.
    private final class ForeignHub: HTTPTransport {
        private let json: String
        private let entries: String
        private let patches = Locked<[String]>([])
        private let deleted = Locked<[String]>([])

        init(_ json: String = "", entries: String = "") {
            self.json = json
            self.entries = entries
        }

        /// The bodies of the patches so far.
        var received: [String] { patches.withLock { $0 } }
        /// The paths of the deleted registrations.
        var deletions: [String] { deleted.withLock { $0 } }

        func start(_ exchanges: [HTTPExchange], receiver: any HTTPResultReceiver) {
            for exchange in exchanges {
                let request = exchange.request
                var response = HTTPResponse(status: 200)
                switch request.method {
                case .get where request.url.contains("/installations/"): response.body = Array(json.utf8)
                case .get:
                    let entries = deletions.isEmpty ? entries : ""
                    response.body = Array("<feed><title>Registrations</title>\(entries)</feed>".utf8)
                case .delete: deleted.withLock { $0.append(String(request.url.prefix { $0 != "?" })) }
                default: patches.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
                }
                receiver.receive([HTTPExchangeResult(id: exchange.id, result: .success(response))])
            }
        }
    }

    private static let foreignTags = #""köln","newsflash-probe","Sports","username:anna""#

    private func handles(at hub: ForeignHub) throws -> DeviceHandles {
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
        return DeviceHandles(hub: try GatewayHub(configuration.hub, transport: hub))
    }

    /// Patches an installation with these tags.
    ///
    /// - Returns: The bodies of the requests that the hub received.
    private func patch(
        _ body: String,
        tags: String = foreignTags,
        user: String = #","userId":"anna""#,
        members: String = ""
    ) async throws -> [String] {
        let hub = ForeignHub(
            #"{"installationId":"phone","platform":"apns","pushChannel":"AA","tags":[\#(tags)]\#(user)\#(members)}"#
        )
        let controller = InstallationController(
            handles: try handles(at: hub),
            rule: ClientTagRule(probes: [try Tag("newsflash-probe")])
        )
        let anna = try #require(GatewayUser("anna"))
        try await controller.patch("phone", Array(body.utf8), for: anna)
        return hub.received
    }

    @Test func `a removal of a user's devices includes one that cannot be read`() async throws {
        func entry(_ id: String) -> String { "<entry><content><Surprise>\(id)</Surprise></content></entry>" }
        let anna = try #require(GatewayUser("anna"))
        let hub = ForeignHub(entries: entry("<RegistrationId>8</RegistrationId>"))
        #expect(try await handles(at: hub).removeAll(of: anna) == [.registration("8")])
        #expect(hub.deletions == ["https://news.example.net/newsroom/registrations/8"])
        let error = await #expect(throws: GatewayRefusal.self) {
            try await handles(at: ForeignHub(entries: entry(""))).removeAll(of: anna)
        }
        #expect(error?.label == "device_unreadable")
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
