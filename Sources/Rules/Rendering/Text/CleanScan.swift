/// Looks through the bytes of a text for anything that cleaning might change.
///
/// Knows ASCII and what Western and Central European alphabets add to it; of all else it is unsure.
enum CleanScan {
    case clean
    case dirty
    /// Has characters that have to be looked up.
    case unsure

    /// Looks through a text.
    ///
    /// - Parameter bytes: UTF-8.
    init(_ bytes: Span<UInt8>) {
        var index = 0
        var isAfterSpace = true
        while index < bytes.count {
            if let last = bytes.plainWord(at: index, isAfterSpace: isAfterSpace) {
                isAfterSpace = last == 0x20
                index += 8
                continue
            }
            let byte = bytes[index]
            if byte == 0x20 {
                if isAfterSpace {
                    self = .dirty
                    return
                }
                isAfterSpace = true
                index += 1
                continue
            }
            guard byte > 0x20, byte != 0x7F else {
                self = .dirty
                return
            }
            guard let length = bytes.lengthOfPlainScalar(at: index) else {
                self = .unsure
                return
            }
            isAfterSpace = false
            index += length
        }
        self = isAfterSpace && bytes.count > 0 ? .dirty : .clean
    }
}

extension Span<UInt8> {
    /// Looks at eight bytes at once.
    ///
    /// - Returns: The last of them, where all are visible ASCII with single blanks between; else nothing is said.
    fileprivate func plainWord(at index: Int, isAfterSpace: Bool) -> UInt8? {
        guard count - index >= 8 else { return nil }
        let word = unsafe withUnsafeBytes {
            unsafe UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        }
        let high: UInt64 = 0x8080_8080_8080_8080
        let ones: UInt64 = 0x0101_0101_0101_0101
        // A borrow may mark the byte above a hit as well, which only sends the word the slow way.
        let control = (word &- 0x2020_2020_2020_2020) & ~word
        let deletion = (word ^ 0x7F7F_7F7F_7F7F_7F7F) &- ones
        let difference = word ^ 0x2020_2020_2020_2020
        let space = (difference &- ones) & ~difference & high
        guard (word | control | (deletion & ~(word ^ 0x7F7F_7F7F_7F7F_7F7F))) & high == 0, space & (space << 8) == 0,
            !(isAfterSpace && space & 0x80 != 0)
        else { return nil }
        return UInt8(truncatingIfNeeded: word >> 56)
    }

    /// How many bytes a character has of which ``PlainScalar`` surely says that it is a base.
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
    /// Whether each scalar is a character for certain, and none but quotes and backslashes is escaped in JSON.
    var isOfPlainScalars: Bool {
        var text = self
        let scan = text.withUTF8 { unsafe CleanScan(Span(_unsafeElements: $0)) }
        if case .clean = scan { return true }
        return false
    }
}
