internal import CCrypto
internal import Timestamps

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
