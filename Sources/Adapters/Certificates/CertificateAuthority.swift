internal import CCrypto
package import Timestamps

/// An authority of one's own: whoever trusts its certificate trusts the servers that it vouches for. Prints without the key.
package struct CertificateAuthority: Sendable, CustomStringConvertible, CustomReflectable {
    /// What clients are told to trust, in PEM.
    package let certificate: [UInt8]
    /// In PEM, without a passphrase: a secret.
    package let key: [UInt8]

    private static let day: Int64 = 86_400
    /// Some clients refuse more than 398 days of a server's certificate.
    private static let lifeOfServers = 397 * day
    private static let ownLife = 3650 * day

    /// Makes a new authority.
    ///
    /// - Parameter now: Its life begins a day earlier, for clients whose clocks are late, and lasts ten years.
    /// - Throws: ``CertificateError`` where the library refuses.
    package init(now: Timestamp) throws(CertificateError) {
        try self.init(key: PrivateKey().pem, now: now)
    }

    /// Makes a new authority for a key that is there already.
    ///
    /// - Parameters:
    ///   - key: In PEM, without a passphrase.
    ///   - now: As with a new key.
    /// - Throws: ``CertificateError`` where the key cannot be read or the library refuses.
    package init(key: [UInt8], now: Timestamp) throws(CertificateError) {
        let privateKey = try PrivateKey(pem: key)
        // Told apart by people who look into their stores, and by stores that look up by name.
        let mark = String(UInt32.random(in: .min ... .max), radix: 16)
        let draft = CertificateDraft(
            name: "newsflash hub authority \(mark)",
            begins: Timestamp(seconds: now.seconds - Self.day),
            ends: Timestamp(seconds: now.seconds + Self.ownLife),
            extensions: [
                (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"), (NID_key_usage, "critical,keyCertSign,cRLSign"),
                (NID_subject_key_identifier, "hash"),
            ]
        )
        self.certificate = try draft.signItself(with: privateKey).pem
        self.key = key
    }

    /// Takes an authority that was kept.
    ///
    /// - Parameters:
    ///   - certificate: In PEM.
    ///   - key: In PEM, without a passphrase.
    ///   - now: The present instant.
    /// - Throws: ``CertificateError`` where it cannot be read, is over, or is none.
    package init(certificate: [UInt8], key: [UInt8], now: Timestamp) throws(CertificateError) {
        let read = try Certificate(pem: certificate)
        try read.check(PrivateKey(pem: key), now: now)
        guard read.isAuthority else {
            throw CertificateError(.noAuthority, "it is a certificate that may not sign others")
        }
        self.certificate = certificate
        self.key = key
    }

    /// Vouches for a server.
    ///
    /// - Parameters:
    ///   - names: What it is called by; at least one.
    ///   - now: The life of the certificate begins a day earlier and lasts a year and a month.
    /// - Returns: With a key of its own.
    /// - Throws: ``CertificateError`` where the library refuses.
    package func vouch(for names: [CertificateName], now: Timestamp) throws(CertificateError) -> ServerCertificate {
        let issuer = try Certificate(pem: certificate)
        let issuerKey = try PrivateKey(pem: key)
        let serverKey = try PrivateKey()
        let draft = CertificateDraft(
            // No longer than a common name may be; nobody looks at it where there are others.
            name: String((names.first?.description ?? "newsflash hub").prefix(64)),
            begins: Timestamp(seconds: now.seconds - Self.day),
            ends: Timestamp(seconds: now.seconds + Self.lifeOfServers),
            extensions: [
                (NID_basic_constraints, "critical,CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
                (NID_ext_key_usage, "serverAuth"), (NID_subject_key_identifier, "hash"),
                (NID_authority_key_identifier, "keyid"),
                (NID_subject_alt_name, names.map(\.entry).joined(separator: ",")),
            ]
        )
        let made = try draft.sign(for: serverKey, by: issuer, with: issuerKey)
        return ServerCertificate(certificate: made.pem, key: serverKey.pem)
    }

    /// Without the key.
    package var description: String { "CertificateAuthority(key: <redacted>)" }
    /// Without the key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
