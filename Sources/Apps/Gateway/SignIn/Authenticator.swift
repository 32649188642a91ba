import NewsflashBasics
package import NewsflashHTTPServer
import NewsflashSigning
package import NewsflashTimestamps
package import NotificationHubs

/// Identifies the user of a request, by one scheme of the `Authorization` header.
package protocol Authenticator: Sendable {
    /// Checks credentials.
    ///
    /// - Parameters:
    ///   - authorization: The header's value as sent.
    ///   - client: The address of the client.
    ///   - now: The current time.
    /// - Returns: The user or the reason of a failure; `nil` if the credentials belong to another scheme, so that the next
    ///   authenticator is asked.
    func authenticate(
        _ authorization: String,
        from client: ClientAddress?,
        now: Timestamp
    ) async -> AuthenticationOutcome?
}

/// The result of a check of credentials.
package enum AuthenticationOutcome: Sendable, Equatable {
    /// The credentials are right.
    case user(GatewayUser)
    /// The credentials are wrong. The reason is a label for the log; the response to the client never shows it.
    case refused(reason: String)
    /// Too many wrong sign-ins from the address; retry after this time.
    case throttled(after: Duration)
    /// Too many checks are waiting; retry later.
    case overloaded
}

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

/// A signed-in person or program.
package struct GatewayUser: Sendable, Hashable {
    /// The maximum number of characters in a name.
    package static let maximumLength = UserName.maximumLength

    /// The name as in the tag `username:`: only lower-case letters, digits and `_ @ # . -`.
    package let name: String
    /// The tag of the user's devices, `username:NAME`.
    package let tag: Tag

    /// Creates a user.
    ///
    /// The name is converted to lower case, because names that differ only in case may be the same for the hub.
    ///
    /// - Parameter name: The name. The result is `nil` if it is empty, too long, or has a character that is not allowed in a
    ///   tag after
    ///   `username:`, so that a name cannot change a tag expression.
    package init?(_ name: String) {
        let name = name.lowercasedASCII
        guard UserName.isValid(name), let tag = try? Tag("username:" + name) else { return nil }
        self.name = name
        self.tag = tag
    }
}
