/// How a text is written where it stands in a payload.
package enum TextEncoding: Sendable, Equatable {
    /// Inside a JSON string, without the quotation marks, as `JSONWriter` writes it.
    case json
    /// Between the tags of an XML element, as `XMLWriter` writes it.
    case xml

    /// The bytes of a text.
    ///
    /// - Parameter text: Any text.
    /// - Returns: As many bytes as the writer writes.
    package func bytes(of text: some StringProtocol) -> Int {
        switch self {
        case .json: Self.jsonBytes(of: text)
        case .xml: Self.xmlBytes(of: text)
        }
    }

    /// The bytes of a character of cleaned text that begins with a byte of ASCII.
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
            // U+FFFD for what XML does not know; a carriage return would become another character.
            case 0x0D: count += 5
            case 0x09, 0x0A: count += 1
            case 0..<0x20: count += 3
            default: count += 1
            }
        }
        return count
    }

    private static func jsonBytes(of text: some StringProtocol) -> Int {
        let plain = text.utf8.withContiguousStorageIfAvailable { bytes in
            unsafe bytes.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 != 0xE2 }
                ? bytes.count : -1
        }
        if let plain, plain >= 0 { return plain }
        var count = 0
        var previous: UInt8 = 0
        var beforePrevious: UInt8 = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0A, 0x0C, 0x0D: count += 2
            case 0..<0x20: count += 6
            // U+2028 and U+2029: three bytes that are written as six.
            case 0xA8, 0xA9: count += beforePrevious == 0xE2 && previous == 0x80 ? 4 : 1
            default: count += 1
            }
            beforePrevious = previous
            previous = byte
        }
        return count
    }
}
