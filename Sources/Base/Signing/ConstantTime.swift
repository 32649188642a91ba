#if canImport(CryptoKit)
import CryptoKit
#else
import CCrypto
#endif

/// Whether two byte strings are the same, in a time that depends on their lengths only.
///
/// For codes and keys, so that an answer's time does not tell how much of a guess was right.
///
/// - Parameters:
///   - left: What came in.
///   - right: What it should be.
/// - Returns: `false` at once when the lengths differ; lengths are no secret.
public func isEqualInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    #if canImport(CryptoKit)
    // Keys are compared in constant time there, bytes are not.
    return SymmetricKey(data: left) == SymmetricKey(data: right)
    #else
    return (unsafe CRYPTO_memcmp(left, right, left.count)) == 0
    #endif
}
