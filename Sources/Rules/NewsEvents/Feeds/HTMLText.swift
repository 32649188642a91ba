import ASCII

/// Conversion of HTML in headlines, summaries and notes to plain text.
enum HTMLText {
    /// Returns the text without tags and comments, with its character references resolved once.
    ///
    /// Knows the names of HTML 4 and XML, and those of the letters of Latin Extended-A. Unknown references stay unchanged, as
    /// does a `<` that does not begin a tag. Block elements separate words. Needs one pass.
    static func plain(_ html: String) -> String {
        guard html.utf8.contains(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") }) else { return html }
        var reader = HTMLTextReader(html)
        return reader.text()
    }

    /// Whether a text contains references or tags that a browser would not show unchanged.
    ///
    /// - Parameter text: A text from a source that is not declared as HTML.
    /// - Returns: `true` if it contains a known reference or a formatting tag.
    static func isLikely(_ text: String) -> Bool {
        // Called for every event, so it checks eight bytes at a time.
        let isPlain = text.utf8.span.allPass(
            words: { $0.marks(of: UInt8(ascii: "&")) | $0.marks(of: UInt8(ascii: "<")) },
            bytes: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") }
        )
        if isPlain { return false }
        let bytes = Array(text.utf8)
        return bytes.indices.contains { index in
            switch bytes[index] {
            case UInt8(ascii: "&"): HTMLReferences.reference(bytes, index) != nil
            case UInt8(ascii: "<"): HTMLTag(bytes, index)?.isOfHTML ?? false && isClosed(bytes, index)
            default: false
            }
        }
    }

    /// Whether a `>` ends a tag within 512 bytes; an editor's tags are shorter.
    private static func isClosed(_ bytes: [UInt8], _ start: Int) -> Bool {
        let rest = bytes[(start + 1)...].prefix(512)
        let end = rest.first { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }
        return end == UInt8(ascii: ">")
    }
}

/// The beginning of a tag, such as `<p` or `</p`.
private struct HTMLTag {
    /// The name in lower case, cut to 12 characters.
    let name: String
    /// Whether the character after the name may follow the name of a tag.
    private let isWhole: Bool

    private static let longestName = 12
    private static let blocks: Set<String> = [
        "address", "article", "aside", "blockquote", "body", "br", "caption", "center", "dd", "div", "dl", "dt",
        "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hgroup", "hr",
        "html", "li", "main", "nav", "ol", "option", "p", "pre", "section", "table", "tbody", "td", "tfoot", "th",
        "thead", "title", "tr", "ul",
    ]
    /// Formatting that the editors of a CMS leave in texts.
    private static let inline: Set<String> = [
        "a", "abbr", "b", "big", "cite", "code", "em", "font", "i", "img", "ins", "del", "mark", "q", "s", "small",
        "span",
        "strike", "strong", "sub", "sup", "tt", "u", "wbr",
    ]

    /// Reads the name after a `<`; `nil` unless a letter follows, or a slash and a letter.
    init?(_ bytes: [UInt8], _ start: Int) {
        var index = start + 1
        if index < bytes.count, bytes[index] == UInt8(ascii: "/") { index += 1 }
        guard index < bytes.count, bytes[index].isLetter else { return nil }
        let name = bytes[index...].prefix(Self.longestName).prefix(while: \.isLetterOrDigit)
        self.name = String(decoding: name, as: UTF8.self).lowercasedASCII
        switch name.endIndex < bytes.count ? bytes[name.endIndex] : 0 {
        case UInt8(ascii: ">"), UInt8(ascii: "/"), 0x20, 0x09, 0x0A, 0x0D: isWhole = true
        default: isWhole = false
        }
    }

    /// Whether the element is a block or a line break.
    var partsWords: Bool { Self.blocks.contains(name) }
    var isOfHTML: Bool { isWhole && (Self.blocks.contains(name) || Self.inline.contains(name)) }
    /// Whether a browser does not show the content of the element.
    var hidesContent: Bool { isWhole && (name == "script" || name == "style") }
}

/// A converter that makes one pass through a text.
private struct HTMLTextReader {
    private let bytes: [UInt8]
    private var index = 0
    private var result: [UInt8] = []
    /// End marks that do not occur again, so that a text with many start marks is not searched for each of them.
    private var missing: Set<String> = []

    init(_ html: String) {
        bytes = Array(html.utf8)
        result.reserveCapacity(bytes.count)
    }

    mutating func text() -> String {
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "&"), let (scalar, end) = HTMLReferences.reference(bytes, index) {
                result += String(scalar).utf8
                index = end
            } else if byte != UInt8(ascii: "<") || !passMarkup() {
                result.append(byte)
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Skips a tag, a comment or a declaration; returns whether there was one.
    private mutating func passMarkup() -> Bool {
        if follows("<!--") {
            guard let end = end("-->", from: index + 4) else { return false }
            index = end
            return true
        }
        if follows("<![CDATA[") {
            guard let end = end("]]>", from: index + 9) else { return false }
            result += bytes[(index + 9)..<(end - 3)]
            index = end
            return true
        }
        let isDeclaration = follows("<!DOCTYPE") || follows("<!doctype") || follows("<?xml")
        let tag = HTMLTag(bytes, index)
        guard isDeclaration || tag != nil, !missing.contains(">") else { return false }
        guard let end = bytes[(index + 1)...].firstIndex(where: { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") })
        else {
            missing.insert(">")
            return false
        }
        guard bytes[end] == UInt8(ascii: ">") else { return false }
        let isEnd = bytes[index + 1] == UInt8(ascii: "/")
        if tag?.partsWords ?? false { result.append(0x20) }
        index = end + 1
        // Browsers do not show the content. Without an end tag it counts as text.
        if let tag, tag.hidesContent, !isEnd, let end = self.end("</" + tag.name, from: index) {
            index = end - tag.name.utf8.count - 2
        }
        return true
    }

    private func follows(_ mark: String) -> Bool { bytes[index...].starts(with: mark.utf8) }

    /// The index after the next end mark; `nil` if absent.
    private mutating func end(_ mark: String, from start: Int) -> Int? {
        guard !missing.contains(mark) else { return nil }
        let mark = Array(mark.utf8)
        var place = start
        while place + mark.count <= bytes.count {
            let isEqual = zip(bytes[place...], mark).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
            if isEqual { return place + mark.count }
            place += 1
        }
        missing.insert(String(decoding: mark, as: UTF8.self))
        return nil
    }
}
