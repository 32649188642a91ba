import NewsflashTimestamps
import Testing

@testable import NewsflashJWT

@Suite("The claims of a token", .timeLimit(.minutes(1)))
struct TokenClaimsTests {
    private static let now = Timestamp(seconds: 1_800_000_000)
    private let issuer = Issuer.hs256()

    private func verify(
        _ claims: String,
        issuer name: String? = nil,
        audience: String? = nil,
        userClaim: String = "sub",
        now: Timestamp = now
    ) throws(BearerTokenError) -> BearerToken {
        let verifier = try BearerTokenVerifier(
            algorithm: .hs256,
            key: issuer.verificationKey,
            issuer: name,
            audience: audience,
            userClaim: userClaim
        )
        return try verifier.verify(issuer.token(claims), now: now)
    }

    private func refusal(_ claims: String, issuer: String? = nil, audience: String? = nil) -> BearerTokenError.Code? {
        #expect(throws: BearerTokenError.self) { try verify(claims, issuer: issuer, audience: audience) }?.code
    }

    @Test func `a good token has its user, its end and its id`() throws {
        let token = try verify(
            #"{"iss":"https://id.example","aud":"gateway","sub":"anna","exp":1800000600,"nbf":1799999000,"iat":1799999000,"jti":"7"}"#,
            issuer: "https://id.example",
            audience: "gateway"
        )
        #expect(token == BearerToken(user: "anna", expiry: Timestamp(seconds: 1_800_000_600), id: "7"))
        #expect(
            try verify(#"{"preferred_username":"ben","exp":1800000600}"#, userClaim: "preferred_username").user == "ben"
        )
    }

    @Test func `a token ends at the end of the leeway`() throws {
        #expect(refusal(#"{"sub":"anna"}"#) == .noExpiry)
        let claims = #"{"sub":"anna","exp":1800000000}"#
        #expect(try verify(claims, now: Self.now + .milliseconds(29_999)).user == "anna")
        let late = #expect(throws: BearerTokenError.self) { try verify(claims, now: Self.now + .seconds(30)) }
        #expect(late?.code == .expired)
        #expect(late?.isRetriable == false)
    }

    @Test(arguments: ["nbf", "iat"])
    func `a token that is not valid yet may come again`(name: String) throws {
        let claims = #"{"sub":"anna","exp":1800000600,"\#(name)":1800000031}"#
        let early = #expect(throws: BearerTokenError.self) { try verify(claims) }
        #expect(early?.code == .notYetValid)
        #expect(early?.isRetriable == true)
        #expect(try verify(claims, now: Self.now + .seconds(1)).user == "anna")
    }

    @Test func `a fraction of a second counts against the token`() throws {
        #expect(try verify(#"{"sub":"anna","exp":1800000600.75}"#).expiry == Timestamp(seconds: 1_800_000_600))
        #expect(refusal(#"{"sub":"anna","exp":1800000600,"nbf":1800000030.25}"#) == .notYetValid)
    }

    @Test(arguments: [
        #""1800000600""#, "true", "null", "[1800000600]", "{}", "-1", "1e99", "1800000600000", "253402300800",
        "9223372036854775807", "99999999999999999999", "-99999999999999999999", "1e400",
    ])
    func `a time in another form is refused`(value: String) {
        for name in ["exp", "nbf", "iat"] {
            let rest = name == "exp" ? "" : #","exp":1800000600"#
            let code = refusal(#"{"sub":"anna","\#(name)":\#(value)\#(rest)}"#)
            #expect(code == .malformedClaims, "\(name)")
        }
    }

    @Test(arguments: [
        #"{"sub":"anna","sub":"ben","exp":1800000600}"#, #"{"sub":"anna","exp":1,"exp":1800000600}"#,
        #"{"sub":7,"exp":1800000600}"#, #"{"sub":["anna"],"exp":1800000600}"#,
        #"{"sub":"anna","iss":7,"exp":1800000600}"#,
        #"{"sub":"anna","aud":7,"exp":1800000600}"#, #"{"sub":"anna","aud":["a",7],"exp":1800000600}"#,
        #"{"sub":"anna","jti":7,"exp":1800000600}"#, #"{"sub":null,"exp":1800000600}"#,
        #"{"sub":"anna","\u0073ub":"ben","exp":1800000600}"#,
    ])
    func `claims of the wrong kind, or twice, are refused`(claims: String) {
        #expect(refusal(claims) == .malformedClaims)
    }

    @Test(arguments: ["7", "[]", "null", "{", #"{"sub":"anna","exp":1800000600}}"#])
    func `claims that are not an object are refused`(claims: String) {
        #expect(refusal(claims) == .malformedClaims)
    }

    @Test func `a token without a user is refused`() {
        #expect(refusal(#"{"exp":1800000600}"#) == .noUser)
        #expect(refusal(#"{"sub":"","exp":1800000600}"#) == .noUser)
    }

    @Test func `the issuer must be the configured one, byte by byte`() throws {
        #expect(refusal(#"{"sub":"anna","exp":1800000600}"#, issuer: "me") == .wrongIssuer)
        #expect(refusal(#"{"sub":"anna","exp":1800000600,"iss":"Me"}"#, issuer: "me") == .wrongIssuer)
        // Canonically equivalent, but another name.
        #expect(
            refusal(#"{"sub":"anna","exp":1800000600,"iss":"caf\u0065\u0301"}"#, issuer: "caf\u{E9}") == .wrongIssuer
        )
        #expect(try verify(#"{"sub":"anna","exp":1800000600,"iss":"else"}"#).user == "anna")
    }

    @Test func `the audience must be the configured one, alone or in a list`() throws {
        let name = "gateway"
        #expect(try verify(#"{"sub":"anna","exp":1800000600,"aud":"gateway"}"#, audience: name).user == "anna")
        #expect(try verify(#"{"sub":"anna","exp":1800000600,"aud":["x","gateway"]}"#, audience: name).user == "anna")
        for aud in [#""other""#, "[]", #"["other"]"#, #""gateway ""#, #""Gateway""#] {
            #expect(refusal(#"{"sub":"anna","exp":1800000600,"aud":\#(aud)}"#, audience: name) == .wrongAudience)
        }
        #expect(refusal(#"{"sub":"anna","exp":1800000600}"#, audience: name) == .wrongAudience)
        // A verifier without an audience refuses tokens for one.
        #expect(refusal(#"{"sub":"anna","exp":1800000600,"aud":"gateway"}"#) == .wrongAudience)
    }
}
