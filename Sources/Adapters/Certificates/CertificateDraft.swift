internal import CCrypto
internal import Timestamps

/// The content of a new certificate (RFC 5280).
struct CertificateDraft {
    /// The subject's common name.
    var name: String
    var begins: Timestamp
    var ends: Timestamp
    /// The extensions in OpenSSL's syntax, with the prefix `critical,` for critical ones.
    var extensions: [(kind: Int32, value: String)]

    /// Signs the certificate with an issuer's key.
    func sign(
        for key: borrowing PrivateKey,
        by issuer: borrowing Certificate,
        with issuerKey: borrowing PrivateKey
    ) throws(CertificateError) -> Certificate {
        try sign(for: key, issuer: issuer.pointer, with: issuerKey)
    }

    /// Signs the certificate with its own key.
    func signItself(with key: borrowing PrivateKey) throws(CertificateError) -> Certificate {
        try sign(for: key, issuer: nil, with: key)
    }

    private func sign(
        for key: borrowing PrivateKey,
        issuer: OpaquePointer?,
        with issuerKey: borrowing PrivateKey
    ) throws(CertificateError) -> Certificate {
        guard let made = X509_new() else { throw Self.refused }
        let certificate = Certificate(made)
        // 63 random bits: positive and unique (section 4.1.2.2).
        let serial = UInt64.random(in: 1...(.max >> 1))
        guard X509_set_version(made, 2) == 1, ASN1_INTEGER_set_uint64(X509_get_serialNumber(made), serial) == 1,
            ASN1_TIME_set(X509_getm_notBefore(made), time_t(begins.seconds)) != nil,
            ASN1_TIME_set(X509_getm_notAfter(made), time_t(ends.seconds)) != nil,
            X509_set_pubkey(made, key.pointer) == 1, let subject = X509_get_subject_name(made),
            Self.add("O", "newsflash", to: subject), Self.add("CN", name, to: subject),
            X509_set_issuer_name(made, issuer.map { X509_get_subject_name($0) } ?? subject) == 1,
            extensions.allSatisfy({ Self.add($0.kind, $0.value, to: made, issuer: issuer ?? made) }),
            X509_sign(made, issuerKey.pointer, EVP_sha256()) > 0
        else {
            ERR_clear_error()
            throw Self.refused
        }
        return certificate
    }

    private static let refused = CertificateError(.refused, "the certificate cannot be created")

    private static func add(_ field: String, _ value: String, to name: OpaquePointer) -> Bool {
        X509_NAME_add_entry_by_txt(name, field, MBSTRING_FLAG, value, -1, -1, 0) == 1
    }

    private static func add(
        _ kind: Int32,
        _ value: String,
        to certificate: OpaquePointer,
        issuer: OpaquePointer
    ) -> Bool {
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer, certificate, nil, nil, 0)
        guard let made = X509V3_EXT_nconf_nid(nil, &context, kind, value) else { return false }
        defer { X509_EXTENSION_free(made) }
        return X509_add_ext(certificate, made, -1) == 1
    }
}
