import FoundationEssentials
import NewsflashHTTPServer
import NewsflashHTTPTransport
import NewsflashSigning
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@testable import NewsflashGateway

@Suite("Hostile sign-ins", .timeLimit(.minutes(1)))
struct HostileSignInTests {
    private static let key = "0123456789abcdef0123456789abcdef"

    /// A token with a right or wrong signature, and the rights of its bearer.
    private struct Case: Sendable {
        var name: String
        var authorization: String
        var status: Int

        init(_ name: String, _ token: SignedToken, _ status: Int) {
            self.init(name, "Bearer \(token.text)", status)
        }

        init(_ name: String, _ authorization: String, _ status: Int) {
            (self.name, self.authorization, self.status) = (name, authorization, status)
        }
    }

    private static func token(_ claims: String, header: String = #"{"alg":"HS256"}"#, key: String = key) -> SignedToken
    {
        SignedToken(key: key, header: header, claims: "{\(claims)}")
    }

    private static func tokens() -> [Case] {
        let now = Timestamp.now().seconds
        let rest = #""iss":"https://id.example","aud":"news","exp":\#(now + 60)"#
        let good = #""sub":"anna",\#(rest)"#
        func with(_ header: String) -> SignedToken { token(good, header: header) }
        func of(_ user: String) -> SignedToken { token(#""sub":\#(user),\#(rest)"#) }
        let whole = token(good).text
        let parts = whole.split(separator: ".").map(String.init)
        return [
            Case("a good token", token(good), 404),
            Case("an access token of RFC 9068", with(#"{"alg":"HS256","typ":"at+jwt"}"#), 404),
            Case("a name in other letters", of(#""ANNA""#), 404),
            Case("the scheme in other letters and two blanks", "bEARER  \(whole) ", 404),
            Case("a token of another type", with(#"{"alg":"HS256","typ":"logout+jwt"}"#), 401),
            Case("no algorithm", with(#"{"alg":"none"}"#), 401),
            Case(
                "an algorithm that needs no key",
                "Bearer \(SignedToken.base64URL(Array(#"{"alg":"none"}"#.utf8))).\(parts[1]).",
                401
            ),
            Case("RS256 in the header", with(#"{"alg":"RS256"}"#), 401),
            Case("EdDSA in the header", with(#"{"alg":"EdDSA"}"#), 401),
            Case("two algorithms", with(#"{"alg":"HS256","alg":"none"}"#), 401),
            Case("a kid that is a path", with(#"{"alg":"HS256","kid":"../../dev/null"}"#), 404),
            Case("a kid that is a number", with(#"{"alg":"HS256","kid":7}"#), 401),
            Case(
                "a key of its own",
                token(good, header: #"{"alg":"HS256","jwk":{"kty":"oct","k":"AAAA"}}"#, key: "another"),
                401
            ),
            Case("an extension", with(#"{"alg":"HS256","crit":["exp"]}"#), 401),
            Case("unencoded claims", with(#"{"alg":"HS256","b64":false}"#), 401),
            Case("another key", token(good, key: "another key of thirty-two bytes.."), 401),
            Case("the empty key", token(good, key: ""), 401),
            Case(
                "claims of another token",
                "Bearer \(parts[0]).\(SignedToken.base64URL(Array(#"{"sub":"desk",\#(rest)}"#.utf8))).\(parts[2])",
                401
            ),
            Case("no signature", "Bearer \(parts[0]).\(parts[1]).", 401),
            Case("two parts", "Bearer \(parts[0]).\(parts[1])", 401),
            Case("five parts", "Bearer \(whole).\(parts[0]).\(parts[1])", 401),
            Case("padding", "Bearer \(whole)=", 401),
            Case("a huge token", "Bearer " + String(repeating: "a", count: 9000), 401),
            Case("no token", "Bearer", 401), Case("an empty token", "Bearer ", 401),
            Case("expired", token(#""sub":"anna","iss":"https://id.example","aud":"news","exp":\#(now - 60)"#), 401),
            Case("no end", token(#""sub":"anna","iss":"https://id.example","aud":"news""#), 401),
            Case(
                "an end in the year 9999",
                token(#""sub":"anna","iss":"https://id.example","aud":"news","exp":253402300799"#),
                401
            ),
            Case(
                "an end in milliseconds",
                token(#""sub":"anna","iss":"https://id.example","aud":"news","exp":\#(now * 1000)"#),
                401
            ),
            Case("not yet", token(good + #","nbf":\#(now + 600)"#), 401),
            Case("issued tomorrow", token(good + #","iat":\#(now + 86_400)"#), 401),
            Case(
                "another issuer",
                token(#""sub":"anna","iss":"https://evil.example","aud":"news","exp":\#(now + 60)"#),
                401
            ),
            Case("no issuer", token(#""sub":"anna","aud":"news","exp":\#(now + 60)"#), 401),
            Case(
                "another service",
                token(#""sub":"anna","iss":"https://id.example","aud":"mail","exp":\#(now + 60)"#),
                401
            ),
            Case("no service", token(#""sub":"anna","iss":"https://id.example","exp":\#(now + 60)"#), 401),
            Case("two users", token(good + #","sub":"desk""#), 401), Case("an empty user", of(#""""#), 401),
            Case("a user who is a number", of("7"), 401), Case("a user who is a list", of(#"["anna"]"#), 401),
            Case("a user of 65 letters", of("\"\(String(repeating: "a", count: 65))\""), 401),
            // Names with a meaning in a tag expression are users of their own, who have nothing.
            Case("a user who is an expression", of(#""anna || desk""#), 404),
            Case("a user with a colon", of(#""a:desk""#), 404),
        ]
    }

    @Test func `each token gets its status, and none gets the rights of another user`() async throws {
        let file = try KeyFile(Self.key)
        let bearer = #"{ algorithm: HS256, keyFile: \#(file.path), issuer: "https://id.example", audience: news }"#
        try await GatewayRig.run("  { bearer: \(bearer), publishers: [desk] }") { rig in
            let cases = Self.tokens()
            #expect(cases.count >= 40)
            for hostile in cases {
                let client = try RawClient(port: rig.port)
                client.send(
                    "GET /api/installations/p HTTP/1.1\r\nHost: a\r\nAuthorization: \(hostile.authorization)\r\n"
                        + "Connection: close\r\n\r\n"
                )
                #expect(await client.receiveResponse().status == hostile.status, "\(hostile.name)")
            }
            let log = rig.log.lines.joined(separator: "\n")
            for secret in ["eyJ", "evil.example", Self.key] {
                #expect(!log.contains(secret), "the log holds \(secret)")
            }
            // Other spellings of a publisher are other users.
            for user in ["desk || anna", "desk#", "d\u{435}sk", "desk "] {
                let now = Timestamp.now().seconds
                let token = Self.token(#""sub":"\#(user)","iss":"https://id.example","aud":"news","exp":\#(now + 60)"#)
                let field = HTTPHeaders.Field("Authorization", "Bearer \(token.text)")
                #expect(try await rig.ask("GET", "/api/events/e", headers: [field]).status == 403, "\(user)")
            }
        }
    }

    @Test func `an expired token of the issuer never blocks its address`() async throws {
        let file = try KeyFile(Self.key)
        let section = "  { bearer: { algorithm: HS256, keyFile: \(file.path) }, rate: { wrongPerAddress: 3 per hour } }"
        try await GatewayRig.run(section) { rig in
            func status(_ authorization: String) async throws -> Int {
                let field = HTTPHeaders.Field("Authorization", authorization)
                return try await rig.ask("GET", "/api/installations/p", headers: [field]).status
            }
            let expired = Self.token(#""sub":"anna","exp":1"#).text
            for _ in 0..<20 { #expect(try await status("Bearer \(expired)") == 401) }
            #expect(try await status(GatewayRig.basic("bob")) == 404)
            let forged = Self.token(#""sub":"anna","exp":1"#, key: "forged").text
            var statuses: [Int] = []
            for _ in 0..<5 { statuses.append(try await status("Bearer \(forged)")) }
            #expect(statuses == [401, 401, 401, 429, 429])
            // Only wrong credentials are refused: a good token is accepted, and a password that was accepted before.
            #expect(try await status("Bearer \(SignedToken.hs256(Self.key).text)") == 404)
            #expect(try await status(GatewayRig.basic("bob")) == 404)
            #expect(try await status(GatewayRig.basic("anna")) == 429)
        }
    }

    @Test func `a client cannot choose its address, and behind a proxy each client has its own`() async throws {
        func guesses(_ section: String, _ forwarded: (Int) -> String) async throws -> [Int] {
            var statuses: [Int] = []
            try await GatewayRig.run(section) { rig in
                for guess in 0..<4 {
                    let fields: HTTPHeaders = [
                        .init("Authorization", GatewayRig.basic("desk", "guess-\(guess)")),
                        .init("X-Forwarded-For", forwarded(guess)),
                    ]
                    statuses.append(try await rig.ask("GET", "/api/installations/p", headers: fields).status)
                }
                let client = rig.log.audit.last.map { $0.contains("client=127.0.0.1") ? "127.0.0.1" : $0 }
                if !section.contains("trusted") { #expect(client == "127.0.0.1") }
            }
            return statuses
        }
        let rate = "rate: { wrongPerName: 2 per hour }"
        #expect(try await guesses("  { \(rate) }") { "203.0.113.\($0)" } == [401, 401, 429, 429])
        let trusting = "  { \(rate), trustedProxies: [127.0.0.1] }"
        #expect(try await guesses(trusting) { "203.0.113.\($0)" } == [401, 401, 401, 401])
        // The client writes the first address, the proxy the second.
        #expect(try await guesses(trusting) { "198.51.100.\($0), 203.0.113.7" } == [401, 401, 429, 429])
    }

    @Test func `the shipped file for Kubernetes serves all clients of one ingress`() async throws {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        let path = root + "/deploy/kubernetes/base/newsflash.yaml"
        let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        let section = try #require(text.split(separator: "\ngateway:\n").last?.split(separator: "\n\n").first)
        #expect(section.contains("trustedProxies: [10.0.0.0/8]"))
        let file = try KeyFile(Self.key)
        // The ingress of this test.
        let shipped = section.replacing("[10.0.0.0/8]", with: "[127.0.0.1]")
        try await GatewayRig.run(shipped + "\n  bearer: { algorithm: HS256, keyFile: \(file.path) }") { rig in
            @Sendable func ask(_ client: Int) async throws -> Int {
                let end = Timestamp.now().seconds + 60
                let token = Self.token(#""sub":"user\#(client)","exp":\#(end)"#).text
                var fields: HTTPHeaders = [.init("Authorization", "Bearer \(token)")]
                fields.append("X-Forwarded-For", "203.0.113.\(client)")
                return try await rig.ask("GET", "/api/installations/p", headers: fields).status
            }
            // Several addresses may send requests at once.
            let statuses = try await withThrowingTaskGroup(of: [Int].self) { group in
                for first in 0..<10 {
                    group.addTask {
                        var statuses: [Int] = []
                        for number in 0..<70 { statuses.append(try await ask((first * 7 + number) % 70)) }
                        return statuses
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(statuses.count == 700 && Set(statuses) == [404])
        }
    }

    @Test func `behind a proxy on this machine nobody may publish or notify unless configured`() async throws {
        try await GatewayRig.run("  { publishers: [], senders: [] }") { rig in
            let event = """
                {"v":1,"id":"k-1","story":"quake","revision":9,"kind":"kill","published":"2026-03-02T09:40:00Z"}
                """
            let forwarded: HTTPHeaders = [.init("X-Forwarded-For", "203.0.113.9")]
            let published = try await rig.ask("POST", "/api/events", as: "bob", event, headers: forwarded)
            #expect(published.status == 403)
            let path = "/api/notifications?pns=apns&to_tag=anna"
            #expect(try await rig.ask("POST", path, as: "bob", #""Hi""#).status == 403)
        }
        // The same without the keys.
        let rights = GatewayRights(publishers: nil, senders: nil)
        let anna = try #require(GatewayUser("anna"))
        #expect(!rights.mayPublish(anna) && !rights.mayNotifyOthers(anna))
    }
}
