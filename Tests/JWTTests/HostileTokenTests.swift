import NewsflashTimestamps
import Testing

@testable import NewsflashJWT

@Suite("Tokens of attackers", .timeLimit(.minutes(1)))
struct HostileTokenTests {
    private static let now = Timestamp(seconds: 1_800_000_000)
    private static let claims = #"{"sub":"anna","exp":1800000600}"#

    private func verifier(_ issuer: Issuer) throws(BearerTokenError) -> BearerTokenVerifier {
        try BearerTokenVerifier(algorithm: issuer.algorithm, key: issuer.verificationKey, issuer: nil, audience: nil)
    }

    private func refusal(_ token: String, _ verifier: BearerTokenVerifier) -> BearerTokenError.Code? {
        #expect(throws: BearerTokenError.self) { try verifier.verify(token, now: Self.now) }?.code
    }

    @Test(arguments: BearerTokenVerifier.Algorithm.allCases)
    func `any change to a good token is refused`(algorithm: BearerTokenVerifier.Algorithm) throws {
        let issuer = try Issuer.of(algorithm)
        let verifier = try verifier(issuer)
        let token = issuer.token(Self.claims)
        #expect(try verifier.verify(token, now: Self.now).user == "anna")
        // Each letter once, so that every bit of the three parts is tested.
        for position in token.indices where token[position] != "." {
            var changed = token
            changed.replaceSubrange(position...position, with: token[position] == "A" ? "B" : "A")
            #expect(refusal(changed, verifier) != nil)
        }
        for other in [try Issuer.of(algorithm)] where algorithm != .hs256 {
            #expect(refusal(other.token(Self.claims), verifier) == .wrongSignature)
        }
    }

