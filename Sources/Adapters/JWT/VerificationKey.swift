internal import CCrypto
internal import Signing

/// A key that is known to fit an algorithm, with the name that tokens may choose it by.
struct VerificationKey: Sendable {
    private enum Material: Sendable {
        case secret([UInt8])
        case publicKey(PublicKey)
    }

    /// The key's name in a set of keys (`kid`); `nil` for a key from PEM and for a bare secret.
    let id: String?
    private let material: Material
    private let algorithm: BearerTokenVerifier.Algorithm

    /// RFC 7518, section 3.2: no shorter than the hash.
    static let fewestBytesOfSecret = 32
    /// RFC 7518, section 3.3.
    static let fewestBitsOfRSA: Int32 = 2048

    /// Makes a secret key.
    ///
    /// - Throws: ``BearerTokenError`` for a secret that is too short, or is a key in PEM.
    init(secret: [UInt8], id: String? = nil) throws(BearerTokenError) {
        guard secret.count >= Self.fewestBytesOfSecret else {
            throw BearerTokenError(
                .unusableKey,
                "HS256 takes a secret of at least \(Self.fewestBytesOfSecret) random bytes; this one has \(secret.count)"
            )
        }
        // Everybody could sign with a public key.
        guard !String(decoding: secret, as: UTF8.self).contains("-----BEGIN ") else {
            throw BearerTokenError(
                .unusableKey,
                "HS256 takes a secret of random bytes, and this is a key in PEM: take RS256, ES256 or EdDSA, or another key"
            )
        }
        guard secret.first(where: { $0 > 0x20 }) != UInt8(ascii: "{") else {
            throw BearerTokenError(.unusableKey, "this looks like a set of keys in JSON, and cannot be read as one")
        }
        self.id = id
        material = .secret(secret)
        algorithm = .hs256
    }

    /// Makes a public key.
    ///
    /// - Throws: ``BearerTokenError`` for a key of another kind than the algorithm's, or one that is too short.
    init(
        _ key: PublicKey,
        for algorithm: BearerTokenVerifier.Algorithm,
        id: String? = nil
    ) throws(BearerTokenError) {
        let fits =
            switch algorithm {
            case .hs256: false
            case .rs256: key.kind == EVP_PKEY_RSA && key.bits >= Self.fewestBitsOfRSA
            case .es256: key.kind == EVP_PKEY_EC && key.curve == "prime256v1"
            case .eddsa: key.kind == EVP_PKEY_ED25519
            }
        guard fits else {
            throw BearerTokenError(
                .unusableKey,
                "the key is of another kind; the algorithm takes \(algorithm.wantedKey)"
            )
        }
        self.id = id
        material = .publicKey(key)
        self.algorithm = algorithm
    }

    /// Whether a signature is this key's.
    ///
    /// The key decides the algorithm, and nothing that a token names.
    ///
    /// - Parameters:
    ///   - message: The bytes that were signed.
    ///   - signature: As in the token: for ES256 the numbers r and s in 32 bytes each (RFC 7518, section 3.4).
    /// - Returns: Whether it is.
    func hasSigned(_ message: [UInt8], signature: [UInt8]) -> Bool {
        switch (material, algorithm) {
        case (.secret(let secret), _):
            isEqualInConstantTime(HMACSHA256.code(for: message, key: secret), signature)
        case (.publicKey(let key), .es256):
            signature.count == 64
                && key.verifies(message, signature: DER.signature(of: signature), digest: EVP_sha256())
        case (.publicKey(let key), .eddsa): key.verifies(message, signature: signature, digest: nil)
        case (.publicKey(let key), _): key.verifies(message, signature: signature, digest: EVP_sha256())
        }
    }
}

extension BearerTokenVerifier.Algorithm {
    /// The key that it takes, in words.
    var wantedKey: String {
        switch self {
        case .hs256: "a secret of at least \(VerificationKey.fewestBytesOfSecret) random bytes"
        case .rs256: "a public RSA key of at least \(VerificationKey.fewestBitsOfRSA) bits"
        case .es256: "a public key on the curve P-256"
        case .eddsa: "a public key on the curve Ed25519"
        }
    }
}
