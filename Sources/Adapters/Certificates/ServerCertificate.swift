package import Timestamps

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
