#if canImport(CryptoKit)
import CryptoKit
#else
import CNewsflashCrypto
#endif

/// Returns whether two byte strings are equal, in a time that depends only on their lengths.
///
/// For codes and keys: the response time must not reveal how much of a guess was right.
///
/// - Parameters:
///   - left: The received value.
///   - right: The expected value.
/// - Returns: `false` immediately if the lengths differ; lengths are not secret.
public func isEqualInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    #if canImport(CryptoKit)
    // CryptoKit compares keys in constant time, but not byte arrays.
    return SymmetricKey(data: left) == SymmetricKey(data: right)
    #else
    return (unsafe CRYPTO_memcmp(left, right, left.count)) == 0
    #endif
}
