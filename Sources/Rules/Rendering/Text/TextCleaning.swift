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
