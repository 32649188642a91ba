package import NewsflashEvents
import NewsflashSigning

/// A generator of the tokens that replace secure events in pushes.
///
/// A token is the only part of a secure event that passes through push services. It is the first half of an HMAC (RFC 2104)
/// of source, story and id of the event, so it cannot be guessed from other tokens. Worker and gateway make the same tokens
/// if they have the same key.
package struct SecureTokens: Sendable, Equatable {
    /// The minimum size of a key in bytes.
    package static let minimumKeyBytes = 16
    /// The number of bytes of the HMAC in a token.
    private static let byteCount = 16

    private let key: [UInt8]?

    /// Creates a generator for rehearsals, which need no key; nothing can be fetched with its tokens.
    package init() { key = nil }

    /// Creates a generator with a key.
    ///
    /// - Parameter key: The result is `nil` if it has fewer than ``minimumKeyBytes`` bytes.
    package init?(key: [UInt8]) {
        guard key.count >= Self.minimumKeyBytes else { return nil }
        self.key = key
    }

    /// Whether there is a key.
    package var hasKey: Bool { key != nil }

    /// The token of an event.
    ///
    /// - Parameter event: A resend and a replay of the event have the same token.
    /// - Returns: 22 letters, digits, `-` and `_`, such as `Yh3vA0pW1cJ8mQ5xT7nK2g`; `no-key` without a key.
    package func token(for event: NewsEvent) -> String {
        guard let key else { return "no-key" }
        var message = Array("newsflash secure event".utf8)
        // The length before each part keeps the messages of different events different.
        for part in [event.source, event.story, event.id] { message += "\0\(part.utf8.count):\(part)".utf8 }
        let code = HMACSHA256.code(for: message, key: key).prefix(Self.byteCount)
        return Base64.encode(Array(code)).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

extension SecureTokens: CustomStringConvertible, CustomReflectable {
    /// Whether there is a key; the key itself is never shown.
    package var description: String { "SecureTokens(\(hasKey ? "<redacted>" : "no key"))" }
    /// An empty mirror, because the key must never be shown.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
