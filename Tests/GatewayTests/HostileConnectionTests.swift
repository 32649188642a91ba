import NewsflashHTTPServer
import NewsflashHubEmulator
import NewsflashObservability
import NewsflashTestSupport
import NewsflashWorker
import Testing

@Suite("Heads that two servers may parse differently", .timeLimit(.minutes(2)))
struct HostileConnectionTests {
    private static func check(_ site: HostileHead.Site, port: UInt16, status: Int = 200) async throws {
        for hostile in HostileHead.all(at: site) {
            let client = try RawClient(port: port)
            client.send(hostile.bytes)
            let problem = await hostile.problem(with: client.receiveToEnd())
            #expect(problem == nil, "\(hostile)")
        }
        let client = try RawClient(port: port)
        client.send("GET \(site.get) HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(await client.receiveResponse().status == status)
    }

    @Test func `ambiguous heads are refused or parsed strictly by the gateway`() async throws {
        try await GatewayRig.run { rig in
            try await Self.check(.init(get: "/livez", post: "/api/notifications?pns=apns&to_tag=anna"), port: rig.port)
        }
    }

    @Test func `ambiguous heads are refused or parsed strictly by the hub`() async throws {
        let hub = HubEmulator()
        try hub.start()
        let port = try #require(hub.url.flatMap { UInt16($0.split(separator: ":").last ?? "") })
        let site = HostileHead.Site(get: "/newsroom/registrations", post: "/newsroom/messages/?api-version=2015-01")
        try await Self.check(site, port: port, status: 401)
        await hub.stop()
    }

    @Test func `ambiguous heads are refused or parsed strictly by the port of health and metrics`() async throws {
        let logger = Logger(label: "newsflash", handler: DiscardingLogHandler())
        let admin = try AdminServer(
            ListenAddress(host: "127.0.0.1", port: 0),
            pages: [AdminServer.Page("/livez") { _ in .text("alive\n") }],
            logger: logger
        )
        try await Self.check(.init(get: "/livez", post: "/metrics"), port: admin.port)
        await admin.stop()
    }

    @Test func `ambiguous heads do not run a stranger's request with another's credentials`() async throws {
        try await GatewayRig.run { rig in
            let body = "POST /api/register?handle=00FC13ADFF785122 HTTP/1.1\r\nX-Eat: "
            for name in ["Content-Length ", "Content-Length\t", "Content-Length\u{B}", " Content-Length"] {
                let client = try RawClient(port: rig.port)
                client.send("POST /api/notifications HTTP/1.1\r\nHost: x\r\n\(name): \(body.utf8.count)\r\n\r\n\(body)")
                client.send("GET /livez HTTP/1.1\r\nHost: x\r\nAuthorization: \(GatewayRig.basic("anna"))\r\n\r\n")
                let answers = await RawAnswers.split(client.receiveToEnd())
                #expect(answers?.map(\.status) == [400])
            }
            #expect(rig.log.lines.allSatisfy { !$0.contains("registration.create") })
        }
    }

    @Test func `blanks around credentials and HTTP 1.0 without a host are accepted`() async throws {
        try await GatewayRig.run { rig in
            let basic = GatewayRig.basic("anna")
            for value in [
                basic, basic.replacing(" ", with: "   "), "\t\(basic) \t", basic.replacing("Basic", with: "bASIC"),
            ] {
                let client = try RawClient(port: rig.port)
                client.send("GET /api/installations/p HTTP/1.1\r\nHost: x\r\nAuthorization: \(value)\r\n\r\n")
                #expect(await client.receiveResponse().status == 404, "\(value.utf8.count)")
            }
            let client = try RawClient(port: rig.port)
            client.send("GET /livez HTTP/1.0\r\n\r\n")
            #expect(await client.receiveResponse().status == 200)
        }
    }

    @Test func `requests without a sign-in are answered without their bodies`() async throws {
        try await GatewayRig.run { rig in
            for authorization in [nil, GatewayRig.basic("anna", "wrong")] {
                let client = try RawClient(port: rig.port)
                client.send("POST /api/events HTTP/1.1\r\nHost: x\r\nContent-Length: 250000\r\n")
                client.send((authorization.map { "Authorization: \($0)\r\n" } ?? "") + "\r\n")
                #expect(await client.receiveToEnd().hasPrefix("HTTP/1.1 401 "))
            }
            // Requests of a signed-in user have the limit of the call.
            for (path, length) in [("/api/events", 262_145), ("/api/notifications?pns=apns&to_tag=bob", 70_000)] {
                let client = try RawClient(port: rig.port)
                client.send("POST \(path) HTTP/1.1\r\nHost: x\r\nAuthorization: \(GatewayRig.basic("desk"))\r\n")
                client.send("Content-Length: \(length)\r\n\r\n")
                #expect(await client.receiveToEnd().hasPrefix("HTTP/1.1 413 "))
            }
        }
    }
}
