import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashTestSupport
import Testing

@Suite("the token of the console", .timeLimit(.minutes(1)))
struct ConsoleAccessTests {
    private static let token = "token-for-tests"

    private func answer(
        _ target: String,
        headers: HTTPHeaders = [],
        _ adjust: (inout HubEmulatorConfiguration) -> Void
    ) throws -> HTTPResponse {
        try Desk(adjust).hub.answer(EmulatedRequest(method: "GET", target: target, headers: headers)).response
    }

    @Test(arguments: ["127.0.0.1", "127.1.2.3", "localhost", "::1"])
    func `a hub on loopback needs no token`(host: String) throws {
        #expect(try answer("/_emulator/sends") { $0.host = host }.status == 200)
        #expect(try Desk { $0.host = host }.hub.consoleURL == nil)
    }

    @Test(arguments: ["0.0.0.0", "::", "", "192.168.1.5", "128.0.0.1", "desk.example"])
    func `a hub on another address needs a token for everything below _emulator except its certificate`(
        host: String
    ) throws {
        for path in ["sends", "token", "devices", "hub", "requests", "SENDS/", "nothing"] {
            let refused = try answer("/_emulator/\(path)") { $0.host = host }
            #expect(refused.status == 401, "\(path)")
            #expect(refused.headers["WWW-Authenticate"] == "Bearer")
        }
        #expect(try answer("/_emulator/authority") { $0.host = host }.status == 404)
        #expect(try answer("/") { $0.host = host }.status == 200)
        #expect(try answer("/console/app.js") { $0.host = host }.status == 200)
    }

    @Test func `a second address that is not loopback needs the token too`() throws {
        #expect(try answer("/_emulator/sends") { $0.tls = HubTLS(host: "0.0.0.0") }.status == 401)
        #expect(try answer("/_emulator/sends") { $0.tls = HubTLS(host: "127.0.0.1") }.status == 200)
    }

    @Test(arguments: [
        ("Authorization", "Bearer token-for-tests", 200), ("authorization", "bearer token-for-tests", 200),
        ("Authorization", "Bearer token-for-test", 401), ("Authorization", "token-for-tests", 401),
        ("Cookie", "newsflash-console=token-for-tests", 200),
        ("Cookie", "a=b; newsflash-console=token-for-tests; c=d", 200),
        ("Cookie", "newsflash-console=token-for-testsx", 401), ("Cookie", "other=token-for-tests", 401),
        ("Cookie", "newsflash-console=", 401),
    ])
    func `the token is accepted as a bearer token or as a cookie`(name: String, value: String, status: Int) throws {
        let headers = HTTPHeaders([HTTPHeaders.Field(name, value)])
        #expect(try answer("/_emulator/sends", headers: headers) { $0.consoleToken = Self.token }.status == status)
    }

    @Test func `the printed URL stores the token in a cookie and removes it from the address`() throws {
        let right = try answer("/?console-token=\(Self.token)") { $0.consoleToken = Self.token }
        #expect(right.status == 303)
        #expect(right.headers["Location"] == "/")
        let cookie = "newsflash-console=token-for-tests; Path=/_emulator; HttpOnly; SameSite=Strict"
        #expect(right.headers["Set-Cookie"] == cookie)
        #expect(try answer("/?console-token=x") { $0.consoleToken = Self.token }.status == 401)
        #expect(try answer("/?console-token=x") { _ in }.status == 200)
    }

    @Test func `the console is refused without its token over the network, and opened with it`() async throws {
        let desk = try Desk { $0.consoleToken = Self.token }
        try desk.hub.start()
        let url = try #require(desk.hub.url)
        #expect(desk.hub.consoleURL == "\(url)/?console-token=token-for-tests")
        let port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
        for (path, header, status) in [
            ("events", "", 401), ("sends", "", 401), ("deliveries?wait=1&timeout=0s", "", 401),
            ("deliveries?wait=1&timeout=0s", "Authorization: Bearer \(Self.token)\r\n", 200),
        ] {
            let client = try RawClient(port: port)
            client.send("GET /_emulator/\(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(header)\r\n")
            #expect(await client.receiveResponse().status == status, "\(path)")
        }
        await desk.hub.stop()
    }

    @Test func `a random token differs from hub to hub`() async throws {
        func url() async throws -> String? {
            let desk = try Desk { $0.host = "0.0.0.0" }
            try desk.hub.start()
            let token = desk.hub.consoleURL?.split(separator: "=").last
            await desk.hub.stop()
            return token.map(String.init)
        }
        let tokens = try await [url(), url()].compactMap(\.self)
        #expect(Set(tokens).count == 2)
        #expect(tokens.allSatisfy { $0.utf8.count == 32 && ConsoleAccess.isValid($0) })
    }

    @Test(arguments: [
        ("abcdefgh", true), ("abcdefg", false), ("abc def-g", false), ("abc;defgh", false), ("", false),
    ])
    func `a token has only characters that need no escape`(token: String, isValid: Bool) {
        #expect(ConsoleAccess.isValid(token) == isValid)
        #expect(!ConsoleAccess.isValid(String(repeating: "a", count: 201)))
    }
}
