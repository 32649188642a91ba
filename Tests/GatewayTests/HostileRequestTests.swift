import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashTestSupport
import NotificationHubs
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HostileRequestTests {
    private static let section = """
          bearer: { algorithm: HS256, keyFile: KEY, issuer: "https://id.example" }
          rate: { perUser: 10000, perAddress: 100000 }
        """

    @Test func `there are at least forty malicious requests`() {
        #expect(HostileRequest.all.count >= 40)
    }

    @Test func `each malicious request is refused with its status, and no secret is in the log`() async throws {
        let key = try KeyFile("0123456789abcdef0123456789abcdef")
        try await GatewayRig.run(Self.section.replacing("KEY", with: key.path)) { rig in
            let id = try await rig.register("anna", handle: "A11A", tags: ["Sports"])
            for request in HostileRequest.all {
                let client = try RawClient(port: rig.port)
                client.send(request.wire(id: id))
                let answer = await client.receiveResponse()
                #expect(answer.status == request.status, "\(request.name): \(answer.body)")
                #expect(!answer.head.lowercased().contains("x-injected"), "\(request.name)")
                if request.status == 401 { #expect(answer.head.contains("WWW-Authenticate: Basic"), "\(request.name)") }
                if request.status == 405 { #expect(answer.head.contains("Allow: "), "\(request.name)") }
            }
            let kept = try #require(try await rig.hubClient().registration(id))
            #expect(kept.description.tags.map(\.description) == ["Sports", "username:anna"])
            #expect(rig.hub.sends.isEmpty)
            let log = rig.log.lines.joined(separator: "\n")
            for secret in [
                "wonderland-1", "builderland-2", "5EC2E7AA", "secret words", "eyJ", "Basic ", "mallory",
                "0123456789abcdef",
                "full key", "evil.example",
            ] {
                #expect(!log.contains(secret), "the log holds \(secret)")
            }
            #expect(rig.log.audit.count >= HostileRequest.all.count)
        }
    }

    @Test func `a wrong name and a wrong password have the same answer`() async throws {
        try await GatewayRig.run { rig in
            var bodies: Set<String> = []
            for authorization in [GatewayRig.basic("anna", "wrong"), GatewayRig.basic("mallory", "wrong")] {
                let answer = try await rig.ask(
                    "GET",
                    "/api/installations/p",
                    headers: [.init("Authorization", authorization)]
                )
                #expect(answer.status == 401)
                bodies.insert(answer.text)
            }
            #expect(bodies.count == 1)
        }
    }

    @Test func `guesses of a name are limited, whether the user exists or not`() async throws {
        try await GatewayRig.run { rig in
            for name in ["anna", "mallory"] {
                var statuses: [Int] = []
                for guess in 0..<12 {
                    let field = GatewayRig.basic(name, "guess-\(guess)")
                    let answer = try await rig.ask(
                        "GET",
                        "/api/installations/p",
                        headers: [.init("Authorization", field)]
                    )
                    statuses.append(answer.status)
                    if answer.status == 429 { #expect(answer.headers["Retry-After"] != nil) }
                }
                #expect(statuses.prefix(10).allSatisfy { $0 == 401 })
                #expect(statuses.last == 429)
            }
        }
    }

    @Test func `a body that trickles is cut off at the server's time limit`() async throws {
        try await GatewayRig.run("  { requestTimeout: 300ms }") { rig in
            let client = try RawClient(port: rig.port)
            client.send(
                "PUT /api/register/9-9-1 HTTP/1.1\r\nHost: a\r\nAuthorization: \(GatewayRig.basic("bob"))\r\n"
                    + "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
            )
            #expect(await client.waitForEnd())
        }
    }

    /// Asks until the status is not 404. A limit of one request a second refills meanwhile, so a slow machine needs some more.
    private func refusal(_ path: String, as user: String? = nil, by rig: GatewayRig) async throws -> Int? {
        for _ in 0..<100 {
            let status = try await rig.ask("GET", path, as: user).status
            if status != 404 { return status }
        }
        return nil
    }

    @Test func `a user and an address have request limits`() async throws {
        try await GatewayRig.run("  rate: { perUser: 1, perAddress: 1000 }") { rig in
            let refused = try await refusal("/api/installations/p", as: "anna", by: rig)
            #expect(refused == 429)
            #expect(try await rig.ask("GET", "/api/installations/p", as: "bob").status == 404)
        }
        try await GatewayRig.run("  rate: { perUser: 1000, perAddress: 1 }") { rig in
            let refused = try await refusal("/nothing", by: rig)
            #expect(refused == 429)
            // Monitoring of the server has no limit.
            #expect(try await rig.ask("GET", "/livez").status == 200)
        }
    }

    @Test func `pages of an allowed origin may send requests, with and without a preflight`() async throws {
        try await GatewayRig.run { rig in
            let origin = "https://news.example.org"
            let before = try await rig.ask(
                "OPTIONS",
                "/api/register/1-2-3",
                headers: [.init("Origin", origin), .init("Access-Control-Request-Method", "PUT")]
            )
            #expect(before.status == 204)
            #expect(before.headers["Access-Control-Allow-Origin"] == origin)
            #expect(before.headers["Access-Control-Allow-Methods"] == "PUT, DELETE")
            let after = try await rig.ask("GET", "/api/installations/p", as: "anna", headers: [.init("Origin", origin)])
            #expect(after.status == 404)
            #expect(after.headers["Access-Control-Allow-Origin"] == origin)
        }
    }

    @Test func `a removed user and a changed password take effect within a second`() async throws {
        try await GatewayRig.run { rig in
            #expect(try await rig.ask("GET", "/api/installations/p", as: "anna").status == 404)
            try GatewayRig.set("anna", "another-9", in: rig.users)
            // The file is checked once a second; the suite's limit bounds the wait.
            let status = try await waitFor {
                let status = try await rig.ask("GET", "/api/installations/p", as: "anna").status
                return status == 404 ? nil : status
            }
            #expect(status == 401)
            #expect(try await rig.ask("GET", "/api/installations/p", as: "bob").status == 404)
            try rig.removeUser("bob")
            _ = try await waitFor {
                try await rig.ask("GET", "/api/installations/p", as: "bob").status == 401 ? true : nil
            }
        }
    }

    @Test func `a user signs in and reaches the devices while Kafka is unreachable`() async throws {
        let section = "  { connectionsPerAddress: 100, rate: { perUser: 10000, perAddress: 100000 } }"
        try await GatewayRig.run(section, away: "127.0.0.1:1") { rig in
            let event = #"{"v":1,"id":"e","story":"s","revision":1,"kind":"kill","published":"2026-03-02T09:40:00Z"}"#
            // One sign-in, so that the posts of the desk need no hash.
            #expect(try await rig.ask("GET", "/api/installations/p", as: "desk").status == 404)
            let head =
                "POST /api/events HTTP/1.1\r\nHost: a\r\nAuthorization: \(GatewayRig.basic("desk"))\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(event.utf8.count)\r\n\r\n"
            let posts = try (0..<60).map { _ in try RawClient(port: rig.port) }
            for post in posts {
                post.send(head + event)
            }
            let began = ContinuousClock.now
            #expect(try await rig.ask("GET", "/api/installations/p", as: "anna").status == 404)
            #expect(.now - began < .seconds(3))
            for post in posts {
                let answer = await post.receiveResponse()
                #expect(answer.status == 503 && answer.body.contains("kafka_unavailable"))
            }
        }
    }

    @Test(arguments: [("", 3), (", trustedProxies: [192.0.2.1]", 3), (", trustedProxies: [127.0.0.1]", 8)])
    func `the connections of one address have a limit, except those of a trusted proxy`(proxies: String, count: Int)
        async throws
    {
        let section = "  { connectionsPerAddress: 3, rate: { perAddress: 100000 }\(proxies) }"
        try await GatewayRig.run(section) { rig in
            let clients = try (0..<8).map { _ in try RawClient(port: rig.port) }
            var answered = 0
            for client in clients {
                client.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
                answered += await client.receiveResponse().status == 200 ? 1 : 0
            }
            // The rig has one connection itself.
            #expect(count == 3 ? (1...count).contains(answered) : answered == count)
            withExtendedLifetime(clients) {}
        }
    }
}
