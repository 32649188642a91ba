/// Cleaning of texts from outside for display: composed, without controls, with single blanks.
///
/// The steps, in this order:
/// 1. Dropped: control characters, including the ESC of escape sequences, byte order marks, noncharacters, invisible
///    operators (U+2060 to 2064), and the characters that set the direction of text, because they can reverse a headline;
///    placeholders that show nothing (U+FFF9 to FFFD, private use), and tag characters outside the emoji of a flag, because
///    only programs read them.
/// 2. A run of white space, including line and paragraph separators, becomes one blank; blanks at the ends are dropped. A
///    no-break space between words is kept, because French has one before a colon.
/// 3. Joiners (ZWJ, ZWNJ) are kept inside words and emoji; at the beginning of a word, or doubled, they are dropped.
/// 4. Normalization form C.
/// 5. Marks beyond ``maximumMarks`` on one base are dropped.
///
/// Markup and template syntax are treated like other words. Cleaning a cleaned text changes nothing.
package enum TextCleaning {
    /// The maximum number of marks on one base; no orthography in use needs as many.
    package static let maximumMarks = 8

    /// Cleans a text.
    ///
    /// - Parameter text: Any text.
    /// - Returns: The same string, not copied, if there was nothing to do; empty if nothing in it is visible.
    package static func clean(_ text: String) -> String {
        if isClean(text) { return text }
        var kept = String.UnicodeScalarView()
        collectWhatIsKept(of: text, into: &kept)
        // The standard library's own implementation of form C, on which `==` is based. The only alternative is ICU, with
        // tables of 30 MB.
        let composed = String(decoding: String(kept)._nfcCodeUnits, as: UTF8.self)
        let cleaned = cappingMarks(of: composed)
        return isVisible(cleaned) ? cleaned : ""
    }

    /// Whether a text certainly needs no work: all its characters are unaffected by the rules above.
    ///
    /// May return `false` for a clean text, but never `true` for another.
    private static func isClean(_ text: String) -> Bool {
        switch CleanScan(text.utf8.span) {
        case .clean: return true
        case .dirty: return false
        case .unsure: return isCleanByScalars(text)
        }
    }

    private static func isCleanByScalars(_ text: String) -> Bool {
        var endsInSpace = true
        var marks = 0
        var endsInMarkOfBase = false
        for scalar in text.unicodeScalars {
            guard scalar != " " else {
                if endsInSpace { return false }
                endsInSpace = true
                endsInMarkOfBase = false
                continue
            }
            let isAtWordStart = endsInSpace
            endsInSpace = false
            switch PlainScalar(scalar) {
            case .base:
                marks = 0
                endsInMarkOfBase = false
            case .mark where !endsInMarkOfBase:
                marks += 1
            case .markOfBase where marks == 0 && !endsInMarkOfBase && !isAtWordStart:
                endsInMarkOfBase = true
            case .mark, .markOfBase, nil:
                return false
            }
            if marks > maximumMarks { return false }
        }
        return !endsInSpace
    }

    private static func collectWhatIsKept(of text: String, into kept: inout String.UnicodeScalarView) {
        var pending: Unicode.Scalar?
        var isInFlag = false
        for scalar in text.unicodeScalars where !isDropped(scalar) {
            if isTag(scalar) {
                guard isInFlag else { continue }
                // The last tag of a flag ends it.
                isInFlag = scalar != "\u{E007F}"
            } else {
                isInFlag = scalar == "\u{1F3F4}"
            }
            if scalar.properties.isWhitespace {
                // One breaking space makes the whole run breaking.
                let isBreaking = !isNoBreakSpace(scalar) || pending == " "
                pending = isBreaking ? " " : pending ?? scalar
                continue
            }
            let isAtWordStart = kept.isEmpty || pending != nil
            if isJoiner(scalar), isAtWordStart { continue }
            if let space = pending, !kept.isEmpty { kept.append(space) }
            pending = nil
            kept.append(scalar)
        }
    }

    private static func cappingMarks(of text: String) -> String {
        var result = String.UnicodeScalarView()
        var marks = 0
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if isJoiner(scalar) {
                if let previous, isJoiner(previous) { continue }
            } else if isMark(scalar) {
                marks += 1
                if marks > maximumMarks { continue }
            } else {
                marks = 0
            }
            previous = scalar
            result.append(scalar)
        }
        return String(result)
    }

    private static func isVisible(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
                && scalar.properties.generalCategory != .format && scalar != "\u{2800}"
        }
    }

    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x85: false
        case 0x00...0x1F, 0x7F...0x9F: true
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        case 0x2060...0x2064, 0xFEFF: true
        case 0xFFF9...0xFFFD: true
        default: scalar.properties.isNoncharacterCodePoint || scalar.properties.generalCategory == .privateUse
        }
    }

    /// Whether it is an invisible character that spells the region of a flag.
    private static func isTag(_ scalar: Unicode.Scalar) -> Bool { (0xE0000...0xE007F).contains(scalar.value) }

    private static func isNoBreakSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{A0}" || scalar == "\u{202F}" || scalar == "\u{2007}"
    }

    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{200C}" || scalar == "\u{200D}"
    }

    /// Whether it can pile up on a base without limit: a mark, an emoji modifier, or a tag character of a flag.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: scalar.properties.isGraphemeExtend || scalar.properties.isEmojiModifier
        }
    }
}

