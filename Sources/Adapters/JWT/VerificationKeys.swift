internal import CNewsflashCrypto
internal import NewsflashSigning
internal import NewsflashStrictJSON

/// The keys of an issuer that fit one algorithm: several while the issuer replaces its key.
struct VerificationKeys: Sendable {
    /// The keys in the order of the file; at least one.
    let keys: [VerificationKey]

    /// The maximum size of a file of keys. Large providers publish about 20 KB.
    static let maximumBytes = 256 << 10
    /// The maximum number of keys, because an attacker's token may require trying each.
    static let maximumKeys = 16

    /// Parses a file of keys.
    ///
    /// - Parameters:
    ///   - file: A JSON Web Key Set (RFC 7517), one or several public keys in PEM, or for HS256 the bytes of one secret.
    ///   - algorithm: The algorithm; keys of a set that are for another algorithm or another use are skipped.
    /// - Throws: ``BearerTokenError`` if no key is left, one is private, or one cannot be read.
    init(_ file: [UInt8], for algorithm: BearerTokenVerifier.Algorithm) throws(BearerTokenError) {
        guard file.count <= Self.maximumBytes else {
            throw BearerTokenError(.unusableKey, "the file of keys is larger than \(Self.maximumBytes) bytes")
        }
        if let set = Self.set(in: file) {
            keys = try Self.keys(of: set, for: algorithm)
        } else if algorithm == .hs256 {
            keys = [try VerificationKey(secret: file)]
        } else {
            keys = try Self.keys(inPEM: file, for: algorithm)
        }
        guard keys.count <= Self.maximumKeys else {
            throw BearerTokenError(
                .unusableKey,
                "there are more than \(Self.maximumKeys) keys for \(algorithm.rawValue)"
            )
        }
    }

    /// Returns the keys that a token may be signed with, in the order in which to try them.
    ///
    /// - Parameter id: The token's `kid`. It chooses among keys with an identifier; keys without one are always tried.
    /// - Returns: Empty if no key has the identifier.
    func candidates(for id: String?) -> [VerificationKey] {
        guard let id else { return keys }
        return keys.filter { $0.id == nil || $0.id == id }
    }

    private static func keys(
        inPEM file: [UInt8],
        for algorithm: BearerTokenVerifier.Algorithm
    ) throws(BearerTokenError) -> [VerificationKey] {
        guard !String(decoding: file, as: UTF8.self).contains("PRIVATE KEY-----") else { throw privateKey }
        guard let found = PublicKey.all(inPEM: file), !found.isEmpty else {
            throw BearerTokenError(
                .unusableKey,
                "the file has no public key in PEM (-----BEGIN PUBLIC KEY-----) and no set of keys in JSON, or one cannot be "
                    + "read; the algorithm needs \(algorithm.wantedKey)"
            )
        }
        var keys: [VerificationKey] = []
        for key in found { keys.append(try VerificationKey(key, for: algorithm)) }
        return keys
    }

    /// Returns the elements of `keys`; `nil` for a file that is not a JSON object.
    private static func set(in file: [UInt8]) -> [JSONValue]? {
        guard file.first(where: { $0 > 0x20 }) == UInt8(ascii: "{"),
            let value = try? JSONReader.read(file, maximumDepth: 8),
            let set = value[member: "keys"]?.array
        else { return nil }
        return set
    }

    private static func keys(
        of set: [JSONValue],
        for algorithm: BearerTokenVerifier.Algorithm
    ) throws(BearerTokenError) -> [VerificationKey] {
        var keys: [VerificationKey] = []
        for (index, key) in set.enumerated() {
            let key = JSONWebKey(value: key, place: "keys[\(index)]")
            guard !key.isPrivate else { throw privateKey }
            guard key.isMeant(for: algorithm) else { continue }
            keys.append(try key.read(for: algorithm))
        }
        guard !keys.isEmpty else {
            throw BearerTokenError(
                .unusableKey,
                "the set has no key for \(algorithm.rawValue), which needs \(algorithm.wantedKey)"
            )
        }
        return keys
    }

    private static let privateKey = BearerTokenError(
        .unusableKey,
        "this is a private key, which belongs to the issuer alone: use its public key (openssl pkey -pubout)"
    )
}

/// A key of a set in JSON (RFC 7517, RFC 7518 section 6, RFC 8037).
private struct JSONWebKey {
    let value: JSONValue
    /// The position in the file, for messages.
    let place: String

    /// Whether it contains a private part, which only the issuer may have. A secret (`oct`) is always shared.
    var isPrivate: Bool { value[member: "d"] != nil }

    func isMeant(for algorithm: BearerTokenVerifier.Algorithm) -> Bool {
        let kind: (type: String, curve: String?) =
            switch algorithm {
            case .hs256: ("oct", nil)
            case .rs256: ("RSA", nil)
            case .es256: ("EC", "P-256")
            case .eddsa: ("OKP", "Ed25519")
            }
        guard value[member: "kty"]?.string == kind.type, kind.curve == nil || value[member: "crv"]?.string == kind.curve
        else { return false }
        guard value[member: "use"].map({ $0.string == "sig" }) ?? true,
            value[member: "alg"].map({ $0.string == algorithm.rawValue }) ?? true
        else { return false }
        return value[member: "key_ops"].map { $0.array?.contains { $0.string == "verify" } == true } ?? true
    }

    func read(for algorithm: BearerTokenVerifier.Algorithm) throws(BearerTokenError) -> VerificationKey {
        let id = value[member: "kid"]
        guard id == nil || id?.string != nil else { throw unreadable("kid") }
        do throws(BearerTokenError) {
            let der: [UInt8]
            switch algorithm {
            case .hs256: return try VerificationKey(secret: bytes("k"), id: id?.string)
            case .rs256: der = DER.rsaKey(modulus: try bytes("n"), exponent: try bytes("e"))
            case .es256: der = DER.p256Key(x: try bytes("x", count: 32), y: try bytes("y", count: 32))
            case .eddsa: der = DER.ed25519Key(x: try bytes("x", count: 32))
            }
            guard let key = PublicKey(der: der) else {
                throw BearerTokenError(.unusableKey, "its numbers are not a valid key")
            }
            return try VerificationKey(key, for: algorithm, id: id?.string)
        } catch {
            throw BearerTokenError(error.code, "\(place): \(error.message)")
        }
    }

    private func bytes(_ member: String, count: Int? = nil) throws(BearerTokenError) -> [UInt8] {
        guard let text = value[member: member]?.string, let bytes = Base64URL.decode(text.utf8), !bytes.isEmpty,
            count == nil || bytes.count == count
        else { throw unreadable(member) }
        return bytes
    }

    private func unreadable(_ member: String) -> BearerTokenError {
        BearerTokenError(.unusableKey, "the member \(member) is missing or does not follow RFC 7518, section 6")
    }
}

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
