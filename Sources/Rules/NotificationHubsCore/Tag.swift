import NewsflashBasics

/// A name that devices subscribe to and that a send addresses.
///
/// 1 to 120 of the characters `A-Z a-z 0-9 _ @ # . : -`, or one of the tags that the hub gives an installation:
/// `$InstallationId:{…}` and `$UserId:{…}`, which also allow `=` inside the braces. The .NET SDK also accepts non-ASCII
/// letters. They are rejected here, because tags are sent in an HTTP header, where their encoding is undefined.
///
/// Tags are compared case-sensitively. Whether the service does so is not documented, so use lower case.
///
/// ```swift
/// let sports = try Tag("sports")
/// let anna = try Tag.user("anna")
/// ```
public struct Tag: Hashable, Sendable, CustomStringConvertible {
    /// The maximum number of characters in a tag.
    public static let maximumLength = 120

    /// The tag as written.
    public let description: String

    /// Creates a tag from a checked text.
    ///
    /// - Parameter text: The whole tag; surrounding white space is an error.
    /// - Throws: ``HubValueError`` with the position of the first invalid character.
    public init(_ text: some StringProtocol) throws(HubValueError) {
        var text = String(text)
        if let error = text.withUTF8({ unsafe Self.fault(in: Span(_unsafeElements: $0)) }) { throw error }
        self.description = text
    }

    /// Creates a tag from a text that is known to be valid, or that a hub returned: other clients may have registered tags that
    /// break the rules.
    package init(unchecked text: String) {
        description = text
    }

    /// Whether the tag obeys the rules. Only a tag that a hub returned may break them; it cannot be registered or sent to.
    public var isValid: Bool { fault == nil }

    private var fault: HubValueError? {
        var text = description
        return text.withUTF8 { unsafe Self.fault(in: Span(_unsafeElements: $0)) }
    }

    /// Returns the tag that the hub gives one installation; it addresses only that installation.
    ///
    /// - Parameter id: The installation's ID.
    /// - Returns: `$InstallationId:{id}`.
    /// - Throws: ``HubValueError`` if the ID is not allowed in a tag.
    public static func installation(_ id: String) throws(HubValueError) -> Tag {
        try Tag("$InstallationId:{\(id)}")
    }

    /// Returns the tag that the hub gives all installations of one user.
    ///
    /// - Parameter id: The `userID` of the installations.
    /// - Returns: `$UserId:{id}`.
    /// - Throws: ``HubValueError`` if the ID is not allowed in a tag.
    public static func user(_ id: String) throws(HubValueError) -> Tag {
        try Tag("$UserId:{\(id)}")
    }

    /// Returns the fault of an invalid tag; `nil` if the tag is valid.
    private static func fault(in bytes: Span<UInt8>) -> HubValueError? {
        guard !bytes.isEmpty else {
            return HubValueError(.tagEmpty, "a tag must have at least one character", offset: 0)
        }
        guard bytes.count <= maximumLength else {
            return HubValueError(
                .tagTooLong,
                "a tag must have at most \(maximumLength) characters; this one has \(bytes.count)",
                offset: maximumLength
            )
        }
        let braced = bracedPart(of: bytes)
        let checked = braced ?? bytes.indices
        for index in checked where !(bytes[index].isTagCharacter || (braced != nil && bytes[index] == .equals)) {
            return HubValueError(
                .tagInvalidCharacter,
                "\(name(of: bytes[index])) is not allowed in a tag; allowed are ASCII letters and digits and _ @ # . : -",
                offset: index
            )
        }
        return nil
    }

    /// The range between the braces of `$InstallationId:{…}` or `$UserId:{…}`; at least one character.
    private static func bracedPart(of bytes: Span<UInt8>) -> Range<Int>? {
        guard bytes[0] == UInt8(ascii: "$"), bytes[bytes.count - 1] == UInt8(ascii: "}") else { return nil }
        for prefix in ["$installationid:{", "$userid:{"] {
            let length = prefix.utf8.count
            guard length < bytes.count - 1 else { continue }
            let begins = zip(prefix.utf8, bytes.indices).allSatisfy { $0 == bytes[$1].lowercasedASCII }
            if begins { return length..<bytes.count - 1 }
        }
        return nil
    }

    private static func name(of byte: UInt8) -> String {
        switch byte {
        case 0x21...0x7E: "'\(UnicodeScalar(byte))'"
        case 0x20: "a blank"
        case 0x80...: "a non-ASCII character"
        default: "a control character"
        }
    }
}

extension UInt8 {
    static let equals = UInt8(ascii: "=")

    var isTagCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "@"), UInt8(ascii: "#"),
            UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

/// The rule for the names of users, which the tag `username:NAME` addresses.
package enum UserName {
    /// The maximum number of characters in a name.
    package static let maximumLength = 64

    /// The rule in words, for messages.
    package static let rule = "1 to \(maximumLength) letters, digits and _ @ # . -"

    /// Whether a text is a valid name: only characters of tags, and none with a meaning in a tag expression.
    package static func isValid(_ text: String) -> Bool {
        (1...maximumLength).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isLetterOrDigit || "_@#.-".utf8.contains($0) }
    }
}
