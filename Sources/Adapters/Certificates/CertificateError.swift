/// Why a certificate or a key cannot be used or made.
package struct CertificateError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What went wrong, in kinds that a program can decide on.
    package enum Code: String, Sendable {
        /// The bytes are no certificate in PEM.
        case notACertificate = "certificate_unreadable"
        /// The bytes are no private key in PEM, or one with a passphrase.
        case notAKey = "key_unreadable"
        /// The key belongs to another certificate.
        case otherKey = "key_of_another_certificate"
        /// The certificate's life is over.
        case expired = "certificate_expired"
        /// The certificate's life has not begun.
        case notYetValid = "certificate_not_yet_valid"
        /// The certificate may not sign others.
        case noAuthority = "certificate_no_authority"
        /// The authority may not vouch for a name.
        case otherNames = "certificate_of_other_names"
        /// A file cannot be read.
        case unreadableFile = "certificate_file_unreadable"
        /// A file cannot be made.
        case unwritableFile = "certificate_file_unwritable"
        /// The library refuses; nothing that was given is at fault.
        case refused = "certificate_refused"
    }

    /// What went wrong.
    package var code: Code
    /// What is wrong, to be told behind the name of the file; never anything of a key.
    package var message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message with its label.
    package var description: String { "\(message) [\(code.rawValue)]" }
}
