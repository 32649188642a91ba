import ASCII
import Signing

/// A name and a password, as in the scheme `Basic` (RFC 7617).
struct BasicCredentials: Sendable {
    let name: String
    let password: [UInt8]

    /// The result of decoding a header's value.
    enum Reading: Sendable {
        /// The header is of another scheme.
        case otherScheme
        case malformed
        case credentials(BasicCredentials)
    }

    /// Decodes the value of `Authorization`.
    ///
    /// - Parameter authorization: The value as sent.
    /// - Returns: The result.
    static func read(_ authorization: String) -> Reading {
        guard let rest = authorization.afterScheme("Basic") else { return .otherScheme }
        let limit = 2 * (PasswordHash.maximumPasswordBytes + GatewayUser.maximumLength)
        guard rest.utf8.count <= limit, let bytes = Base64.decode(rest),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            let name = String(validating: bytes[..<colon], as: UTF8.self),
            bytes.count - colon - 1 <= PasswordHash.maximumPasswordBytes
        else { return .malformed }
        return .credentials(BasicCredentials(name: name, password: Array(bytes[(colon + 1)...])))
    }
}

extension BasicCredentials: CustomStringConvertible, CustomReflectable {
    /// A text without the password.
    var description: String { "BasicCredentials(<redacted>)" }
    /// A mirror without children, so that `dump` does not print the password.
    var customMirror: Mirror { Mirror(self, children: []) }
}

extension String {
    /// The credentials after a scheme and its blanks (RFC 9110, section 11.4), without trailing blanks; `nil` for another
    /// scheme.
    func afterScheme(_ scheme: String) -> String? {
        guard utf8.count > scheme.utf8.count, prefix(scheme.count).isEqualIgnoringASCIICase(to: scheme) else {
            return nil
        }
        let rest = dropFirst(scheme.count)
        guard rest.first == " " else { return nil }
        return String(rest.drop { $0 == " " }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
