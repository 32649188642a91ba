extension TextBudget {
    /// Cuts a text that does not fit.
    ///
    /// Never inside a character. At the end of a word where one lies in the last fifth of the room, else anywhere but
    /// before punctuation that closes something; commas, dashes and opening brackets before the ellipsis go too.
    ///
    /// - Parameter text: Cleaned text.
    /// - Returns: The text itself, or what fits of it with the ellipsis; empty where not even that fits.
    package func cut(_ text: String) -> CutText {
        if admits(text) { return CutText(text: text, isCut: false) }
        let ellipsisBytes = Self.encodedBytes(of: ellipsis)
        let hasEllipsis = ellipsis.count <= characters && ellipsisBytes <= bytes
        let tail = hasEllipsis ? ellipsis : ""
        let ends = characterEnds(
            of: text,
            count: characters - tail.count,
            bytes: bytes - (hasEllipsis ? ellipsisBytes : 0)
        )
        let count = Self.countBeforeTrailingJoints(of: text, ends: ends, upTo: Self.breakCount(of: text, ends: ends))
        return CutText(text: (count > 0 ? text[..<ends[count - 1]] : "") + tail, isCut: true)
    }

    /// The ends of the characters that fit, from the first on.
    private func characterEnds(of text: String, count: Int, bytes: Int) -> [String.Index] {
        if text.isOfPlainScalars { return scalarEnds(of: text, count: count, bytes: bytes) }
        var ends: [String.Index] = []
        var room = bytes
        var start = text.startIndex
        while ends.count < count, start < text.endIndex {
            let end = text.index(after: start)
            room -= Self.encodedBytes(of: text[start..<end])
            if room < 0 { break }
            ends.append(end)
            start = end
        }
        return ends
    }

    /// The same for a text in which each scalar is a character.
    private func scalarEnds(of text: String, count: Int, bytes: Int) -> [String.Index] {
        var ends: [String.Index] = []
        ends.reserveCapacity(max(0, count))
        var room = bytes
        for index in text.unicodeScalars.indices {
            guard ends.count < count else { break }
            let scalar = text.unicodeScalars[index]
            room -= scalar == "\"" || scalar == "\\" ? 2 : UTF8.width(scalar)
            if room < 0 { break }
            ends.append(text.unicodeScalars.index(after: index))
        }
        return ends
    }

    /// How many of the characters that fit are kept.
    private static func breakCount(of text: String, ends: [String.Index]) -> Int {
        let lastFifth = (ends.count * 4 + 4) / 5
        for count in stride(from: ends.count, to: max(lastFifth, 1) - 1, by: -1) {
            let rest = text[ends[count - 1]...]
            if let next = rest.first, next.isWhitespace, !isClosing(rest.first { !$0.isWhitespace }) { return count }
        }
        var count = ends.count
        while count > ends.count / 2, count > 0, isClosing(text[ends[count - 1]...].first) { count -= 1 }
        return count
    }

    /// Leaves out what would lead on to the words that are cut off.
    private static func countBeforeTrailingJoints(of text: String, ends: [String.Index], upTo limit: Int) -> Int {
        var count = limit
        while count > 0 {
            let start = count > 1 ? ends[count - 2] : text.startIndex
            let last = text[start]
            guard last.isWhitespace || isJoint(last) else { break }
            count -= 1
        }
        // A text of such signs alone is better than none.
        return count > 0 ? count : limit
    }

    private static func isClosing(_ character: Character?) -> Bool {
        guard let scalar = character?.unicodeScalars.first else { return false }
        switch scalar.properties.generalCategory {
        case .closePunctuation, .finalPunctuation: return true
        default: return ".,;:!?…%،؛؟।॥。、，．！？：；".unicodeScalars.contains(scalar)
        }
    }

    private static func isJoint(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first else { return false }
        switch scalar.properties.generalCategory {
        case .openPunctuation, .initialPunctuation, .dashPunctuation: return true
        default: return ",;:،؛、，：；".unicodeScalars.contains(scalar)
        }
    }
}

/// What a cut left.
package struct CutText: Sendable, Equatable {
    /// The text.
    package let text: String
    /// Whether it is shorter than it was.
    package let isCut: Bool
}
