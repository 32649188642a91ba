import ASCII

extension String {
    /// Returns the beginning of the text, at most `length` UTF-16 code units; a surrogate pair is never split.
    ///
    /// That the service counts UTF-16 code units is an assumption, because it is written for .NET.
    func clipped(to length: Int) -> String {
        guard utf8.count > length else { return self }
        var units = 0
        var end = unicodeScalars.startIndex
        while end < unicodeScalars.endIndex {
            units += unicodeScalars[end].utf16.count
            guard units <= length else { break }
            end = unicodeScalars.index(after: end)
        }
        return String(self[..<end])
    }

    /// Returns the text, or its beginning and three dots if it is too long; at most `length` UTF-16 code units.
    func clippedWithDots(to length: Int) -> String {
        let dots = min(length, 3)
        guard utf8.count > length, utf16.count > length else { return self }
        return clipped(to: length - dots) + String(repeating: ".", count: dots)
    }

    /// Whether the service encodes the value of `#( )` as a JSON number: digits with an optional fraction and exponent, without
    /// sign or leading zeros
    /// (https://learn.microsoft.com/azure/notification-hubs/notification-hubs-templates-cross-platform-push-messages).
    var isTemplateNumber: Bool {
        var rest = utf8[...]
        func skipDigits() -> Int {
            let end = rest.firstIndex { !$0.isDigit } ?? rest.endIndex
            defer { rest = rest[end...] }
            return rest.distance(from: rest.startIndex, to: end)
        }
        func skip(_ allowed: String) -> Bool {
            guard let byte = rest.first, allowed.utf8.contains(byte) else { return false }
            rest.removeFirst()
            return true
        }
        let hasLeadingZero = rest.first == UInt8(ascii: "0")
        let whole = skipDigits()
        guard whole > 0, whole == 1 || !hasLeadingZero else { return false }
        if skip("."), skipDigits() == 0 { return false }
        if skip("eE") {
            _ = skip("+-")
            if skipDigits() == 0 { return false }
        }
        return rest.isEmpty
    }
}
