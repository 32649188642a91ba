import NewsflashTestSupport
import Testing

@testable import NewsflashJWT

@Suite("a key of the wrong kind is refused before any token comes", .timeLimit(.minutes(1)))
struct VerificationKeyTests {
    private func refusal(_ algorithm: BearerTokenVerifier.Algorithm, _ key: [UInt8]) -> BearerTokenError? {
        #expect(throws: BearerTokenError.self) {
            try BearerTokenVerifier(algorithm: algorithm, key: key, issuer: nil, audience: nil)
        }
    }

    @Test func `a secret has 32 bytes or more`() throws {
        let error = refusal(.hs256, Array(repeating: 7, count: 31))
        #expect(error?.code == .unusableKey)
        #expect(error?.message == "HS256 needs a secret of at least 32 random bytes; this one has 31")
        #expect(throws: Never.self) {
            try BearerTokenVerifier(
                algorithm: .hs256,
                key: Array(repeating: 7, count: 32),
                issuer: nil,
                audience: nil
            )
        }
    }

    @Test func `a public key is not a secret`() throws {
        let pair = try #require(KeyPair(rsaBits: 2048))
        #expect(refusal(.hs256, pair.publicPEM)?.message.contains("key in PEM") == true)
        #expect(refusal(.hs256, pair.privatePEM)?.message.contains("key in PEM") == true)
    }

    @Test func `a public key must match the algorithm`() throws {
        let rsa = try #require(KeyPair(rsaBits: 2048))
        let curve = try #require(KeyPair(curve: "prime256v1"))
        #expect(refusal(.rs256, curve.publicPEM)?.message.contains("another kind") == true)
        #expect(refusal(.es256, rsa.publicPEM)?.message.contains("another kind") == true)
        for (algorithm, pair) in [(.rs256, rsa), (.es256, curve)] as [(BearerTokenVerifier.Algorithm, KeyPair)] {
            #expect(throws: Never.self) {
                try BearerTokenVerifier(algorithm: algorithm, key: pair.publicPEM, issuer: nil, audience: nil)
            }
        }
    }

    @Test func `a weak key is refused`() throws {
        let short = try #require(KeyPair(rsaBits: 1024))
        #expect(refusal(.rs256, short.publicPEM)?.message.contains("at least 2048 bits") == true)
        for curve in ["secp384r1", "secp256k1"] {
            let other = try #require(KeyPair(curve: curve))
            #expect(refusal(.es256, other.publicPEM)?.message.contains("P-256") == true)
        }
    }

    @Test func `a private key is refused because it belongs to the issuer alone`() throws {
        let pair = try #require(KeyPair(curve: "prime256v1"))
        #expect(refusal(.es256, pair.privatePEM)?.message.contains("belongs to the issuer alone") == true)
    }

    @Test(arguments: [
        "", "no PEM", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
        String(repeating: "A", count: 70_000),
    ])
    func `a file that is not a key is refused`(text: String) {
        #expect(refusal(.rs256, Array(text.utf8))?.code == .unusableKey)
        #expect(refusal(.es256, Array(text.utf8))?.code == .unusableKey)
    }

    @Test func `the key of a verifier is never printed`() throws {
        let secret = "a secret that nobody shall ever see"
        let verifier = try BearerTokenVerifier(algorithm: .hs256, key: Array(secret.utf8), issuer: nil, audience: nil)
        #expect(leaks(of: Array(secret.utf8), in: verifier) == [])
        for text in ["\(verifier)", String(reflecting: verifier)] { #expect(text.contains("<redacted>")) }
    }
}
