#if canImport(CryptoKit)
import CryptoKit
#else
import CNewsflashCrypto
#endif

/// SHA-256 (FIPS 180-4).
public enum SHA256Digest {
    /// The length of a digest in bytes.
    public static let byteCount = 32

    #if !canImport(CryptoKit)
    /// Fetched once, because the look-up costs more than a short digest.
    private nonisolated(unsafe) static let algorithm = unsafe EVP_MD_fetch(nil, "SHA256", nil)
    #endif

    /// Returns the digest of some bytes.
    ///
    /// - Parameter bytes: Any number of bytes, including none.
    /// - Returns: ``byteCount`` bytes.
    public static func hash(of bytes: [UInt8]) -> [UInt8] {
        #if canImport(CryptoKit)
        return Array(SHA256.hash(data: bytes))
        #else
        var digest = [UInt8](repeating: 0, count: byteCount)
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe digest.withUnsafeMutableBufferPointer { unsafe write(bytes, to: $0) }
        }
        return digest
        #endif
    }

    /// Returns the first eight bytes of a text's digest, which suffice as an identifier, without allocating an array.
    ///
    /// - Parameter text: Any text, including an empty one; the digest is that of its UTF-8.
    /// - Returns: The bytes as one big-endian number.
    public static func beginning(of text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { bytes in
            #if canImport(CryptoKit)
            var hash = SHA256()
            unsafe hash.update(bufferPointer: UnsafeRawBufferPointer(bytes))
            return hash.finalize().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
            #else
            return unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: byteCount / 8) { digest in
                unsafe digest.initialize(repeating: 0)
                let output = unsafe UnsafeMutableRawBufferPointer(digest).assumingMemoryBound(to: UInt8.self)
                unsafe write(bytes, to: output)
                return unsafe UInt64(bigEndian: digest[0])
            }
            #endif
        }
    }

    #if !canImport(CryptoKit)
    /// Computes the digest of some bytes.
    ///
    /// - Parameters:
    ///   - bytes: Any number of bytes, including none.
    ///   - digest: A buffer of ``byteCount`` bytes.
    private static func write(_ bytes: UnsafeBufferPointer<UInt8>, to digest: UnsafeMutableBufferPointer<UInt8>) {
        // Fails only without memory or without an implementation of SHA-256; callers cannot continue in either case.
        guard unsafe EVP_Digest(bytes.baseAddress, bytes.count, digest.baseAddress, nil, algorithm, nil) == 1 else {
            fatalError("libcrypto has no SHA-256: a digest failed")
        }
    }
    #endif
}
