import NewsflashBasics

/// Conversion of the codes of a feed's subjects and places to categories.
enum SubjectCode {
    /// The category of a code.
    ///
    /// Media Topics become `medtop:` and IPTC's old subject codes `subj:`, in all their spellings. Other codes keep their
    /// scheme, as `<scheme>:<code>`; a scheme that is a URI is put before the code. A query after a URI is dropped.
    ///
    /// - Parameters:
    ///   - text: The code, a QCode or a URI.
    ///   - scheme: Its scheme, if given separately.
    ///   - schemes: Prefixes by the names of schemes in lower case; see ``SourceRules/schemes``.
    /// - Returns: `nil` if the code is not valid as a category.
    static func category(_ text: String, scheme: String?, schemes: [String: String] = [:]) -> String? {
        let code = text.withoutQuery
        let whole = code.lowercasedASCII
        if !schemes.isEmpty, let prefix = schemes[(scheme ?? code.scheme).lowercasedASCII] {
            return sound("\(prefix):\(code.withoutSlash.lastPart)")
        }
        for (prefix, families) in [("medtop:", topicFamilies), ("subj:", subjectFamilies)] {
            let isOfFamily = scheme?.lowercasedASCII.withoutBlanks.names(oneOf: families) ?? false
            let isURI = whole.utf8.contains(UInt8(ascii: "/")) && families.contains { whole.contains($0 + "/") }
            if isOfFamily || isURI || whole.hasPrefix(prefix) {
                let last = code.withoutSlash.lastPart
                // A URI that ends before the code.
                return last.isEmpty || families.contains(last.lowercasedASCII) ? nil : sound(prefix + last)
            }
        }
        guard let scheme, !scheme.isEmpty else {
            return sound(isEightDigits(code) ? (isTopic(code) ? "medtop:" : "subj:") + code : code)
        }
        let joins = scheme.hasSuffix("/") || scheme.hasSuffix("#") || scheme.hasSuffix(":")
        return sound(joins ? scheme + code : "\(scheme.hyphenated):\(code)")
    }

    /// The category of a subject that has only a name: `Business and Finance` becomes `Business-and-Finance`.
    static func named(_ name: String) -> String? { sound(name.hyphenated) }

    /// Whether a category is a code of IPTC, or a place.
    static func isOfIPTC(_ category: String) -> Bool {
        ["medtop:", "subj:", "geo:"].contains { prefix in
            CategoryAlternatives.codes(in: category).contains { $0.hasPrefix(prefix) }
        }
    }

    /// The `geo:` category of a place in ISO 3166: `CZ`, `CZ-10`, or one of these after the name of a scheme.
    static func place(_ code: String, scheme: String?) -> String? {
        let family = (scheme ?? String(code.dropLast(code.lastPart.count))).lowercasedASCII
        guard family.isEmpty || ["iso3166", "iso-3166", "geo", "country"].contains(where: family.contains) else {
            return nil
        }
        let parts = code.lastPart.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let isUpper = { (byte: UInt8) in byte.isLetter && byte == byte & ~0x20 }
        guard let country = parts.first, country.count == 2, country.allSatisfy(isUpper), parts.count <= 2 else {
            return nil
        }
        if parts.count == 2 {
            guard (1...3).contains(parts[1].count), parts[1].allSatisfy({ isUpper($0) || $0.isDigit }) else {
                return nil
            }
        }
        return "geo:" + code.lastPart
    }

    /// Whether the name of a scheme or a type contains a word for places.
    static func namesPlaces(_ scheme: String) -> Bool {
        let words = scheme.lowercasedASCII.split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
        return families.contains { " \(words) ".contains(" \($0)") }
    }

    /// Whether the part of a code before its last part contains a word for places: `geo:CZ`, `http://a.example/places/1`.
    static func hasSchemeOfPlaces(_ code: String) -> Bool { namesPlaces(String(code.dropLast(code.lastPart.count))) }

    /// The beginnings of words for places in the names of schemes.
    private static let families = [
        "place", "geo ", "geograph", "geoname", "location", "country", "countries", "region", "area", "iso3166",
        "iso 3166", "city", "cities",
        "municipalit", "county", "counties", "district",
    ]

    /// Returns the text if it is valid as a category.
    static func sound(_ text: String) -> String? {
        text.utf8.count <= 96 && StringSyntax.category.fits(text) ? text : nil
    }

    private static let topicFamilies = ["mediatopic", "medtop"]
    private static let subjectFamilies = ["subjectcode", "subj"]

    private static func isEightDigits(_ code: String) -> Bool {
        code.utf8.count == 8 && code.utf8.allSatisfy(\.isDigit)
    }

    /// Whether eight digits are a Media Topic: they begin with 2000, or are a root, which old subject codes share.
    private static func isTopic(_ code: String) -> Bool { code.hasPrefix("2000") || code.hasSuffix("000000") }
}

extension String {
    /// Whether a scheme is one of a family: its name, its plural or its URI.
    fileprivate func names(oneOf families: [String]) -> Bool {
        families.contains { self == $0 || hasSuffix($0) || hasSuffix($0 + "s") || contains($0 + "/") }
    }

    /// The part after the last slash, colon or number sign.
    fileprivate var lastPart: String {
        let end = utf8.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "#") }
        return end.map { String(self[utf8.index(after: $0)...]) } ?? self
    }

    /// The scheme of a QCode; empty if absent.
    fileprivate var scheme: String {
        utf8.lastIndex(of: UInt8(ascii: ":")).map { String(self[..<$0]) } ?? ""
    }

    fileprivate var withoutQuery: String {
        utf8.firstIndex(of: UInt8(ascii: "?")).map { String(self[..<$0]) } ?? self
    }

    fileprivate var withoutSlash: String { hasSuffix("/") ? String(dropLast()) : self }

    /// The name of a scheme without blanks, underscores and hyphens.
    fileprivate var withoutBlanks: String {
        let bytes = utf8.filter { $0 != 0x20 && $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The words joined by single hyphens.
    fileprivate var hyphenated: String {
        var isBetween = false
        var bytes: [UInt8] = []
        for byte in utf8 {
            switch byte {
            case 0x20, UInt8(ascii: ","), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"):
                isBetween = true
            default:
                if isBetween, !bytes.isEmpty { bytes.append(UInt8(ascii: "-")) }
                isBetween = false
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
