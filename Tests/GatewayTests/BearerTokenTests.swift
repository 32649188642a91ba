import NewsflashHTTPTransport
import NewsflashSigning
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@Suite(.timeLimit(.minutes(1)))
struct BearerTokenTests {
    private static let key = "0123456789abcdef0123456789abcdef"

    private func token(_ claims: String, key: String = Self.key, algorithm: String = "HS256") -> String {
        let head = Self.base64URL(Array(#"{"alg":"\#(algorithm)","typ":"JWT"}"#.utf8))
        let signed = "\(head).\(Self.base64URL(Array(claims.utf8)))"
        return "\(signed).\(Self.base64URL(HMACSHA256.code(for: Array(signed.utf8), key: Array(key.utf8))))"
    }

    private static func base64URL(_ bytes: [UInt8]) -> String {
        String(Base64.encode(bytes).prefix { $0 != "=" }).replacing("+", with: "-").replacing("/", with: "_")
    }

    @Test func `a token of the issuer signs in, a token of another issuer does not`() async throws {
        let file = try KeyFile(Self.key)
        let section =
            "  bearer: { algorithm: HS256, keyFile: \(file.path), issuer: \"https://id.example\", audience: news }"
        let now = Timestamp.now().seconds
        let good = #""sub":"carl","iss":"https://id.example","aud":"news""#
        let cases: [(String, Int)] = [
            (token("{\(good),\"exp\":\(now + 60)}"), 404),
            (token("{\(good),\"exp\":\(now - 60)}"), 401),
            (token("{\(good)}"), 401),
            (token("{\(good),\"exp\":\(now + 60),\"nbf\":\(now + 600)}"), 401),
            (token("{\(good),\"exp\":\(now + 60)}", key: "another key of thirty-two bytes.."), 401),
            (token("{\(good),\"exp\":\(now + 60)}", algorithm: "none"), 401),
            (token("{\(good),\"exp\":\(now + 60)}", algorithm: "RS256"), 401),
            (token(#"{"sub":"carl","iss":"https://evil.example","aud":"news","exp":\#(now + 60)}"#), 401),
            (token(#"{"sub":"carl","iss":"https://id.example","aud":"mail","exp":\#(now + 60)}"#), 401),
            (token(#"{"sub":"carl || anna","iss":"https://id.example","aud":"news","exp":\#(now + 60)}"#), 404),
            (token("{\(good.replacing("carl", with: String(repeating: "c", count: 65))),\"exp\":\(now + 60)}"), 401),
            (token("{\(good),\"exp\":\(now + 90_000)}"), 401),
        ]
        try await GatewayRig.run(section) { rig in
            for (index, (token, status)) in cases.enumerated() {
                let answer = try await rig.ask(
                    "GET",
                    "/api/installations/p",
                    headers: [.init("Authorization", "Bearer \(token)")]
                )
                #expect(answer.status == status, "case \(index)")
            }
            let log = rig.log.lines.joined(separator: "\n")
            #expect(!log.contains("eyJ") && log.contains("token_expired"))
        }
    }
}
