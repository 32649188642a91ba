internal import CNewsflashCrypto

// Unchecked, because verification only reads a key in libcrypto, on any number of threads (OpenSSL, "Thread-safety").
/// A public key in libcrypto's form.
final class PublicKey: @unchecked Sendable {
    private let key: OpaquePointer

    private init(_ key: OpaquePointer) {
        self.key = key
    }

    deinit {
        EVP_PKEY_free(key)
    }

    /// Parses a key in DER (SubjectPublicKeyInfo, RFC 5280, section 4.1.2.7).
    ///
    /// - Parameter bytes: Exactly the bytes of the key. A point that is not on its curve is refused.
    convenience init?(der bytes: [UInt8]) {
        var end: UnsafePointer<UInt8>?
        let key: OpaquePointer? = bytes.withUnsafeBufferPointer { bytes in
            end = bytes.baseAddress
            guard let key = d2i_PUBKEY(nil, &end, bytes.count) else { return nil }
            guard end == bytes.baseAddress.map({ $0 + bytes.count }) else {
                EVP_PKEY_free(key)
                return nil
            }
            return key
        }
        // The next call must not find the errors of this one.
        ERR_clear_error()
        guard let key else { return nil }
        self.init(key)
    }

    /// Parses all public keys of a file in PEM; other blocks, such as certificates, are skipped.
    ///
    /// - Parameter pem: The bytes of the file, at most 2 GiB.
    /// - Returns: The keys in order; `nil` if a block cannot be read.
    static func all(inPEM pem: [UInt8]) -> [PublicKey]? {
        let blocks = String(decoding: pem, as: UTF8.self).split(separator: "\n").count { line in
            line.hasPrefix("-----BEGIN PUBLIC KEY-----")
        }
        guard let count = Int32(exactly: pem.count), count > 0, blocks > 0 else { return [] }
        let keys = pem.withUnsafeBytes { bytes -> [PublicKey] in
            guard let buffer = BIO_new_mem_buf(bytes.baseAddress, count) else { return [] }
            defer { BIO_free(buffer) }
            var keys: [PublicKey] = []
            while keys.count <= blocks, let key = PEM_read_bio_PUBKEY(buffer, nil, { _, _, _, _ in 0 }, nil) {
                keys.append(PublicKey(key))
            }
            return keys
        }
        ERR_clear_error()
        return keys.count == blocks ? keys : nil
    }

    /// The type of key, one of libcrypto's numbers, such as `EVP_PKEY_RSA`.
    var kind: Int32 { EVP_PKEY_get_base_id(key) }

    /// The key's size in bits.
    var bits: Int32 { EVP_PKEY_get_bits(key) }

    /// The name of the key's curve; `nil` for a key without one.
    var curve: String? {
        var name = [CChar](repeating: 0, count: 64)
        var count = 0
        guard EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1, count < name.count else { return nil }
        return String(decoding: name[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns whether a signature was made with this key.
    ///
    /// - Parameters:
    ///   - message: The signed bytes.
    ///   - signature: The signature in libcrypto's form, which is DER for ECDSA.
    ///   - digest: The hash; `nil` if the algorithm has its own.
    /// - Returns: True if it was.
    func verifies(_ message: [UInt8], signature: [UInt8], digest: OpaquePointer?) -> Bool {
        guard let context = EVP_MD_CTX_new() else { return false }
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        return EVP_DigestVerifyInit(context, nil, digest, nil, key) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}

/// Encodes the few ASN.1 structures in DER (ITU-T X.690) that libcrypto requires instead of the bare numbers of tokens and key
/// sets.
enum DER {
    /// Encodes a signature of ECDSA: both numbers as a sequence (RFC 3279, section 2.2.3).
    ///
    /// - Parameter numbers: r and s, each in one half of the bytes.
    /// - Returns: The DER bytes.
    static func signature(of numbers: [UInt8]) -> [UInt8] {
        let half = numbers.count / 2
        return value(0x30, integer(numbers[..<half]) + integer(numbers[half...]))
    }

    /// Encodes a public RSA key as SubjectPublicKeyInfo (RFC 3279, section 2.3.1).
    ///
    /// - Parameters:
    ///   - modulus: The modulus, big-endian.
    ///   - exponent: The exponent, big-endian.
    /// - Returns: The DER bytes.
    static func rsaKey(modulus: [UInt8], exponent: [UInt8]) -> [UInt8] {
        let algorithm: [UInt8] = [
            0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
        ]
        let key = value(0x30, integer(modulus[...]) + integer(exponent[...]))
        return value(0x30, algorithm + value(0x03, [0] + key))
    }

    /// Encodes a public key on the curve P-256 as SubjectPublicKeyInfo (RFC 5480, section 2).
    ///
    /// - Parameters:
    ///   - x: The x coordinate, 32 bytes.
    ///   - y: The y coordinate, 32 bytes.
    /// - Returns: The DER bytes.
    static func p256Key(x: [UInt8], y: [UInt8]) -> [UInt8] {
        let algorithm: [UInt8] = [
            0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D,
            0x03, 0x01, 0x07,
        ]
        return value(0x30, algorithm + value(0x03, [0, 0x04] + x + y))
    }

    /// Encodes a public key on the curve Ed25519 as SubjectPublicKeyInfo (RFC 8410, section 4).
    ///
    /// - Parameter x: The encoded point, 32 bytes.
    /// - Returns: The DER bytes.
    static func ed25519Key(x: [UInt8]) -> [UInt8] {
        value(0x30, [0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70] + value(0x03, [0] + x))
    }

    /// Encodes a non-negative number in the minimum number of bytes.
    private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let digits = bytes.drop { $0 == 0 }
        // A set first bit would be a sign.
        return value(0x02, (digits.first ?? 0xFF) >= 0x80 ? [0] + digits : Array(digits))
    }

    private static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        var length: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }
}
