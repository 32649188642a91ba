import NotificationHubsCore
import Signing

/// What a user signs in with. Prints and mirrors without its secret, and is never stored by this library.
///
/// ```swift
/// SignInCredentials.bearer(token: session.accessToken)
/// ```
public enum SignInCredentials: Sendable {
    /// Name and password, as in the tutorial: `.basic(user: "anna", password: field.text)`.
    case basic(user: String, password: String)
    /// A token of OAuth or the like: `.bearer(token: session.accessToken)`.
    case bearer(token: String)

    /// The value of `Authorization`; nothing where no header can hold it, or a name could pass for another's.
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
    /// The scheme alone.
    public var description: String {
        switch self {
        case .basic: "Basic <redacted>"
        case .bearer: "Bearer <redacted>"
        }
    }
    /// The scheme alone.
    public var debugDescription: String { description }
    /// Without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
