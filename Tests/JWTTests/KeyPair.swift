import CNewsflashCrypto

/// A key pair made for one test.
final class KeyPair {
    private let key: OpaquePointer
    private let isOnCurve: Bool
    private var digest: OpaquePointer? = EVP_sha256()

    init?(rsaBits bits: Int32) {
        guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        var made: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits) == 1,
            EVP_PKEY_keygen(context, &made) == 1, let made
        else { return nil }
        key = made
        isOnCurve = false
    }

    init?(curve: String) {
        guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        var made: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1,
            EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, OBJ_sn2nid(curve)) == 1,
            EVP_PKEY_keygen(context, &made) == 1, let made
        else { return nil }
        key = made
        isOnCurve = true
    }

    init?(ed25519: Void) {
        guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        var made: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_keygen(context, &made) == 1, let made else { return nil }
        key = made
        isOnCurve = false
        digest = nil
    }

    deinit {
        EVP_PKEY_free(key)
    }

    var publicPEM: [UInt8] { written { PEM_write_bio_PUBKEY($0, key) } }
    /// The public key as SubjectPublicKeyInfo.
    var publicDER: [UInt8] {
        var start: UnsafeMutablePointer<UInt8>?
        let count = i2d_PUBKEY(key, &start)
        defer { CRYPTO_free(start, nil, 0) }
        guard let start, count > 0 else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
    }
    var privatePEM: [UInt8] { written { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) } }

    /// Returns a number of an RSA key, `n` or `e`.
    func number(_ name: String) -> [UInt8] {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(key, name, &number) == 1, let number else { return [] }
        defer { BN_free(number) }
        var bytes = [UInt8](repeating: 0, count: Int(BN_num_bits(number) + 7) / 8)
        return BN_bn2bin(number, &bytes) > 0 ? bytes : []
    }

    /// Returns the signature in the form of tokens: for a curve the two numbers in 32 bytes each (RFC 7518, section
    /// 3.4).
    func signature(of message: [UInt8]) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { return [] }
        defer { EVP_MD_CTX_free(context) }
        var count = 512
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSignInit(context, nil, digest, nil, key) == 1,
            EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        else { return [] }
        return isOnCurve ? Self.numbers(of: Array(signature[..<count])) : Array(signature[..<count])
    }

    /// Extracts the two numbers from their ASN.1.
    private static func numbers(of encoded: [UInt8]) -> [UInt8] {
        encoded.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            guard let signature = d2i_ECDSA_SIG(nil, &start, bytes.count) else { return [] }
            defer { ECDSA_SIG_free(signature) }
            var numbers = [UInt8](repeating: 0, count: 64)
            let isWritten = numbers.withUnsafeMutableBufferPointer { room in
                guard let room = room.baseAddress else { return false }
                return BN_bn2binpad(ECDSA_SIG_get0_r(signature), room, 32) == 32
                    && BN_bn2binpad(ECDSA_SIG_get0_s(signature), room + 32, 32) == 32
            }
            return isWritten ? numbers : []
        }
    }

    private func written(_ write: (OpaquePointer) -> Int32) -> [UInt8] {
        guard let buffer = BIO_new(BIO_s_mem()) else { return [] }
        defer { BIO_free(buffer) }
        var start: UnsafeMutablePointer<CChar>?
        guard write(buffer) == 1 else { return [] }
        let count = ccrypto_written(buffer, &start)
        guard let start, count > 0 else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
