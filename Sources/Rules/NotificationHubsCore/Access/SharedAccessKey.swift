import Signing

/// The key of a shared access policy. Prints and mirrors as `<redacted>`.
///
/// The portal shows keys that look like base 64; the service signs with the text itself, as UTF-8.
public struct SharedAccessKey: Sendable, Equatable {
    private let bytes: [UInt8]

    /// Takes a key's text.
    ///
    /// - Parameter text: As the portal shows it; not decoded.
    public init(_ text: String) {
        self.bytes = Array(text.utf8)
    }

    /// The text itself: for a file of secrets or a connection string, never for a log.
    public var secretText: String { String(decoding: bytes, as: UTF8.self) }

    /// The code of a shared access signature.
    ///
    /// - Parameters:
    ///   - resource: The resource URI as it stands in `sr`: percent-encoded already.
    ///   - expiry: The value of `se`: seconds since 1970.
    /// - Returns: 32 bytes; `sig` is their base 64.
    public func signature(resource: String, expiry: Int64) -> [UInt8] {
        var message = Array(resource.utf8)
        message.append(UInt8(ascii: "\n"))
        message.append(contentsOf: String(expiry).utf8)
        return HMACSHA256.code(for: message, key: bytes)
    }

    /// Compares in a time that does not depend on how much is equal.
    public static func == (left: SharedAccessKey, right: SharedAccessKey) -> Bool {
        isEqualInConstantTime(left.bytes, right.bytes)
    }
}

extension SharedAccessKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Never the key.
    public var description: String { "<redacted>" }
    /// Never the key.
    public var debugDescription: String { "<redacted>" }
    /// Without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
