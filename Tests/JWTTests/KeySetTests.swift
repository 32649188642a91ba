import NewsflashSigning
import NewsflashTimestamps
import Testing

@testable import NewsflashJWT

@Suite("Several keys, by name and in order", .timeLimit(.minutes(1)))
struct KeySetTests {
    private static let now = Timestamp(seconds: 1_800_000_000)
    private static let claims = #"{"sub":"anna","exp":1800000600}"#

    private func verifier(_ keys: String, _ algorithm: BearerTokenVerifier.Algorithm) throws(BearerTokenError)
        -> BearerTokenVerifier
    {
        try BearerTokenVerifier(algorithm: algorithm, key: Array(keys.utf8), issuer: nil, audience: nil)
    }

    private func refusal(_ keys: String, _ algorithm: BearerTokenVerifier.Algorithm) -> BearerTokenError? {
        #expect(throws: BearerTokenError.self) { try verifier(keys, algorithm) }
    }

    private func code(_ token: String, _ verifier: BearerTokenVerifier) -> BearerTokenError.Code? {
        do throws(BearerTokenError) {
            _ = try verifier.verify(token, now: Self.now)
            return nil
        } catch {
            return error.code
        }
    }

    private func header(_ algorithm: BearerTokenVerifier.Algorithm, kid: String) -> String {
        #"{"alg":"\#(algorithm.rawValue)","typ":"at+jwt","kid":"\#(kid)"}"#
    }

