#if canImport(CryptoKit)
import CryptoKit
#else
import CNewsflashCrypto
#endif

/// The message authentication code HMAC over SHA-256 (RFC 2104).
public enum HMACSHA256 {
    /// Returns the code of a message.
    ///
    /// Compare codes with ``isEqualInConstantTime(_:_:)`` only.
    ///
    /// - Parameters:
    ///   - message: Any number of bytes, including none.
    ///   - key: A key of any length; keys over 64 bytes are hashed first, as the RFC requires.
    /// - Returns: 32 bytes.
    public static func code(for message: [UInt8], key: [UInt8]) -> [UInt8] {
        #if canImport(CryptoKit)
        return Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
        #else
        var code = [UInt8](repeating: 0, count: SHA256Digest.byteCount)
        let written = unsafe HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &code, nil)
        // Fails only without memory or without an implementation of SHA-256; callers cannot continue in either case.
        guard unsafe written != nil else { fatalError("libcrypto has no HMAC over SHA-256: HMAC failed") }
        return code
        #endif
    }
}
