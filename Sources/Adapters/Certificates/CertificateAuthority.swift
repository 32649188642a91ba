internal import CCrypto
package import Timestamps

/// An authority of one's own: whoever trusts its certificate trusts the servers that it vouches for, which have this machine's
/// names or those that it was made for. Prints without the key.
package struct CertificateAuthority: Sendable, CustomStringConvertible, CustomReflectable {
    /// What clients are told to trust, in PEM.
    package let certificate: [UInt8]
    /// In PEM, without a passphrase: a secret.
    package let key: [UInt8]

    /// The names of this machine for itself, for which it may always vouch.
    private static let thisMachine = [
        "DNS:localhost", "IP:127.0.0.0/255.0.0.0", "IP:::1/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    ]
    private static let day: Int64 = 86_400
    /// Some clients refuse more than 398 days of a server's certificate.
    private static let lifeOfServers = 397 * day
    private static let ownLife = 3650 * day

    /// Makes a new authority.
    ///
    /// - Parameters:
    ///   - names: For which it may vouch, beside `localhost` and the loopback addresses.
    ///   - now: Its life begins a day earlier, for clients whose clocks are late, and lasts ten years.
    /// - Throws: ``CertificateError`` where the library refuses.
    package init(for names: [CertificateName] = [], now: Timestamp) throws(CertificateError) {
        try self.init(key: PrivateKey().pem, for: names, now: now)
    }

    /// Makes a new authority for a key that is there already.
    ///
    /// - Parameters:
    ///   - key: In PEM, without a passphrase.
    ///   - names: As with a new key.
    ///   - now: As with a new key.
    /// - Throws: ``CertificateError`` where the key cannot be read or the library refuses.
    package init(key: [UInt8], for names: [CertificateName] = [], now: Timestamp) throws(CertificateError) {
        let privateKey = try PrivateKey(pem: key)
        // Told apart by people who look into their stores, and by stores that look up by name.
        let mark = String(UInt32.random(in: .min ... .max), radix: 16)
        let subtrees = (Self.thisMachine + names.map(\.subtree)).map { "permitted;" + $0 }
        let draft = CertificateDraft(
            name: "newsflash hub authority \(mark)",
            begins: Timestamp(seconds: now.seconds - Self.day),
            ends: Timestamp(seconds: now.seconds + Self.ownLife),
            extensions: [
                (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"), (NID_key_usage, "critical,keyCertSign,cRLSign"),
                (NID_subject_key_identifier, "hash"),
                // A thief of the key cannot pass for another host to clients that trust it.
                (NID_name_constraints, "critical," + subtrees.joined(separator: ",")),
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
        guard read.isConstrained else {
            throw CertificateError(
                .otherNames,
                "an earlier version made it, for every name: whoever reads its key can be any host for those who trust it; "
                    + "tell clients to trust it no more"
            )
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
    /// - Throws: ``CertificateError`` for a name for which it was not made, and where the library refuses.
    package func vouch(for names: [CertificateName], now: Timestamp) throws(CertificateError) -> ServerCertificate {
        let issuer = try Certificate(pem: certificate)
        let issuerKey = try PrivateKey(pem: key)
        let serverKey = try PrivateKey()
        let draft = CertificateDraft(
            // Not a host name: a certificate of addresses alone would be held to it, too.
            name: "newsflash hub",
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
        guard issuer.admits(made) else {
            let asked = names.map(\.description).joined(separator: ", ")
            throw CertificateError(.otherNames, "the authority was made for other names than \(asked)")
        }
        return ServerCertificate(certificate: made.pem, key: serverKey.pem)
    }

    /// Without the key.
    package var description: String { "CertificateAuthority(key: <redacted>)" }
    /// Without the key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
