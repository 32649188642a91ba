import ASCII

/// Turns the codes of a feed's subjects and places into categories.
enum SubjectCode {
    /// The category of a code.
    ///
    /// Media Topics become `medtop:`, IPTC's old subject codes `subj:`, in whatever form they are written; others keep their
    /// scheme, as `<scheme>:<code>` or, where it is a URI, before the code.
    ///
    /// - Parameters:
    ///   - code: The code, a QCode or a URI.
    ///   - scheme: Its scheme, where that stands apart.
    /// - Returns: Nothing where it can be no category.
    static func category(_ code: String, scheme: String?) -> String? {
        let whole = code.lowercasedASCII
        for (prefix, families) in [("medtop:", topicFamilies), ("subj:", subjectFamilies)] {
            let isOfFamily = scheme?.lowercasedASCII.names(oneOf: families) ?? false
            let isURI = whole.utf8.contains(UInt8(ascii: "/")) && families.contains { whole.contains($0 + "/") }
            if isOfFamily || isURI || whole.hasPrefix(prefix) { return sound(prefix + code.lastPart) }
        }
        guard let scheme, !scheme.isEmpty else {
            return sound(isEightDigits(code) ? (isTopic(code) ? "medtop:" : "subj:") + code : code)
        }
        let joins = scheme.hasSuffix("/") || scheme.hasSuffix("#") || scheme.hasSuffix(":")
        return sound(joins ? scheme + code : "\(scheme):\(code)")
    }

    /// The category `geo:` of a place by ISO 3166: `CZ`, `CZ-10`, or these behind a scheme's name.
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

    /// The text, where it may be a category.
    static func sound(_ text: String) -> String? {
        text.utf8.count <= 96 && TextForm.category.fits(text) ? text : nil
    }

    private static let topicFamilies = ["mediatopic", "medtop"]
    private static let subjectFamilies = ["subjectcode", "subj"]

    private static func isEightDigits(_ code: String) -> Bool {
        code.utf8.count == 8 && code.utf8.allSatisfy(\.isDigit)
    }

    /// Whether eight digits are a Media Topic: a root, which old subject codes have too, or one of the others.
    private static func isTopic(_ code: String) -> Bool { code.hasPrefix("2000") || code.hasSuffix("000000") }
}

extension String {
    /// Whether a scheme is one of a family: its name, its plural or its URI.
    fileprivate func names(oneOf families: [String]) -> Bool {
        families.contains { self == $0 || hasSuffix($0) || hasSuffix($0 + "s") || contains($0 + "/") }
    }

    /// What stands behind the last slash or colon.
    fileprivate var lastPart: String {
        let end = utf8.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "#") }
        return end.map { String(self[utf8.index(after: $0)...]) } ?? self
    }
}
