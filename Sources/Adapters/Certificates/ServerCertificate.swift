package import Timestamps

/// What a server shows and proves: a certificate with those behind it, and its private key. Prints without the key.
package struct ServerCertificate: Sendable, CustomStringConvertible, CustomReflectable {
    /// In PEM, the server's own first.
    package let certificate: [UInt8]
    /// In PEM, without a passphrase: a secret.
    package let key: [UInt8]

    init(certificate: [UInt8], key: [UInt8]) {
        self.certificate = certificate
        self.key = key
    }

    /// Takes a certificate and a key that somebody else made.
    ///
    /// - Parameters:
    ///   - certificate: In PEM, the server's own first.
    ///   - key: In PEM, without a passphrase.
    ///   - now: The present instant.
    /// - Throws: ``CertificateError`` where one cannot be read, where they do not belong together, or where the time of the
    ///   certificate is not now.
    package init(certificate: [UInt8], key: [UInt8], now: Timestamp) throws(CertificateError) {
        try Certificate(pem: certificate).check(PrivateKey(pem: key), now: now)
        self.init(certificate: certificate, key: key)
    }

    /// Without the key.
    package var description: String { "ServerCertificate(key: <redacted>)" }
    /// Without the key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
