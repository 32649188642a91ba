internal import CNewsflashCrypto
package import NewsflashTimestamps

/// A private certificate authority. Clients that trust its certificate trust the servers for which it issues certificates:
/// those with this machine's names, or the names that it was created for. Printed without the key.
package struct CertificateAuthority: Sendable, CustomStringConvertible, CustomReflectable {
    /// The certificate that clients must trust, in PEM.
    package let certificate: [UInt8]
    /// The private key in PEM, without a passphrase; a secret.
    package let key: [UInt8]

    /// The local names of this machine, for which it may always issue certificates.
    private static let thisMachine = [
        "DNS:localhost", "IP:127.0.0.0/255.0.0.0", "IP:::1/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    ]
    private static let day: Int64 = 86_400
    /// Some clients refuse a server's certificate that is valid for more than 398 days.
    private static let lifeOfServers = 397 * day
    private static let ownLife = 3650 * day

    /// Creates a new authority.
    ///
    /// - Parameters:
    ///   - names: The names for which it may issue certificates, in addition to `localhost` and the loopback addresses.
    ///   - now: The current time. It is valid from a day earlier, for clients whose clocks are slow, for ten years.
    /// - Throws: ``CertificateError`` if the library refuses.
    package init(for names: [CertificateName] = [], now: Timestamp) throws(CertificateError) {
        try self.init(key: PrivateKey().pem, for: names, now: now)
    }

    /// Creates a new authority for an existing key.
    ///
    /// - Parameters:
    ///   - key: The key in PEM, without a passphrase.
    ///   - names: The same as for a new key.
    ///   - now: The same as for a new key.
    /// - Throws: ``CertificateError`` if the key cannot be read or the library refuses.
    package init(key: [UInt8], for names: [CertificateName] = [], now: Timestamp) throws(CertificateError) {
        let privateKey = try PrivateKey(pem: key)
        // A random mark, to distinguish authorities for people and for certificate stores that search by name.
        let mark = String(UInt32.random(in: .min ... .max), radix: 16)
        let subtrees = (Self.thisMachine + names.map(\.subtree)).map { "permitted;" + $0 }
        let draft = CertificateDraft(
            name: "newsflash hub authority \(mark)",
            begins: Timestamp(seconds: now.seconds - Self.day),
            ends: Timestamp(seconds: now.seconds + Self.ownLife),
            extensions: [
                (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"), (NID_key_usage, "critical,keyCertSign,cRLSign"),
                (NID_subject_key_identifier, "hash"),
                // With the stolen key, nobody can impersonate other hosts to clients that trust it.
                (NID_name_constraints, "critical," + subtrees.joined(separator: ",")),
            ]
        )
        self.certificate = try draft.signItself(with: privateKey).pem
        self.key = key
    }

    /// Reads a stored authority.
    ///
    /// - Parameters:
    ///   - certificate: The certificate in PEM.
    ///   - key: The key in PEM, without a passphrase.
    ///   - now: The current time.
    /// - Throws: ``CertificateError`` if it cannot be read, has expired, or is not an authority.
    package init(certificate: [UInt8], key: [UInt8], now: Timestamp) throws(CertificateError) {
        let read = try Certificate(pem: certificate)
        try read.check(PrivateKey(pem: key), now: now)
        guard read.isAuthority else {
            throw CertificateError(.noAuthority, "the certificate may not sign others")
        }
        guard read.isConstrained else {
            throw CertificateError(
                .otherNames,
                "an earlier version created it for every name: anyone with its key can impersonate any host to its clients; "
                    + "remove it from the clients"
            )
        }
        self.certificate = certificate
        self.key = key
    }

    /// Issues a server's certificate.
    ///
    /// - Parameters:
    ///   - names: The server's names; at least one.
    ///   - now: The current time. The certificate is valid from a day earlier, for 397 days.
    /// - Returns: The certificate with a new key.
    /// - Throws: ``CertificateError`` for a name that the authority does not allow, and if the library refuses.
    package func vouch(for names: [CertificateName], now: Timestamp) throws(CertificateError) -> ServerCertificate {
        let issuer = try Certificate(pem: certificate)
        let issuerKey = try PrivateKey(pem: key)
        let serverKey = try PrivateKey()
        let draft = CertificateDraft(
            // Not a host name: otherwise a certificate that only has addresses would be checked against it, too.
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
            throw CertificateError(.otherNames, "the authority was created for other names than \(asked)")
        }
        return ServerCertificate(certificate: made.pem, key: serverKey.pem)
    }

    /// The description without the key.
    package var description: String { "CertificateAuthority(key: <redacted>)" }
    /// The reflection without the key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A server's certificate with its issuers, and its private key. Printed without the key.
package struct ServerCertificate: Sendable, CustomStringConvertible, CustomReflectable {
    /// The certificates in PEM, the server's own first.
    package let certificate: [UInt8]
    /// The private key in PEM, without a passphrase; a secret.
    package let key: [UInt8]

    init(certificate: [UInt8], key: [UInt8]) {
        self.certificate = certificate
        self.key = key
    }

    /// Reads a certificate and a key that were created elsewhere.
    ///
    /// - Parameters:
    ///   - certificate: The certificates in PEM, the server's own first.
    ///   - key: The key in PEM, without a passphrase.
    ///   - now: The current time.
    /// - Throws: ``CertificateError`` if one cannot be read, if they do not match, or if the certificate is not currently
    ///   valid.
    package init(certificate: [UInt8], key: [UInt8], now: Timestamp) throws(CertificateError) {
        try Certificate(pem: certificate).check(PrivateKey(pem: key), now: now)
        self.init(certificate: certificate, key: key)
    }

    /// The description without the key.
    package var description: String { "ServerCertificate(key: <redacted>)" }
    /// The reflection without the key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
