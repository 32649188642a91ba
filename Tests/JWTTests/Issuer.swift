import CNewsflashCrypto
import NewsflashSigning
import Testing

@testable import NewsflashJWT

/// An issuer who signs tokens, correctly or as an attacker would.
struct Issuer {
    enum Key {
        case secret([UInt8])
        case pair(KeyPair)
    }

    var algorithm: BearerTokenVerifier.Algorithm
    var key: Key

    /// The key for a verifier.
    var verificationKey: [UInt8] {
        switch key {
        case .secret(let secret): secret
        case .pair(let pair): pair.publicPEM
        }
    }

    static func hs256(_ secret: String = "a secret of 32 bytes or some more") -> Issuer {
        Issuer(algorithm: .hs256, key: .secret(Array(secret.utf8)))
    }

    static func of(_ algorithm: BearerTokenVerifier.Algorithm) throws -> Issuer {
        switch algorithm {
        case .hs256: .hs256()
        case .rs256: Issuer(algorithm: algorithm, key: .pair(try #require(KeyPair(rsaBits: 2048))))
        case .es256: Issuer(algorithm: algorithm, key: .pair(try #require(KeyPair(curve: "prime256v1"))))
        case .eddsa: Issuer(algorithm: algorithm, key: .pair(try #require(KeyPair(ed25519: ()))))
        }
    }

    /// Signs any header and claims.
    func token(header: String? = nil, _ claims: String) -> String {
        let header = header ?? #"{"alg":"\#(algorithm.rawValue)","typ":"JWT"}"#
        let signed = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(claims.utf8))
        return signed + "." + Base64URL.encode(signature(of: signed))
    }

    func signature(of text: String) -> [UInt8] {
        switch key {
        case .secret(let secret): HMACSHA256.code(for: Array(text.utf8), key: secret)
        case .pair(let pair): pair.signature(of: Array(text.utf8))
        }
    }
}

extension Base64URL {
    static func encode(_ bytes: [UInt8]) -> String {
        String(
            Base64.encode(bytes).compactMap { letter -> Character? in
                switch letter {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: letter
                }
            }
        )
    }
}
