package import NewsEvents
import Signing

/// Makes the tokens that stand for secure events in pushes.
///
/// A token is the only part of a secure event that travels through push services. It is the
/// first half of an HMAC (RFC 2104) over source, story and id of the event, so nobody can guess it from another.
/// Worker and gateway make the same tokens if they have the same key.
package struct SecureTokens: Sendable, Equatable {
    /// The fewest bytes of a key.
    package static let minimumKeyBytes = 16
    /// The bytes of the HMAC that a token has.
    private static let byteCount = 16

    private let key: [UInt8]?

    /// Makes tokens that nothing can be fetched with: for rehearsals, where no key is needed.
    package init() { key = nil }

    /// Makes tokens under a key.
    ///
    /// - Parameter key: `nil` is returned if it has fewer than ``minimumKeyBytes`` bytes.
    package init?(key: [UInt8]) {
        guard key.count >= Self.minimumKeyBytes else { return nil }
        self.key = key
    }

    /// Whether there is a key.
    package var hasKey: Bool { key != nil }

    /// The token of an event.
    ///
    /// - Parameter event: A resend and a replay of it have the same token.
    /// - Returns: 22 letters, digits, `-` and `_`, such as `Yh3vA0pW1cJ8mQ5xT7nK2g`; `no-key` without a key.
    package func token(for event: NewsEvent) -> String {
        guard let key else { return "no-key" }
        var message = Array("newsflash secure event".utf8)
        // With its length, so that no two events look alike.
        for part in [event.source, event.story, event.id] { message += "\0\(part.utf8.count):\(part)".utf8 }
        let code = HMACSHA256.code(for: message, key: key).prefix(Self.byteCount)
        return Base64.encode(Array(code)).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

extension SecureTokens: CustomStringConvertible, CustomReflectable {
    /// Without the key.
    package var description: String { "SecureTokens(\(hasKey ? "<redacted>" : "no key"))" }
    /// Without the key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
