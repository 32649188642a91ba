#if canImport(CryptoKit)
import CryptoKit
#else
import CCrypto
#endif

/// The message authentication code HMAC over SHA-256 (RFC 2104).
public enum HMACSHA256 {
    /// The code of a message under a key.
    ///
    /// Compare codes with ``isEqualInConstantTime(_:_:)`` only.
    ///
    /// - Parameters:
    ///   - message: Any number of bytes, none included.
    ///   - key: Of any length; keys over 64 bytes are hashed first, as the RFC says.
    /// - Returns: 32 bytes.
    public static func code(for message: [UInt8], key: [UInt8]) -> [UInt8] {
        #if canImport(CryptoKit)
        return Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
        #else
        var code = [UInt8](repeating: 0, count: SHA256Digest.byteCount)
        let written = unsafe HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &code, nil)
        // Without memory or without a provider of SHA-256 nothing that this is used for can go on.
        guard unsafe written != nil else { fatalError("libcrypto has no HMAC over SHA-256: HMAC failed") }
        return code
        #endif
    }
}
