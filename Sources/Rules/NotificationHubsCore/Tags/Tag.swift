import ASCII

/// A name that devices register for and that a send is addressed to.
///
/// One to 120 characters of `A-Z a-z 0-9 _ @ # . : -`, or one of the tags that the hub itself gives an installation:
/// `$InstallationId:{…}` and `$UserId:{…}`, which allow `=` inside the braces as well. The .NET SDK also takes letters
/// beyond ASCII; they are refused here, because the tag travels in a header of HTTP, where they have no certain form.
///
/// Two tags are the same when their text is. Whether the service minds the case is not documented: write lower case.
public struct Tag: Hashable, Sendable, CustomStringConvertible {
    /// The most characters a tag may have.
    public static let maximumLength = 120

    /// The tag as written.
    public let description: String

    /// Checks a tag's text.
    ///
    /// - Parameter text: The whole tag; white space around it is an error too.
    /// - Throws: ``TagError`` with the place of the first character that may not be there.
    public init(_ text: some StringProtocol) throws(TagError) {
        var text = String(text)
        if let error = text.withUTF8({ unsafe Self.fault(in: Span(_unsafeElements: $0)) }) { throw error }
        self.description = text
    }

    /// Takes a text that is known to be a tag's.
    package init(checked text: String) {
        description = text
    }

    /// The tag that the hub gives one installation, to reach exactly that one.
    ///
    /// - Parameter id: The installation's id.
    /// - Returns: `$InstallationId:{id}`.
    /// - Throws: ``TagError`` for an id that cannot stand in a tag.
    public static func installation(_ id: String) throws(TagError) -> Tag {
        try Tag("$InstallationId:{\(id)}")
    }

    /// The tag that the hub gives all installations of one user.
    ///
    /// - Parameter id: The `userID` of the installations.
    /// - Returns: `$UserId:{id}`.
    /// - Throws: ``TagError`` for an id that cannot stand in a tag.
    public static func user(_ id: String) throws(TagError) -> Tag {
        try Tag("$UserId:{\(id)}")
    }

    /// Why bytes are no tag; `nil` where they are one.
    private static func fault(in bytes: Span<UInt8>) -> TagError? {
        guard !bytes.isEmpty else { return TagError(.empty, "a tag has at least one character", offset: 0) }
        guard bytes.count <= maximumLength else {
            return TagError(
                .tooLong,
                "a tag has at most \(maximumLength) characters, this one has \(bytes.count)",
                offset: maximumLength
            )
        }
        let braced = bracedPart(of: bytes)
        let checked = braced ?? bytes.indices
        for index in checked where !(bytes[index].isTagCharacter || (braced != nil && bytes[index] == .equals)) {
            return TagError(
                .invalidCharacter,
                "\(name(of: bytes[index])) may not stand in a tag; allowed are letters and digits of ASCII and _ @ # . : -",
                offset: index
            )
        }
        return nil
    }

    /// What stands between the braces of `$InstallationId:{…}` or `$UserId:{…}`, at least one character.
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
        case 0x80...: "a character beyond ASCII"
        default: "a control character"
        }
    }
}

/// Why a text is no tag.
public struct TagError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The short label for metrics.
        public var rawValue: String

        /// Makes a code.
        ///
        /// - Parameter rawValue: A short label in snake case.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is no character.
        public static let empty = Code(rawValue: "tag_empty")
        /// There are more than ``Tag/maximumLength`` characters.
        public static let tooLong = Code(rawValue: "tag_too_long")
        /// A character may not stand in a tag.
        public static let invalidCharacter = Code(rawValue: "tag_invalid_character")
    }

    /// What is wrong.
    public let code: Code
    /// What is wrong and what is allowed; does not repeat the text.
    public let message: String
    /// Where, in bytes of UTF-8 from the start of the text.
    public let offset: Int

    init(_ code: Code, _ message: String, offset: Int) {
        self.code = code
        self.message = message
        self.offset = offset
    }

    /// The message with the place and the label.
    public var description: String { "\(message) (at byte \(offset)) [\(code.rawValue)]" }
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
