import NotificationHubsCore
import Signing

/// The credentials of a user. Their description and mirror do not contain the secret, and this library never stores them.
///
/// ```swift
/// SignInCredentials.bearer(token: session.accessToken)
/// ```
public enum SignInCredentials: Sendable {
    /// Name and password, as in the tutorial: `.basic(user: "anna", password: field.text)`.
    case basic(user: String, password: String)
    /// A token of OAuth or a similar scheme: `.bearer(token: session.accessToken)`.
    case bearer(token: String)

    /// The value of `Authorization`; `nil` if a header cannot contain it, or if the name could be mistaken for another's.
    var authorization: String? {
        switch self {
        case .basic(let user, let password):
            guard !user.isEmpty, !user.utf8.contains(UInt8(ascii: ":")) else { return nil }
            return "Basic " + Base64.encode(Array("\(user):\(password)".utf8))
        case .bearer(let token):
            guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
            return "Bearer " + token
        }
    }
}

extension SignInCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The scheme without the secret.
    public var description: String {
        switch self {
        case .basic: "Basic <redacted>"
        case .bearer: "Bearer <redacted>"
        }
    }
    /// The scheme without the secret.
    public var debugDescription: String { description }
    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