    @Test(arguments: BearerTokenVerifier.Algorithm.allCases)
    func `a token with another signature is refused`(algorithm: BearerTokenVerifier.Algorithm) throws {
        let issuer = try Issuer.of(algorithm)
        let verifier = try verifier(issuer)
        let token = issuer.token(Self.claims)
        let signed = token[..<(try #require(token.lastIndex(of: ".")))]
        for count in [0, 1, 31, 32, 63, 64, 65, 72, 256, 257] {
            for byte in [0, 0xFF] as [UInt8] {
                let signature = Base64URL.encode(Array(repeating: byte, count: count))
                #expect(refusal("\(signed).\(signature)", verifier) == .wrongSignature)
            }
        }
    }

    @Test func `a public key is not accepted as a secret of HMAC`() throws {
        for algorithm in [.rs256, .es256] as [BearerTokenVerifier.Algorithm] {
            let issuer = try Issuer.of(algorithm)
            let attacker = Issuer(algorithm: .hs256, key: .secret(issuer.verificationKey))
            let verifier = try verifier(issuer)
            #expect(refusal(attacker.token(Self.claims), verifier) == .wrongAlgorithm)
            // The right name in the header does not help if the code is HMAC's.
            let named = attacker.token(header: #"{"alg":"\#(algorithm.rawValue)"}"#, Self.claims)
            #expect(refusal(named, verifier) == .wrongSignature)
        }
    }

    @Test(arguments: [
        "none", "None", "NONE", "nOnE", "none ", "", "HS384", "HS512", "hs256", "HS256 ", "RS256", "PS256",
    ])
    func `the algorithm must be exactly the configured one`(name: String) throws {
        let issuer = Issuer.hs256()
        let verifier = try verifier(issuer)
        let header = #"{"alg":"\#(name)"}"#
        #expect(refusal(issuer.token(header: header, Self.claims), verifier) == .wrongAlgorithm)
        let unsigned = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(Self.claims.utf8)) + "."
        #expect(refusal(unsigned, verifier) == .wrongAlgorithm)
    }

    @Test(
        arguments: [
            (#"{"alg":"HS256","crit":["exp"],"exp":1}"#, .unsupportedHeader),
            (#"{"alg":"HS256","crit":[]}"#, .unsupportedHeader),
            (#"{"alg":"HS256","b64":false}"#, .unsupportedHeader),
            (#"{"alg":"HS256","typ":"JOSE"}"#, .unsupportedHeader),
            (#"{"alg":"HS256","typ":7}"#, .unsupportedHeader), (#"{"alg":"HS256","typ":null}"#, .unsupportedHeader),
            (#"{"alg":"none","alg":"HS256"}"#, .malformed), (#"{"alg":"HS256","alg":"none"}"#, .malformed),
            (#"{"alg":"HS256","\u0061lg":"none"}"#, .malformed), (#"{"typ":"JWT"}"#, .malformed),
            (#"{"alg":null}"#, .malformed), (#"{"alg":["HS256"]}"#, .malformed), (#"["HS256"]"#, .malformed),
            (#""HS256""#, .malformed), (#"{"alg":"HS256"} {}"#, .malformed), (#"{"alg":"HS256""#, .malformed),
            ("", .malformed),
            (#"{"alg":"HS256","x":"\#u{FFFE}\ud800"}"#, .malformed),
            (#"{"alg":"HS256","x":[[[[[[[[1]]]]]]]]}"#, .malformed),
        ] as [(String, BearerTokenError.Code)]
    )
    func `a header with further demands or a duplicate member is refused`(header: String, code: BearerTokenError.Code)
        throws
    {
        let issuer = Issuer.hs256()
        #expect(refusal(issuer.token(header: header, Self.claims), try verifier(issuer)) == code)
    }

    @Test func `keys in the header are not used`() throws {
        let (issuer, attacker) = (try Issuer.of(.es256), try Issuer.of(.es256))
        let header =
            #"{"alg":"ES256","kid":"../../dev/null","jku":"http://192.0.2.1/","jwk":{"kty":"EC"},"x5u":"file:///"}"#
        #expect(refusal(attacker.token(header: header, Self.claims), try verifier(issuer)) == .wrongSignature)
    }

    @Test func `a text that is not a token is refused`() throws {
        let issuer = Issuer.hs256()
        let verifier = try verifier(issuer)
        let token = issuer.token(Self.claims)
        let parts = token.split(separator: ".").map(String.init)
        let bad = [
            "", ".", "..", "...", "a.b", "a.b.c", "....", token + ".", token + ".x", "." + token, token + "=",
            token + " ",
            " " + token, token + "\n", token + "\0", token + "é", parts[0] + "." + parts[1], parts[0] + ".." + parts[2],
            "." + parts[1] + "." + parts[2], parts.joined(separator: ","), "Bearer " + token, "\"\(token)\"",
            parts[0] + "." + parts[1] + "\0." + parts[2], parts[0] + "." + parts[1] + "==." + parts[2],
            // Letters of the other alphabet for the same bits.
            parts[0] + "." + parts[1] + "." + parts[2].replacing("-", with: "+").replacing("_", with: "/") + "+",
        ]
        for text in bad { #expect(refusal(text, verifier) == .malformed, "\(text.count) characters") }
    }

    @Test func `a part of five letters or with remaining bits is refused`() throws {
        #expect(Base64URL.decode("QUJDR".utf8) == nil)
        #expect(Base64URL.decode("QR".utf8) == nil)
        #expect(Base64URL.decode("QQ".utf8) == [65])
        #expect(Base64URL.decode("QQ==".utf8) == nil)
        #expect(Base64URL.decode("-_-_".utf8) == [0xFB, 0xFF, 0xBF])
        #expect(Base64URL.decode("+/+/".utf8) == nil)
    }

    @Test func `a huge token is refused without being decoded`() throws {
        let issuer = Issuer.hs256()
        let verifier = try verifier(issuer)
        let long = issuer.token(#"{"sub":"anna","exp":1800000600,"x":"\#(String(repeating: "a", count: 8000))"}"#)
        #expect(long.utf8.count > BearerTokenVerifier.mostBytes)
        #expect(refusal(long, verifier) == .tooLong)
        #expect(refusal(String(repeating: ".", count: 10_000_000), verifier) == .tooLong)
        let within = issuer.token(#"{"sub":"anna","exp":1800000600,"x":"\#(String(repeating: "a", count: 5900))"}"#)
        #expect(try verifier.verify(within, now: Self.now).user == "anna")
    }

    @Test func `an error contains nothing of the token`() throws {
        let issuer = Issuer.hs256()
        let verifier = try verifier(issuer)
        let tokens = ["sekrit", issuer.token(#"{"sub":"sekrit"}"#), issuer.token(header: #"{"alg":"sekrit"}"#, "{}")]
        for token in tokens {
            let error = #expect(throws: BearerTokenError.self) { try verifier.verify(token, now: Self.now) }
            #expect(error?.description.contains("sekrit") == false)
        }
    }
}
