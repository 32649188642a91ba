/// The direction of a line.
enum TextDirection: Sendable, Equatable {
    case leftToRight
    case rightToLeft

    /// Starts a text with the direction of its first strong letter.
    static let isolateStart: Character = "\u{2068}"
    /// Ends the text that ``isolateStart`` began.
    static let isolateEnd: Character = "\u{2069}"
    /// An invisible letter of right-to-left direction.
    static let rightToLeftMark: Character = "\u{200F}"

    /// The direction of the first letter that has one. Devices determine the direction of an alert in the same way.
    ///
    /// Follows rule P2 of the Unicode Bidirectional Algorithm, with letters as the strong characters and with right to left
    /// determined by block.
    ///
    /// - Parameter text: Text without isolates.
    /// - Returns: `nil` if there are only digits, signs and emoji.
    static func ofFirstLetter(in text: String) -> TextDirection? {
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x41...0x5A, 0x61...0x7A: return .leftToRight
            case 0..<0x80: continue
            case 0x200F: return .rightToLeft
            default: if isLetter(scalar) { return isRightToLeft(scalar.value) ? .rightToLeft : .leftToRight }
            }
        }
        return nil
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber: true
        default: false
        }
    }

    private static func isRightToLeft(_ value: UInt32) -> Bool {
        switch value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
