/// Why a certificate or a key cannot be used or created.
package struct CertificateError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of error, for decisions by programs.
    package enum Code: String, Sendable {
        /// The bytes are not a certificate in PEM.
        case notACertificate = "certificate_unreadable"
        /// The bytes are not a private key in PEM, or it has a passphrase.
        case notAKey = "key_unreadable"
        /// The key belongs to another certificate.
        case otherKey = "key_of_another_certificate"
        /// The certificate has expired.
        case expired = "certificate_expired"
        /// The certificate is not valid yet.
        case notYetValid = "certificate_not_yet_valid"
        /// The certificate may not sign others.
        case noAuthority = "certificate_no_authority"
        /// The authority may not issue a certificate for a name.
        case otherNames = "certificate_of_other_names"
        /// A file cannot be read.
        case unreadableFile = "certificate_file_unreadable"
        /// A file cannot be created.
        case unwritableFile = "certificate_file_unwritable"
        /// The library refuses, although the input is correct.
        case refused = "certificate_refused"
    }

    /// The kind of error.
    package var code: Code
    /// The text to print after the name of the file; never contains anything of a key.
    package var message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message with its code.
    package var description: String { "\(message) [\(code.rawValue)]" }
}
