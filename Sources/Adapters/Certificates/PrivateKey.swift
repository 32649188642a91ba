internal import CNewsflashCrypto

/// A private key, which is freed with its owner.
struct PrivateKey: ~Copyable {
    let pointer: OpaquePointer

    /// Creates a key on the curve P-256, which every current TLS library supports.
    init() throws(CertificateError) {
        guard let made = ccrypto_make_p256() else { throw CertificateError(.refused, "the key cannot be created") }
        pointer = made
    }

    /// Reads a key in PEM without a passphrase.
    init(pem: [UInt8]) throws(CertificateError) {
        let read = withBuffer(of: pem) { buffer in
            // Without this callback OpenSSL would ask for the passphrase at the terminal.
            PEM_read_bio_PrivateKey(buffer, nil, { _, _, _, _ in 0 }, nil)
        }
        guard let read else {
            throw CertificateError(.notAKey, "it contains no private key in PEM without a passphrase")
        }
        pointer = read
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    /// The key in PEM, PKCS #8 without a passphrase.
    var pem: [UInt8] {
        written { PEM_write_bio_PrivateKey($0, pointer, nil, nil, 0, nil, nil) }
    }
}

/// Returns the output of a function of OpenSSL; empty if it fails.
func written(_ write: (OpaquePointer) -> Int32) -> [UInt8] {
    guard let buffer = BIO_new(BIO_s_mem()) else { return [] }
    defer { BIO_free(buffer) }
    var start: UnsafeMutablePointer<CChar>?
    guard write(buffer) == 1 else { return [] }
    let count = ccrypto_written(buffer, &start)
    guard let start, count > 0 else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: count))
}

/// Passes bytes to a function of OpenSSL.
func withBuffer<Result>(of bytes: [UInt8], _ read: (OpaquePointer) -> Result?) -> Result? {
    guard let count = Int32(exactly: bytes.count), count > 0 else { return nil }
    return bytes.withUnsafeBytes { bytes in
        guard let buffer = BIO_new_mem_buf(bytes.baseAddress, count) else { return nil }
        defer { BIO_free(buffer) }
        let result = read(buffer)
        // The next call must not find the errors of this one.
        ERR_clear_error()
        return result
    }
}
