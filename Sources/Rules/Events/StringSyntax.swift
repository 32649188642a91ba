import NewsflashBasics

/// The form of a string in an event, apart from its length.
enum StringSyntax {
    /// Any text.
    case free
    /// Any text except the empty one.
    case name
    /// `^[!-~]+$`
    case identifier
    /// A URI reference, checked only for harmful content: not empty, no blanks, no controls.
    case uriReference
    /// A bare word or `prefix:code`: `^[A-Za-z0-9][A-Za-z0-9._:/-]{0,95}$`
    case category
    /// Several categories separated by `|`, which only decoders of feeds write; see ``CategoryAlternatives``.
    case categories
    /// A user's name, which becomes part of a tag: `^[A-Za-z0-9_@#.:-]+$`
    case user
    /// A language tag with the shape of BCP 47: `^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$`
    case languageTag
    /// `^https://[^/?#:]`, followed by the rest of a host; no blanks, no controls. Letters of any script are allowed, because
    /// browsers accept them.
    case link

    /// Whether a text has the form.
    func fits(_ text: String) -> Bool {
        fits(text.utf8.span)
    }

    /// Whether a text in UTF-8 has the form.
    func fits(_ text: Span<UInt8>) -> Bool {
        switch self {
        case .free: true
        case .name: !text.isEmpty
        case .identifier: !text.isEmpty && text.isVisibleASCII
        case .uriReference: !text.isEmpty && text.hasNeitherBlanksNorControls
        case .category:
            !text.isEmpty && text[0].isLetterOrDigit && !text.contains(where: { !$0.mayStandInCategory })
        case .categories:
            !text.isEmpty && text[0].isLetterOrDigit
                && !text.contains(where: { !$0.mayStandInCategory && $0 != UInt8(ascii: "|") })
        case .user: !text.isEmpty && !text.contains(where: { !$0.mayStandInTag })
        case .languageTag: Self.isLanguageTag(text)
        case .link: text.hasHostOfLink && text.hasNeitherBlanksNorControls
        }
    }

    /// The complaint about a text that does not have the form.
    var complaint: String {
        switch self {
        case .free: "cannot be read"
        case .name: "must not be empty"
        case .identifier: "must be printable ASCII without blanks, and not empty"
        case .uriReference: "must be a URI reference without blanks and controls, and not empty"
        case .category, .categories: "must begin with a letter or digit and hold only letters, digits and . _ : / -"
        case .user: "must hold only letters, digits and _ @ # . : -, and not be empty"
        case .languageTag: "must be a language tag such as en or pt-BR"
        case .link: "must begin with https:// and a host, and hold no blanks and controls"
        }
    }

    private static func isLanguageTag(_ text: Span<UInt8>) -> Bool {
        var length = 0
        var isFirst = true
        for index in text.indices {
            let byte = text[index]
            if byte == UInt8(ascii: "-") {
                guard (isFirst ? 2...8 : 1...8).contains(length) else { return false }
                length = 0
                isFirst = false
            } else {
                guard isFirst ? byte.isLetter : byte.isLetterOrDigit else { return false }
                length += 1
            }
        }
        return (isFirst ? 2...8 : 1...8).contains(length)
    }
}

extension Span<UInt8> {
    /// Whether it begins with `https://` and a character that may begin a host.
    fileprivate var hasHostOfLink: Bool {
        guard count > 8, hasWord("https://", at: 0) else { return false }
        switch self[8] {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: ":"): return false
        default: return true
        }
    }

    /// Whether all bytes are from 0x21 to 0x7E.
    fileprivate var isVisibleASCII: Bool {
        allPass(
            words: { $0 | $0.marks(ofLowBitsBelow: 0x21) | $0.marks(of: 0x7F) },
            bytes: { !(0x21...0x7E).contains($0) }
        )
    }

    fileprivate var hasNeitherBlanksNorControls: Bool {
        allPass(
            words: { ($0.marks(ofLowBitsBelow: 0x21) & ~$0) | $0.marks(of: 0x7F) },
            bytes: { !$0.isNeitherBlankNorControl }
        )
    }
}

extension UInt8 {
    fileprivate var isNeitherBlankNorControl: Bool { self > 0x20 && self != 0x7F }

    fileprivate var mayStandInTag: Bool {
        switch self {
        case UInt8(ascii: "_"), UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: "."), UInt8(ascii: ":"),
            UInt8(ascii: "-"):
            true
        default: isLetterOrDigit
        }
    }

    fileprivate var mayStandInCategory: Bool {
        switch self {
        case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "-"): true
        default: isLetterOrDigit
        }
    }
}

extension String {
    /// Whether it is valid as a code in an event's categories.
    package var isCategoryCode: Bool { utf8.count <= 96 && StringSyntax.category.fits(self) }
}

extension String {
    /// Converts the text for a header, a log or a message: printable ASCII without blanks, of limited length.
    ///
    /// - Parameter limit: The maximum length in bytes.
    /// - Returns: The text, cut to the limit, with each other character replaced by `?`.
    func printable(limit: Int) -> String {
        var result: [UInt8] = []
        for scalar in unicodeScalars.prefix(limit) {
            let isPrintable = (0x21...0x7E).contains(scalar.value)
            result.append(isPrintable ? UInt8(truncatingIfNeeded: scalar.value) : UInt8(ascii: "?"))
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The text in quotation marks for a message: converted like ``printable(limit:)``, but with its blanks.
    func quoted(limit: Int) -> String {
        "'"
            + split(separator: " ", omittingEmptySubsequences: false).map {
                $0.isEmpty ? "" : String($0).printable(limit: limit)
            }
            .joined(separator: " ").prefix(limit) + "'"
    }
}

extension FixedWidthInteger {
    /// Reads a number that consists of decimal digits only. The standard library would also accept a sign.
    ///
    /// - Parameter digits: Leading zeros are allowed. The result is `nil` if the number does not fit.
    package init?(digits: some StringProtocol) {
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else { return nil }
        self.init(digits, radix: 10)
    }
}
