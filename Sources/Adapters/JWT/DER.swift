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
