internal import CCrypto

/// The bytes that libjwt verifies with, once they are known to fit the algorithm.
struct VerificationKey: Sendable {
    /// The secret, or the public key in PEM as libcrypto writes it.
    let bytes: [UInt8]

    /// RFC 7518, section 3.2: no shorter than the hash.
    static let fewestBytesOfSecret = 32
    /// RFC 7518, section 3.3.
    static let fewestBitsOfRSA: Int32 = 2048
    /// No key is as long.
    private static let mostBytes = 65_536

    /// Looks at a key before any token comes.
    ///
    /// libjwt takes any bytes as a secret and would look at a public key with each token only.
    init(_ key: [UInt8], for algorithm: BearerTokenVerifier.Algorithm) throws(BearerTokenError) {
        guard key.count <= Self.mostBytes else {
            throw BearerTokenError(.unusableKey, "the key is too long for any key")
        }
        switch algorithm {
        case .hs256: bytes = try Self.secret(key)
        case .rs256:
            bytes = try Self.publicKey(key, "a public RSA key of at least \(Self.fewestBitsOfRSA) bits") { key in
                EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA && EVP_PKEY_get_bits(key) >= Self.fewestBitsOfRSA
            }
        case .es256:
            bytes = try Self.publicKey(key, "a public key on the curve P-256") { key in
                EVP_PKEY_get_base_id(key) == EVP_PKEY_EC && Self.curve(of: key) == "prime256v1"
            }
        }
    }

    private static func secret(_ key: [UInt8]) throws(BearerTokenError) -> [UInt8] {
        guard key.count >= fewestBytesOfSecret else {
            throw BearerTokenError(
                .unusableKey,
                "HS256 takes a secret of at least \(fewestBytesOfSecret) random bytes; this one has \(key.count)"
            )
        }
        // What everybody may know would be the secret that anybody could sign with.
        guard !String(decoding: key, as: UTF8.self).contains("-----BEGIN ") else {
            throw BearerTokenError(
                .unusableKey,
                "HS256 takes a secret of random bytes, and this is a key in PEM: take RS256 or ES256, or another key"
            )
        }
        return key
    }

    private static func publicKey(
        _ pem: [UInt8],
        _ wanted: String,
        _ fits: (OpaquePointer) -> Bool
    ) throws(BearerTokenError) -> [UInt8] {
        let text = String(decoding: pem, as: UTF8.self)
        guard !text.contains("PRIVATE KEY-----") else {
            throw BearerTokenError(
                .unusableKey,
                "this is a private key, which belongs to the issuer alone: take its public one (openssl pkey -pubout)"
            )
        }
        guard let key = read(pem) else {
            throw BearerTokenError(
                .unusableKey,
                "there is no public key in PEM (-----BEGIN PUBLIC KEY-----); the algorithm takes \(wanted)"
            )
        }
        defer { EVP_PKEY_free(key) }
        guard fits(key) else {
            throw BearerTokenError(.unusableKey, "the key is of another kind; the algorithm takes \(wanted)")
        }
        let bytes = written(key)
        guard !bytes.isEmpty else { throw BearerTokenError(.unusableKey, "libcrypto cannot write the key") }
        return bytes
    }

    private static func curve(of key: OpaquePointer) -> String? {
        var name = [CChar](repeating: 0, count: 64)
        var count = 0
        guard EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1, count < name.count else { return nil }
        return String(decoding: name[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func read(_ pem: [UInt8]) -> OpaquePointer? {
        guard let count = Int32(exactly: pem.count), count > 0 else { return nil }
        return pem.withUnsafeBytes { bytes in
            guard let buffer = BIO_new_mem_buf(bytes.baseAddress, count) else { return nil }
            defer { BIO_free(buffer) }
            let key = PEM_read_bio_PUBKEY(buffer, nil, { _, _, _, _ in 0 }, nil)
            // What it complained of belongs to nobody's next call.
            ERR_clear_error()
            return key
        }
    }

    private static func written(_ key: OpaquePointer) -> [UInt8] {
        guard let buffer = BIO_new(BIO_s_mem()) else { return [] }
        defer { BIO_free(buffer) }
        var start: UnsafeMutablePointer<CChar>?
        guard PEM_write_bio_PUBKEY(buffer, key) == 1 else { return [] }
        let count = ccrypto_written(buffer, &start)
        guard let start, count > 0 else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
