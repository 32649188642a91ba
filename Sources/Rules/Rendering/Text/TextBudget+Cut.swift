extension TextBudget {
    /// Cuts a text that does not fit.
    ///
    /// Never cuts inside a character. Cuts at the end of a word if there is one in the last fifth of the room, otherwise
    /// anywhere except before closing punctuation. Commas, dashes and opening brackets before the ellipsis are dropped too.
    ///
    /// - Parameter text: Cleaned text.
    /// - Returns: The text itself, or the part of it that fits with the ellipsis; empty if nothing fits.
    package func cut(_ text: String) -> CutText {
        if admits(text) { return CutText(text: text, isCut: false) }
        if text.hasIsolate { return cutIsolated(text) }
        return CutText(text: shortened(text), isCut: true)
    }

    /// The part that fits of a text that is too long.
    private func shortened(_ text: String) -> String {
        let ellipsisBytes = encoding.bytes(of: ellipsis)
        let hasEllipsis = ellipsis.count <= characters && ellipsisBytes <= bytes
        let tail = hasEllipsis ? ellipsis : ""
        let ends = characterEnds(
            of: text,
            count: characters - tail.count,
            bytes: bytes - (hasEllipsis ? ellipsisBytes : 0)
        )
        let count = Self.countBeforeTrailingJoints(of: text, ends: ends, upTo: Self.breakCount(of: text, ends: ends))
        return count > 0 ? String(text[..<text.index(atByte: ends[count - 1])]) + tail : tail
    }

    /// Cuts a text in which a value is isolated from the words around it, and closes the isolate if the cut left it open.
    private func cutIsolated(_ text: String) -> CutText {
        var inner = self
        inner.characters = max(0, characters - 1)
        inner.bytes = max(0, bytes - encoding.bytes(of: String(TextDirection.isolateEnd)))
        var kept = inner.shortened(text)
        let isOpen =
            kept.count { $0 == TextDirection.isolateStart } > kept.count { $0 == TextDirection.isolateEnd }
        if isOpen { kept.append(TextDirection.isolateEnd) }
        return CutText(text: kept, isCut: true)
    }

    /// The ends of the characters that fit, in bytes of UTF-8, beginning with the first.
    private func characterEnds(of text: String, count: Int, bytes: Int) -> [Int] {
        if text.isOfPlainScalars { return scalarEnds(of: text, count: count, bytes: bytes) }
        var ends: [Int] = []
        var room = bytes
        var start = text.startIndex
        while ends.count < count, start < text.endIndex {
            let end = text.index(after: start)
            room -= encoding.bytes(of: text[start..<end])
            if room < 0 { break }
            ends.append(text.utf8.distance(from: text.startIndex, to: end))
            start = end
        }
        return ends
    }

    /// The same for a text in which each scalar is a character.
    private func scalarEnds(of text: String, count: Int, bytes: Int) -> [Int] {
        var text = text
        return text.withUTF8 { utf8 in
            let limit = min(max(0, count), utf8.count)
            var ends: [Int] = []
            ends.append(addingCapacity: limit) { ends in
                var room = bytes
                var end = 0
                while ends.count < limit, end < utf8.count {
                    let first = unsafe utf8[end]
                    let width = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
                    room -= first < 0x80 ? encoding.bytes(ofASCII: first) : width
                    if room < 0 { break }
                    end += width
                    ends.append(end)
                }
            }
            return ends
        }
    }

    /// The number of fitting characters to keep.
    private static func breakCount(of text: String, ends: [Int]) -> Int {
        let lastFifth = (ends.count * 4 + 4) / 5
        for count in stride(from: ends.count, to: max(lastFifth, 1) - 1, by: -1) {
            let rest = text[text.index(atByte: ends[count - 1])...]
            if let next = rest.first, next.isWhitespace, !isClosing(rest.first { !$0.isWhitespace }) { return count }
        }
        var count = ends.count
        while count > ends.count / 2, count > 0, isClosing(text[text.index(atByte: ends[count - 1])...].first) {
            count -= 1
        }
        return count
    }

    /// Drops characters that would lead on to the words that are cut off.
    private static func countBeforeTrailingJoints(of text: String, ends: [Int], upTo limit: Int) -> Int {
        var count = limit
        while count > 0 {
            let last = text[text.index(atByte: count > 1 ? ends[count - 2] : 0)]
            guard last.isWhitespace || isJoint(last) else { break }
            count -= 1
        }
        // A text of only such characters is better than no text.
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

extension String {
    /// Whether it contains ``TextDirection/isolateStart``, found by its bytes.
    fileprivate var hasIsolate: Bool {
        var text = self
        return text.withUTF8 { bytes in
            guard bytes.count > 2 else { return false }
            for place in 0..<bytes.count - 2 where unsafe bytes[place] == 0xE2 {
                if unsafe bytes[place + 1] == 0x81, unsafe bytes[place + 2] == 0xA8 { return true }
            }
            return false
        }
    }

    /// The index after a number of bytes of UTF-8.
    fileprivate func index(atByte offset: Int) -> Index { utf8.index(utf8.startIndex, offsetBy: offset) }
}

/// The result of a cut.
package struct CutText: Sendable, Equatable {
    /// The text.
    package let text: String
    /// Whether it is shorter than the original.
    package let isCut: Bool
}
