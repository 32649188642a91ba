internal import CCrypto
internal import Signing

/// A key that fits an algorithm, with the identifier by which tokens may choose it.
struct VerificationKey: Sendable {
    private enum Material: Sendable {
        case secret([UInt8])
        case publicKey(PublicKey)
    }

    /// The key's identifier in a key set (`kid`); `nil` for a key from PEM and for a bare secret.
    let id: String?
    private let material: Material
    private let algorithm: BearerTokenVerifier.Algorithm

    /// The minimum length of a secret, which is that of the hash (RFC 7518, section 3.2).
    static let fewestBytesOfSecret = 32
    /// The minimum size of an RSA key (RFC 7518, section 3.3).
    static let fewestBitsOfRSA: Int32 = 2048

    /// Creates a secret key.
    ///
    /// - Throws: ``BearerTokenError`` for a secret that is too short, or is a key in PEM.
    init(secret: [UInt8], id: String? = nil) throws(BearerTokenError) {
        guard secret.count >= Self.fewestBytesOfSecret else {
            throw BearerTokenError(
                .unusableKey,
                "HS256 needs a secret of at least \(Self.fewestBytesOfSecret) random bytes; this one has \(secret.count)"
            )
        }
        // With a public key everybody could sign.
        guard !String(decoding: secret, as: UTF8.self).contains("-----BEGIN ") else {
            throw BearerTokenError(
                .unusableKey,
                "HS256 needs a secret of random bytes, but this is a key in PEM: use RS256, ES256 or EdDSA, or another key"
            )
        }
        guard secret.first(where: { $0 > 0x20 }) != UInt8(ascii: "{") else {
            throw BearerTokenError(.unusableKey, "this looks like a set of keys in JSON, but cannot be read as one")
        }
        self.id = id
        material = .secret(secret)
        algorithm = .hs256
    }

    /// Creates a public key.
    ///
    /// - Throws: ``BearerTokenError`` for a key of another type than the algorithm's, or one that is too short.
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
                "the key is of another kind; the algorithm needs \(algorithm.wantedKey)"
            )
        }
        self.id = id
        material = .publicKey(key)
        self.algorithm = algorithm
    }

    /// Returns whether a signature was made with this key.
    ///
    /// Only the key determines the algorithm, not the token.
    ///
    /// - Parameters:
    ///   - message: The signed bytes.
    ///   - signature: The signature as in the token: for ES256 the numbers r and s in 32 bytes each (RFC 7518, section 3.4).
    /// - Returns: True if it was.
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
    /// The required key, in words.
    var wantedKey: String {
        switch self {
        case .hs256: "a secret of at least \(VerificationKey.fewestBytesOfSecret) random bytes"
        case .rs256: "a public RSA key of at least \(VerificationKey.fewestBitsOfRSA) bits"
        case .es256: "a public key on the curve P-256"
        case .eddsa: "a public key on the curve Ed25519"
        }
    }
}