    @Test(arguments: BearerTokenVerifier.Algorithm.allCases)
    func `a set of two keys accepts the tokens of both by name`(algorithm: BearerTokenVerifier.Algorithm) throws {
        let (old, new, other) = (try Issuer.of(algorithm), try next(algorithm), try Issuer.of(algorithm))
        let set = #"{"keys":[\#(old.jwk(id: "2026-01")),\#(new.jwk(id: "2026-02"))]}"#
        let verifier = try verifier(set, algorithm)
        #expect(code(old.token(header: header(algorithm, kid: "2026-01"), Self.claims), verifier) == nil)
        #expect(code(new.token(header: header(algorithm, kid: "2026-02"), Self.claims), verifier) == nil)
        #expect(code(new.token(header: header(algorithm, kid: "2026-01"), Self.claims), verifier) == .wrongSignature)
        #expect(code(new.token(header: header(algorithm, kid: "2026-03"), Self.claims), verifier) == .unknownKey)
        // Without a name each key is tried.
        #expect(code(old.token(Self.claims), verifier) == nil)
        #expect(code(new.token(Self.claims), verifier) == nil)
        if algorithm != .hs256 { #expect(code(other.token(Self.claims), verifier) == .wrongSignature) }
    }

    /// Creates another issuer; for HMAC all issuers have the same secret.
    private func next(_ algorithm: BearerTokenVerifier.Algorithm) throws -> Issuer {
        algorithm == .hs256 ? .hs256("another secret of 32 bytes or more") : try .of(algorithm)
    }

    @Test(arguments: [.rs256, .es256, .eddsa] as [BearerTokenVerifier.Algorithm])
    func `a PEM file with two keys accepts the tokens of both`(algorithm: BearerTokenVerifier.Algorithm) throws {
        let (old, new) = (try Issuer.of(algorithm), try Issuer.of(algorithm))
        let file = String(decoding: old.verificationKey + new.verificationKey, as: UTF8.self)
        let verifier = try verifier(file, algorithm)
        for issuer in [old, new] {
            #expect(code(issuer.token(Self.claims), verifier) == nil)
            #expect(code(issuer.token(header: header(algorithm, kid: "any"), Self.claims), verifier) == nil)
        }
        #expect(code(try Issuer.of(algorithm).token(Self.claims), verifier) == .wrongSignature)
        let broken = file.replacing("-----BEGIN PUBLIC KEY-----\nM", with: "-----BEGIN PUBLIC KEY-----\nX")
        #expect(refusal(broken, algorithm)?.code == .unusableKey)
    }

    @Test func `keys for another use are skipped`() throws {
        let (signing, other) = (try Issuer.of(.es256), try Issuer.of(.rs256))
        let key = signing.jwk(id: "a")
        let extra = [
            other.jwk(id: "b"), key.replacing("{", with: #"{"use":"enc","#),
            key.replacing("{", with: #"{"alg":"ES384","#),
            key.replacing("{", with: #"{"key_ops":["sign"],"#), #"{"kty":"oct","k":"AAAA"}"#, #"{"kty":"new"}"#, "7",
        ]
        let good = key.replacing("{", with: #"{"use":"sig","alg":"ES256","key_ops":["verify"],"#)
        let verifier = try verifier(#"{"keys":[\#((extra + [good]).joined(separator: ","))]}"#, .es256)
        #expect(code(signing.token(Self.claims), verifier) == nil)
        #expect(code(other.token(Self.claims), verifier) == .wrongAlgorithm)
        let error = refusal(#"{"keys":[\#(extra.joined(separator: ","))]}"#, .es256)
        #expect(error?.message.contains("no key for ES256") == true)
    }

    @Test func `an unusable set is refused`() throws {
        let curve = try Issuer.of(.es256).jwk(id: "a")
        let short = Issuer(algorithm: .rs256, key: .pair(try #require(KeyPair(rsaBits: 1024))))
        let cases: [(String, BearerTokenVerifier.Algorithm, String)] = [
            (#"{"keys":[]}"#, .es256, "no key for ES256"),
            (#"{"keys":[\#(curve.replacing("{", with: #"{"d":"AAAA","#))]}"#, .es256, "private key"),
            (#"{"keys":[\#(short.jwk(id: "a"))]}"#, .rs256, "at least 2048 bits"),
            (#"{"keys":[{"kty":"RSA","n":"AQAB"}]}"#, .rs256, "member e"),
            (#"{"keys":[{"kty":"RSA","n":"AQ==","e":"AQAB"}]}"#, .rs256, "member n"),
            (#"{"keys":[{"kty":"EC","crv":"P-256","x":"AAAA","y":"AAAA"}]}"#, .es256, "member x"),
            // A point that is not on the curve.
            (#"{"keys":[\#(Self.point)]}"#, .es256, "not a valid key"),
            (#"{"keys":[\#(curve.replacing(#""a""#, with: "7"))]}"#, .es256, "member kid"),
            (#"{"keys":[{"kty":"oct","k":"AAAA"}]}"#, .hs256, "at least 32 random bytes"),
            // A broken set is not used as a secret.
            (#"{"keys":[\#(curve)],"keys":[]}"#, .hs256, "set of keys"),
            (#"{"keys":[\#(curve)}"#, .hs256, "set of keys"),
            (#"{"keys":[\#(curve)}"#, .es256, "set of keys"),
            (#"{"keys":[\#((0..<17).map { _ in curve }.joined(separator: ","))]}"#, .es256, "more than 16"),
            (#"{"keys":[\#(curve)],"x":"\#(String(repeating: "a", count: 300_000))"}"#, .es256, "larger than"),
        ]
        for (set, algorithm, words) in cases {
            let error = refusal(set, algorithm)
            #expect(error?.code == .unusableKey && error?.message.contains(words) == true, "\(words): \(error as Any)")
        }
    }

    private static let point: String = {
        let one = Base64URL.encode([UInt8](repeating: 0, count: 31) + [1])
        return #"{"kty":"EC","crv":"P-256","x":"\#(one)","y":"\#(one)"}"#
    }()

    /// RFC 8037, appendix A.4.
    @Test func `the example of Ed25519 is verified`() throws {
        let x = try #require(Base64URL.decode("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo".utf8))
        let key = try VerificationKey(#require(PublicKey(der: DER.ed25519Key(x: x))), for: .eddsa)
        let signed = Array("eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc".utf8)
        let signature = try #require(
            Base64URL.decode(
                "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg".utf8
            )
        )
        #expect(key.hasSigned(signed, signature: signature))
        #expect(!key.hasSigned(signed + [0], signature: signature))
        #expect(!key.hasSigned(signed, signature: signature.dropLast()))
    }

    @Test func `numbers become the same DER as libcrypto's`() throws {
        let rsa = try #require(KeyPair(rsaBits: 2048))
        #expect(DER.rsaKey(modulus: rsa.number("n"), exponent: rsa.number("e")) == rsa.publicDER)
        let curve = try #require(KeyPair(curve: "prime256v1"))
        let point = Array(curve.publicDER.suffix(64))
        #expect(DER.p256Key(x: Array(point[..<32]), y: Array(point[32...])) == curve.publicDER)
        let zeros = [UInt8](repeating: 0, count: 64)
        #expect(DER.signature(of: zeros) == [0x30, 6, 2, 1, 0, 2, 1, 0])
        #expect(DER.signature(of: [0, 0x80, 0, 0x7F]) == [0x30, 7, 2, 2, 0, 0x80, 2, 1, 0x7F])
    }

    @Test(arguments: [
        ("JWT", true), ("jwt", true), ("at+jwt", true), ("AT+JWT", true), ("application/at+jwt", true), ("JOSE", false),
        ("at+jwtx", false), ("", false),
    ])
    func `a token of RFC 9068 is accepted`(type: String, isTaken: Bool) throws {
        let issuer = Issuer.hs256()
        let verifier = try BearerTokenVerifier(
            algorithm: .hs256,
            key: issuer.verificationKey,
            issuer: nil,
            audience: nil
        )
        let token = issuer.token(header: #"{"alg":"HS256","typ":"\#(type)"}"#, Self.claims)
        #expect(code(token, verifier) == (isTaken ? nil : .unsupportedHeader))
    }

    @Test(
        arguments: [
            (#"{"sub":"anna","exp":1800003600}"#, nil), (#"{"sub":"anna","exp":1800003601}"#, .longLived),
            (#"{"sub":"anna","iat":1799999000,"exp":1800002600}"#, nil),
            (#"{"sub":"anna","iat":1799999000,"exp":1800002601}"#, .longLived),
            (#"{"sub":"anna","exp":253402300799}"#, .longLived),
            (#"{"sub":"anna","iat":0,"exp":1800000001}"#, .longLived),
        ] as [(String, BearerTokenError.Code?)]
    )
    func `a token that is valid for too long is refused`(claims: String, refusal: BearerTokenError.Code?) throws {
        let issuer = Issuer.hs256()
        let verifier = try BearerTokenVerifier(
            algorithm: .hs256,
            key: issuer.verificationKey,
            issuer: nil,
            audience: nil,
            maximumLifetime: .seconds(3600)
        )
        #expect(code(issuer.token(claims), verifier) == refusal)
    }

    @Test func `the signature decides whether a token counts as a guess`() throws {
        let verifier = try BearerTokenVerifier(
            algorithm: .hs256,
            key: Issuer.hs256().verificationKey,
            issuer: "me",
            audience: nil
        )
        for claims in [#"{"sub":"anna","exp":1}"#, #"{"sub":"anna","exp":1800000600,"iss":"you"}"#, "{}", "7"] {
            #expect(code(Issuer.hs256().token(claims), verifier)?.isWellSigned == true)
            #expect(code(try next(.hs256).token(claims), verifier)?.isWellSigned == false)
        }
    }
}

extension Issuer {
    /// Returns its verification key as a JSON Web Key.
    func jwk(id: String) -> String {
        func text(_ bytes: some Sequence<UInt8>) -> String { Base64URL.encode(Array(bytes)) }
        return switch (key, algorithm) {
        case (.secret(let secret), _): #"{"kty":"oct","kid":"\#(id)","k":"\#(text(secret))"}"#
        case (.pair(let pair), .rs256):
            #"{"kty":"RSA","kid":"\#(id)","n":"\#(text(pair.number("n")))","e":"\#(text(pair.number("e")))"}"#
        case (.pair(let pair), .eddsa):
            #"{"kty":"OKP","kid":"\#(id)","crv":"Ed25519","x":"\#(text(pair.publicDER.suffix(32)))"}"#
        case (.pair(let pair), _):
            #"""
            {"kty":"EC","kid":"\#(id)","crv":"P-256","x":"\#(text(pair.publicDER.suffix(64).prefix(32)))",\#
            "y":"\#(text(pair.publicDER.suffix(32)))"}
            """#
        }
    }
}
