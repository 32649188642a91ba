internal import CNewsflashCrypto
internal import NewsflashTimestamps

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A certificate, which is freed with its owner.
struct Certificate: ~Copyable {
    let pointer: OpaquePointer

    /// Takes ownership of a certificate of OpenSSL.
    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// Reads the first certificate of a file in PEM.
    init(pem: [UInt8]) throws(CertificateError) {
        guard let read = withBuffer(of: pem, { PEM_read_bio_X509($0, nil, nil, nil) }) else {
            throw CertificateError(.notACertificate, "it contains no certificate in PEM")
        }
        pointer = read
    }

    deinit {
        X509_free(pointer)
    }

    /// The certificate in PEM.
    var pem: [UInt8] {
        written { PEM_write_bio_X509($0, pointer) }
    }

    /// Whether it may sign other certificates.
    var isAuthority: Bool { X509_check_ca(pointer) == 1 }

    /// Whether it restricts the names for which its holder may issue certificates (RFC 5280, section 4.2.1.10).
    var isConstrained: Bool {
        X509_get_ext_by_NID(pointer, NID_name_constraints, -1) >= 0
    }

    /// Whether an authority with this certificate may issue a certificate for all names of another one.
    func admits(_ other: borrowing Certificate) -> Bool {
        guard let found = X509_get_ext_d2i(pointer, NID_name_constraints, nil, nil) else { return true }
        let constraints = found.assumingMemoryBound(to: NAME_CONSTRAINTS.self)
        defer { NAME_CONSTRAINTS_free(constraints) }
        // The names of a new certificate are not parsed before this call.
        X509_check_purpose(other.pointer, -1, 0)
        return NAME_CONSTRAINTS_check(other.pointer, constraints) == X509_V_OK
    }

    /// Throws unless the certificate is currently valid and belongs to a key.
    func check(_ key: borrowing PrivateKey, now: Timestamp) throws(CertificateError) {
        guard X509_check_private_key(pointer, key.pointer) == 1 else {
            ERR_clear_error()
            throw CertificateError(.otherKey, "the key belongs to another certificate")
        }
        var instant = time_t(now.seconds)
        if let end = X509_get0_notAfter(pointer), X509_cmp_time(end, &instant) <= 0 {
            throw CertificateError(.expired, "it expired on \(Self.day(end))")
        }
        if let start = X509_get0_notBefore(pointer), X509_cmp_time(start, &instant) > 0 {
            throw CertificateError(.notYetValid, "it is valid from \(Self.day(start)): check this machine's clock")
        }
    }

    private static func day(_ time: UnsafePointer<ASN1_TIME>) -> String {
        var parts = tm()
        guard ASN1_TIME_to_tm(time, &parts) == 1 else { return "a day that cannot be read" }
        func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(1900 + Int(parts.tm_year))-\(two(parts.tm_mon &+ 1))-\(two(parts.tm_mday))"
    }
}

/// A name of a server: a host name, also with `*` as its first label, or an IP address.
package struct CertificateName: Sendable, Hashable, CustomStringConvertible {
    /// The entry for a certificate's `subjectAltName`, in the syntax of OpenSSL's configuration.
    let entry: String
    /// The same as a subtree of `nameConstraints` (RFC 5280, section 4.2.1.10): a host with all its subdomains, or one address.
    let subtree: String
    /// The name as written, in lower case.
    package let description: String

    /// Parses a name; fails for other text.
    ///
    /// - Parameter text: The name without a port; an IPv6 address with or without its brackets.
    package init?(_ text: String) {
        var name = text.lowercased()
        if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
        description = name
        if Self.isAddress(name) {
            entry = "IP:\(name)"
            let isLong = name.contains(":")
            subtree = "IP:\(name)/" + (isLong ? "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff" : "255.255.255.255")
        } else if Self.isHostName(name) {
            entry = "DNS:\(name)"
            subtree = "DNS:\(name.hasPrefix("*.") ? String(name.dropFirst(2)) : name)"
        } else {
            return nil
        }
    }

    private static func isAddress(_ name: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET, name, &address) == 1 || inet_pton(AF_INET6, name, &address) == 1
    }

    /// Labels of letters, digits, `-` and `_` (RFC 1123, section 2.1, and names of containers).
    private static func isHostName(_ name: String) -> Bool {
        let labels = (name.hasPrefix("*.") ? name.dropFirst(2) : name[...])
            .split(separator: ".", omittingEmptySubsequences: false)
        return name.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy { byte in
                        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
                            || byte == UInt8(ascii: "_")
                    }
            }
            // Only digits would be a mistyped address.
            && labels.last?.contains { !$0.isNumber } == true
    }
}

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
