import StrictJSON

/// The encoding of a text in a payload.
package enum TextEncoding: Sendable, Equatable {
    /// Inside a JSON string, without the quotation marks, as `JSONWriter` writes it.
    case json
    /// Between the tags of an XML element, as `XMLWriter` writes it.
    case xml

    /// The number of bytes of an encoded text.
    ///
    /// - Parameter text: Any text.
    /// - Returns: The number of bytes that the writer writes.
    package func bytes(of text: some StringProtocol) -> Int {
        switch self {
        case .json: Self.jsonBytes(of: text)
        case .xml: Self.xmlBytes(of: text)
        }
    }

    /// The number of bytes of an encoded character of cleaned text that begins with an ASCII byte.
    func bytes(ofASCII byte: UInt8) -> Int {
        switch (self, byte) {
        case (.json, UInt8(ascii: "\"")), (.json, UInt8(ascii: "\\")): 2
        case (.xml, UInt8(ascii: "&")): 5
        case (.xml, UInt8(ascii: "<")), (.xml, UInt8(ascii: ">")): 4
        default: 1
        }
    }

    private static func xmlBytes(of text: some StringProtocol) -> Int {
        var count = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): count += 5
            case UInt8(ascii: "<"), UInt8(ascii: ">"): count += 4
            // A carriage return is written as a reference, because parsers change it. Other controls, which XML does not
            // allow, become U+FFFD.
            case 0x0D: count += 5
            case 0x09, 0x0A: count += 1
            case 0..<0x20: count += 3
            default: count += 1
            }
        }
        return count
    }

    private static func jsonBytes(of text: some StringProtocol) -> Int {
        text.utf8.withContiguousStorageIfAvailable { unsafe JSONWriter.escapedCount(of: Span(_unsafeElements: $0)) }
            ?? JSONWriter.escapedCount(of: String(text).utf8.span)
    }
}
