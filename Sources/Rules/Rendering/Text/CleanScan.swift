/// The result of a search in the bytes of a text for anything that cleaning might change.
///
/// The search covers ASCII and the letters that Western and Central European alphabets add. For all other characters the
/// result is ``unsure``.
enum CleanScan {
    case clean
    case dirty
    /// The text has characters that must be looked up.
    case unsure

    /// Searches a text.
    ///
    /// - Parameter bytes: The text in UTF-8.
    init(_ bytes: Span<UInt8>) {
        var index = 0
        var blank = LastBlank(isThere: true)
        while true {
            index = bytes.endOfPlainASCII(from: index, after: &blank)
            guard index < bytes.count else { break }
            guard bytes[index] >= 0x80 else {
                self = .dirty
                return
            }
            guard let length = bytes.lengthOfPlainScalar(at: index) else {
                self = .unsure
                return
            }
            blank = LastBlank(isThere: false)
            index += length
        }
        self = blank.isThere && bytes.count > 0 ? .dirty : .clean
    }
}

/// Whether the byte before a position is a blank, as the mark that a word has for its lowest byte.
private struct LastBlank {
    var mark: UInt64

    init(isThere: Bool) { mark = isThere ? 0x80 : 0 }

    var isThere: Bool { mark != 0 }
}

/// Eight bytes that are checked at once, the first one lowest. The result for a byte is in its highest bit.
private struct PlainWord {
    /// The blanks, up to the first byte of ``ends``.
    let blanks: UInt64
    /// Bytes that are neither visible ASCII nor a single blank. The lowest mark is right; marks above it may be wrong.
    let ends: UInt64

    @inline(__always)
    init(_ word: UInt64, after blank: LastBlank) {
        let high: UInt64 = 0x8080_8080_8080_8080
        // Only bytes that are not ASCII cause a carry into the next byte.
        let isFromBlank = word &+ 0x6060_6060_6060_6060
        let isFromVisible = word &+ 0x5F5F_5F5F_5F5F_5F5F
        let isDeletion = word &+ 0x0101_0101_0101_0101
        blanks = isFromBlank & ~isFromVisible & high
        ends = (word | ~isFromBlank | isDeletion) & high | blanks & (blanks << 8 | blank.mark)
    }
}

extension Span<UInt8> {
    /// The index of the first byte at or after `start` that is neither visible ASCII nor a single blank, or the end.
    @inline(__always)
    fileprivate func endOfPlainASCII(from start: Int, after blank: inout LastBlank) -> Int {
        var index = start
        let last = count - 8
        while index <= last {
            // The condition keeps the index within the bounds.
            let word = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)
            let plain = PlainWord(UInt64(littleEndian: word), after: blank)
            guard plain.ends == 0 else {
                let bits = plain.ends.trailingZeroBitCount & ~7
                if bits > 0 { blank.mark = plain.blanks >> UInt64(bits - 8) & 0x80 }
                return index &+ bits / 8
            }
            blank.mark = plain.blanks >> 56
            index &+= 8
        }
        while index < count, 0x20..<0x7F ~= self[index] {
            let isBlank = self[index] == 0x20
            if isBlank, blank.isThere { return index }
            blank = LastBlank(isThere: isBlank)
            index += 1
        }
        return index
    }

    /// The length in bytes of a character that is certainly a base of ``PlainScalar``; `nil` for other characters.
    fileprivate func lengthOfPlainScalar(at index: Int) -> Int? {
        switch self[index] {
        case 0..<0x80: return 1
        // U+00C0 to U+02FF.
        case 0xC3...0xCB: return 2
        // U+00A1 to U+00BF without the soft hyphen.
        case 0xC2: return index + 1 < count && self[index + 1] > 0xA0 && self[index + 1] != 0xAD ? 2 : nil
        // U+2010 to U+2027: dashes and quotation marks.
        case 0xE2:
            let isPunctuation = index + 2 < count && self[index + 1] == 0x80 && (0x90...0xA7).contains(self[index + 2])
            return isPunctuation ? 3 : nil
        default: return nil
        }
    }
}

extension String {
    /// Whether each scalar is certainly one character, and only quotes and backslashes are escaped in JSON.
    var isOfPlainScalars: Bool {
        if case .clean = CleanScan(utf8.span) { return true }
        return false
    }
}
