internal import CNewsflashMicroHTTPD
internal import NewsflashBasics

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

// Unchecked, because GnuTLS only reads through the pointers.
/// A certificate with its issuers and its key, in GnuTLS's form. Kept as long as a handshake may use it.
final class TLSCredentials: @unchecked Sendable {
    /// More certificates than any chain has.
    private static let maximumChain = 32

    fileprivate let chain: UnsafeMutablePointer<gnutls_pcert_st>
    fileprivate let count: UInt32
    fileprivate let key: gnutls_privkey_t

    /// Reads a pair.
    ///
    /// - Parameter tls: The pair in PEM. The initializer fails if certificate and key do not match.
    init?(_ tls: HTTPServerTLS) {
        var certificate = tls.certificate
        var secret = tls.key
        let chain = UnsafeMutablePointer<gnutls_pcert_st>.allocate(capacity: Self.maximumChain)
        var count = UInt32(Self.maximumChain)
        var key: gnutls_privkey_t?
        let isRead = certificate.withUnsafeMutableBufferPointer { certificate in
            secret.withUnsafeMutableBufferPointer { secret in
                var chainText = gnutls_datum_t(data: certificate.baseAddress, size: UInt32(clamping: certificate.count))
                var keyText = gnutls_datum_t(data: secret.baseAddress, size: UInt32(clamping: secret.count))
                guard Self.belongTogether(&chainText, &keyText), gnutls_privkey_init(&key) >= 0 else { return false }
                return gnutls_privkey_import_x509_raw(key, &keyText, GNUTLS_X509_FMT_PEM, nil, 0) >= 0
                    && gnutls_pcert_list_import_x509_raw(chain, &count, &chainText, GNUTLS_X509_FMT_PEM, 0) >= 0
            }
        }
        guard isRead, let key else {
            if let key { gnutls_privkey_deinit(key) }
            chain.deallocate()
            return nil
        }
        self.chain = chain
        self.count = count
        self.key = key
    }

    deinit {
        for index in 0..<Int(count) { gnutls_pcert_deinit(chain + index) }
        chain.deallocate()
        gnutls_privkey_deinit(key)
    }

    private static func belongTogether(_ chain: inout gnutls_datum_t, _ key: inout gnutls_datum_t) -> Bool {
        var credentials: gnutls_certificate_credentials_t?
        guard gnutls_certificate_allocate_credentials(&credentials) >= 0, let credentials else { return false }
        defer { gnutls_certificate_free_credentials(credentials) }
        return gnutls_certificate_set_x509_key_mem2(credentials, &chain, &key, GNUTLS_X509_FMT_PEM, nil, 0) >= 0
    }
}

/// The credentials that a server presents in the next handshake.
///
/// GnuTLS requests them without naming the server, so they are bound to the server's thread, on which all of its handshakes
/// run.
final class ServerCertificates: Sendable {
    /// The last one is presented. Handshakes may use the others, so they are kept: some kilobytes for each renewal.
    private let all: Locked<[TLSCredentials]>

    init(_ first: TLSCredentials) {
        all = Locked([first])
    }

    /// Presents other credentials from now on.
    func use(_ credentials: TLSCredentials) { all.withLock { $0.append(credentials) } }

    /// Makes these the credentials of the calling thread.
    func adopt() { pthread_setspecific(slot, Unmanaged.passUnretained(self).toOpaque()) }

    /// Passes the credentials of the calling thread to GnuTLS.
    ///
    /// - Returns: A negative number if it has none.
    static func show(
        _ chain: UnsafeMutablePointer<UnsafeMutablePointer<gnutls_pcert_st>?>?,
        _ count: UnsafeMutablePointer<UInt32>?,
        _ key: UnsafeMutablePointer<gnutls_privkey_t?>?
    ) -> Int32 {
        guard let pointer = pthread_getspecific(slot) else { return -1 }
        let certificates = Unmanaged<ServerCertificates>.fromOpaque(pointer).takeUnretainedValue()
        guard let credentials = certificates.all.withLock({ $0.last }) else { return -1 }
        chain?.pointee = credentials.chain
        count?.pointee = credentials.count
        key?.pointee = credentials.key
        return 0
    }
}

/// The key under which a thread stores the certificates of its server.
private let slot: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
}()

extension HTTPServer {
    /// Presents another certificate from the next handshake on; open connections are unaffected.
    ///
    /// - Parameter tls: The new pair, for a server that was started with HTTPS.
    /// - Throws: ``HTTPServerError`` if the certificate or its key cannot be used; the previous one remains in use.
    package func renew(_ tls: HTTPServerTLS) throws(HTTPServerError) {
        guard let credentials = TLSCredentials(tls) else {
            throw HTTPServerError(
                code: .certificate,
                message:
                    "the new certificate or its key cannot be used; give both in PEM, and the key without a passphrase"
            )
        }
        core.certificates?.use(credentials)
    }
}