/// The class of a character that the fast path of cleaning leaves unchanged: whether it counts as a mark.
///
/// Each of these characters is unchanged in normalization form C and never composes with the one before it, so a text of such
/// characters only is already composed. All other characters take the slow path. The ranges are those of the alphabets that
/// newsrooms write most; a test checks them against the Unicode data of the standard library.
enum PlainScalar {
    case base
    case mark
    /// Unchanged directly after a base; after another mark it might have to change places with it.
    case markOfBase

    /// Looks up a character; `nil` if the slow path must decide.
    ///
    /// - Parameter scalar: Not white space, which the caller handles.
    init?(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x20...0x7E, 0xA1...0xAC, 0xAE...0x2FF: self = .base
        // Greek, Cyrillic.
        case 0x388...0x482, 0x48A...0x52F: self = .base
        // Hebrew, Arabic and Persian letters.
        case 0x5D0...0x5EA, 0x60C, 0x61B, 0x61F...0x64A, 0x660...0x66F, 0x671...0x6D3: self = .base
        // Arabic vowel signs except those that compose.
        case 0x64B...0x652: self = .markOfBase
        // Devanagari. A virama may be among marks, because no class other than its own is allowed beside it.
        case 0x904...0x939, 0x93D, 0x950, 0x960...0x961, 0x964...0x970: self = .base
        case 0x901...0x903, 0x93E...0x94D, 0x962...0x963: self = .mark
        // Thai without vowels below and tone marks, which have classes of their own.
        case 0xE01...0xE30, 0xE32...0xE33, 0xE3F...0xE46, 0xE4F...0xE5B: self = .base
        // Vietnamese and other Latin, dashes, quotation marks, currencies.
        case 0x1E00...0x1EFF, 0x2010...0x2027, 0x2030...0x205E, 0x20A0...0x20C0, 0x2116, 0x2122: self = .base
        // Chinese, Japanese, Korean with their punctuation.
        case 0x3001...0x3029, 0x3041...0x3096, 0x30A0...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7A3: self = .base
        case 0xFF01...0xFF60: self = .base
        default: return nil
        }
    }
}

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
        var isAfterBlank = true
        while index < bytes.count {
            let byte = bytes[index]
            if byte < 0x80 {
                // Visible ASCII, or a single blank.
                guard 0x20..<0x7F ~= byte, byte != 0x20 || !isAfterBlank else {
                    self = .dirty
                    return
                }
                isAfterBlank = byte == 0x20
                index += 1
            } else {
                guard let length = bytes.lengthOfPlainScalar(at: index) else {
                    self = .unsure
                    return
                }
                isAfterBlank = false
                index += length
            }
        }
        self = isAfterBlank && bytes.count > 0 ? .dirty : .clean
    }
}

extension Span<UInt8> {
    /// The length in bytes of a character beyond ASCII that is certainly a base of ``PlainScalar``; `nil` for others.
    fileprivate func lengthOfPlainScalar(at index: Int) -> Int? {
        switch self[index] {
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
