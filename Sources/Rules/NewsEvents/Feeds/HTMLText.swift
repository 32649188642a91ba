import ASCII

/// Headlines and summaries of sources that write HTML.
enum HTMLText {
    /// The text without tags, its character references resolved once.
    ///
    /// Known by name are those of XML, those of Latin-1 and the usual ones of typography; what is not known stays as it is, as
    /// does a `<` that begins no tag. Takes one pass.
    static func plain(_ html: String) -> String {
        let bytes = Array(html.utf8)
        guard bytes.contains(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") }) else { return html }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        // Where no `>` follows any more: a text of many `<` is not searched for each of them.
        var hasMoreTags = true
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "&"), let (scalar, end) = reference(bytes, index) {
                result += String(scalar).utf8
                index = end
            } else if bytes[index] == UInt8(ascii: "<"), hasMoreTags, beginsTag(bytes, index) {
                let end = bytes[(index + 1)...].firstIndex { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }
                if let end, bytes[end] == UInt8(ascii: ">") {
                    if separatesWords(bytes, index) { result.append(0x20) }
                    index = end + 1
                } else {
                    hasMoreTags = end != nil
                    result.append(bytes[index])
                    index += 1
                }
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// A letter follows, or a slash and a letter.
    private static func beginsTag(_ bytes: [UInt8], _ start: Int) -> Bool {
        let next = start + 1 < bytes.count ? bytes[start + 1] : 0
        return next.isLetter || next == UInt8(ascii: "/") && start + 2 < bytes.count && bytes[start + 2].isLetter
    }

    /// Whether a tag stands between words: a break, or a paragraph's or block's edge.
    private static func separatesWords(_ bytes: [UInt8], _ start: Int) -> Bool {
        let name = bytes[(start + 1)...].prefix(12).drop { $0 == UInt8(ascii: "/") }.prefix(while: \.isLetterOrDigit)
        return ["br", "p", "div", "li"].contains(String(decoding: name, as: UTF8.self).lowercasedASCII)
    }

    // MARK: References

    private static let longestName = 10

    /// Reads a reference such as `&eacute;`, `&#233;` or `&#xE9;`.
    ///
    /// - Returns: The character and where the text goes on; nothing where it is no reference that is known.
    private static func reference(_ bytes: [UInt8], _ start: Int) -> (Unicode.Scalar, Int)? {
        let body = bytes[(start + 1)...].prefix(longestName + 1)
        guard let end = body.firstIndex(of: UInt8(ascii: ";")), end > start + 1 else { return nil }
        let name = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
        guard name.hasPrefix("#") else { return named[name].map { ($0, end + 1) } }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        guard
            let code = isHexadecimal ? UInt32(digits: digits.dropFirst(), radix: 16) : UInt32(digits: digits, radix: 10)
        else { return nil }
        return (scalar(code), end + 1)
    }

    /// As browsers read a number: 128 to 159 are those of Windows, and what is no character is U+FFFD.
    private static func scalar(_ code: UInt32) -> Unicode.Scalar {
        if (128...159).contains(code) { return windows[Int(code) - 128] }
        return code == 0 ? "\u{FFFD}" : Unicode.Scalar(code) ?? "\u{FFFD}"
    }

    private static let windows = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars
    )

    /// U+00A0 to U+00FF in order.
    private static let latin1 = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro \
        para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil \
        Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave \
        Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml \
        igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute \
        thorn yuml
        """

    private static let others: [(String, Unicode.Scalar)] = [
        ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'"),
        ("ndash", "–"), ("mdash", "—"), ("lsquo", "‘"), ("rsquo", "’"), ("sbquo", "‚"), ("ldquo", "“"), ("rdquo", "”"),
        ("bdquo", "„"), ("lsaquo", "‹"), ("rsaquo", "›"), ("hellip", "…"), ("bull", "•"), ("prime", "′"),
        ("Prime", "″"),
        ("dagger", "†"), ("Dagger", "‡"), ("permil", "‰"), ("euro", "€"), ("trade", "™"), ("minus", "−"), ("fnof", "ƒ"),
        ("larr", "←"), ("uarr", "↑"), ("rarr", "→"), ("darr", "↓"), ("circ", "ˆ"), ("tilde", "˜"), ("OElig", "Œ"),
        ("oelig", "œ"), ("Scaron", "Š"), ("scaron", "š"), ("Yuml", "Ÿ"), ("ensp", "\u{2002}"), ("emsp", "\u{2003}"),
        ("thinsp", "\u{2009}"), ("zwnj", "\u{200C}"), ("zwj", "\u{200D}"), ("lrm", "\u{200E}"), ("rlm", "\u{200F}"),
    ]

    private static let named: [String: Unicode.Scalar] = {
        var table = Dictionary(uniqueKeysWithValues: others)
        for (offset, name) in latin1.split(separator: " ").enumerated() {
            table[String(name)] = Unicode.Scalar(UInt8(truncatingIfNeeded: 0xA0 + offset))
        }
        return table
    }()
}

extension UInt32 {
    /// Reads digits alone; held at the largest.
    fileprivate init?(digits: Substring, radix: UInt32) {
        guard !digits.isEmpty else { return nil }
        var value: UInt32 = 0
        for byte in digits.utf8 {
            guard let digit = byte.hexadecimalValue, digit < radix else { return nil }
            value = value > 0xFF_FFFF ? .max : value * radix + UInt32(digit)
        }
        self = value
    }
}
