import Signing

/// The key of a shared access policy. Its description and mirror show `<redacted>`.
///
/// Keys in the portal look like base 64, but the service signs with the UTF-8 bytes of the text itself.
public struct SharedAccessKey: Sendable, Equatable {
    private let bytes: [UInt8]

    /// Creates a key from its text.
    ///
    /// - Parameter text: The text shown in the portal; not decoded.
    public init(_ text: String) {
        self.bytes = Array(text.utf8)
    }

    /// The text of the key, for a secrets file or a connection string; never log it.
    public var secretText: String { String(decoding: bytes, as: UTF8.self) }

    /// Returns the code of a shared access signature.
    ///
    /// - Parameters:
    ///   - resource: The resource URI as in `sr`, already percent-encoded.
    ///   - expiry: The value of `se`, in seconds since 1970.
    /// - Returns: 32 bytes, whose base 64 is `sig`.
    public func signature(resource: String, expiry: Int64) -> [UInt8] {
        var message = Array(resource.utf8)
        message.append(UInt8(ascii: "\n"))
        message.append(contentsOf: String(expiry).utf8)
        return HMACSHA256.code(for: message, key: bytes)
    }

    /// Compares in constant time.
    public static func == (left: SharedAccessKey, right: SharedAccessKey) -> Bool {
        isEqualInConstantTime(left.bytes, right.bytes)
    }
}

extension SharedAccessKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A placeholder for the key.
    public var description: String { "<redacted>" }
    /// A placeholder for the key.
    public var debugDescription: String { "<redacted>" }
    /// A mirror without children, so that `dump` does not print the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
