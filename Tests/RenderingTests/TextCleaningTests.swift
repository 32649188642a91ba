import Testing

@testable import NewsflashRendering

/// The compiler does not accept them as escapes.
private let noncharacters = String(decoding: [0xFFFF, 0xFDD0] as [UInt16], as: UTF16.self)

@Suite(.timeLimit(.minutes(1)))
struct TextCleaningTests {
    @Test(arguments: [
        ("Plain words, 50% off", "Plain words, 50% off"),
        ("  two  blanks \t and\na line ", "two blanks and a line"),
        ("\u{FEFF}Rail\0way re\u{8}opens\u{85} after\u{1B}[31m fire" + noncharacters, "Railway reopens after[31m fire"),
        ("one\u{2028}two\u{2029}three\u{3000}four\u{2009}five", "one two three four five"),
        ("\u{A0}2,25\u{A0}%\u{202F}!\u{A0}", "2,25\u{A0}%\u{202F}!"),
        ("a \u{A0} b\u{A0}\u{202F}c", "a b\u{A0}c"),
        ("abc\u{202E}cba\u{202C}\u{2066}x\u{2069}\u{200F}\u{200E}\u{61C}", "abccbax"),
        ("sum\u{2062}of\u{2060}it", "sumofit"),
        ("e\u{301}te\u{301} Z\u{30C}lut\u{30C}", "été Žluť"),
        ("e\u{2060}\u{301}", "é"),
        ("می\u{200C}خواهم", "می\u{200C}خواهم"),
        ("\u{200D}word \u{200C}word\u{200D}\u{200D}s", "word word\u{200D}s"),
        ("👩\u{200D}👩\u{200D}👧 ❤\u{FE0F} 🏴\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}", nil),
        ("a\u{FFFC}b\u{FFFD} c\u{E000}d\u{F8FF}\u{F0000}\u{FFF9}e\u{FFFA}f\u{FFFB}", "ab cdef"),
        ("Fire\u{E0041}\u{E0042}\u{E007F} out", "Fire out"), ("🏴 \u{E0067}a\u{E0067}", "🏴 a"),
        ("🏴\u{E0067}\u{E0062}\u{E007F}\u{E0041}", "🏴\u{E0067}\u{E0062}\u{E007F}"),
        ("क्षि श्री लाखों 突发：한국어 ⚽ 12'", nil),
        ("&amp; <b>$(headline)</b> {x} %@", nil),
        ("", nil),
        (" \u{200B}\u{200D}\u{FE0F}\u{AD}\u{2800}\u{3164} ", ""),
        ("\u{AD}", ""),
        ("\u{202E}", ""),
    ])
    func `a text is cleaned for display`(_ text: String, _ cleaned: String?) {
        let result = TextCleaning.clean(text)
        #expect(Array(result.unicodeScalars) == Array((cleaned ?? text).unicodeScalars))
    }

    @Test func `a base character has at most eight marks`() {
        let pile =
            "s" + String(repeating: "\u{316}\u{300}\u{489}", count: 150) + "poilt 👍" + String(repeating: "🏻", count: 50)
        let cleaned = TextCleaning.clean(pile)
        #expect(cleaned.unicodeScalars.count == 1 + 8 + 7 + 8)
        #expect(TextCleaning.clean(String(repeating: "\u{93E}", count: 20)).unicodeScalars.count == 8)
    }

    @Test func `a second cleaning changes nothing`() {
        var random = SeededRandom()
        for _ in 0..<20_000 {
            let text = random.text(length: 12)
            let once = TextCleaning.clean(text)
            let twice = TextCleaning.clean(once)
            #expect(
                once.unicodeScalars.elementsEqual(twice.unicodeScalars),
                "seed \(random.seed), \(text.debugDescription)"
            )
        }
    }

    @Test func `a cleaned text is composed and has no character that is dropped`() {
        var random = SeededRandom()
        for _ in 0..<5_000 {
            let cleaned = TextCleaning.clean(random.text(length: 12))
            #expect(cleaned._nfcCodeUnits == Array(cleaned.utf8), "seed \(random.seed)")
            let isFree = !cleaned.unicodeScalars.contains {
                "\u{202E}\u{2066}\u{FEFF}\u{1B}\u{85}\u{2028}".unicodeScalars.contains($0)
            }
            #expect(isFree && !cleaned.hasPrefix(" ") && !cleaned.hasSuffix(" "), "seed \(random.seed)")
        }
    }

    @Test func `characters accepted by the fast path are composed and never compose`() {
        var count = 0
        for value in UInt32(0x21)...0xFFFF {
            guard let scalar = Unicode.Scalar(value), let plain = PlainScalar(scalar) else { continue }
            count += 1
            let alone = String(scalar)
            #expect(alone._nfcCodeUnits == Array(alone.utf8), "U+\(String(value, radix: 16))")
            let combiningClass = scalar.properties.canonicalCombiningClass.rawValue
            let classes: ClosedRange<UInt8> =
                switch plain {
                case .base: 0...0
                case .mark: 0...9
                case .markOfBase: 1...255
                }
            #expect(classes.contains(combiningClass), "U+\(String(value, radix: 16))")
            #expect(plain != .mark || combiningClass == 0 || combiningClass == 9, "U+\(String(value, radix: 16))")
            let category = scalar.properties.generalCategory
            let isMark = [.nonspacingMark, .spacingMark, .enclosingMark].contains(category)
            #expect(isMark == (plain != .base), "U+\(String(value, radix: 16))")
            #expect(!scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint)
            // Starters that compose with the letter before them are marks of the same script or Hangul.
            for base in [
                "a", "\u{928}", "\u{1100}", "\u{AC00}", "\u{30AB}", "\u{627}", "\u{647}", "\u{648}", "\u{64A}",
            ] {
                let pair = base + alone
                #expect(pair._nfcCodeUnits == Array(pair.utf8), "U+\(String(value, radix: 16)) after \(base)")
            }
        }
        #expect(count > 30_000)
    }

    @Test(arguments: [
        ("\u{645}\u{651}\u{64E}", "\u{645}\u{64E}\u{651}"), ("\u{645}\u{64E}\u{651}", "\u{645}\u{64E}\u{651}"),
        ("فوراً", "فوراً"), ("\u{64B}\u{645}", "\u{64B}\u{645}"), ("\u{645}\u{64E}\u{93F}", "\u{645}\u{64E}\u{93F}"),
        ("\u{645}\u{64E}\u{94D}", "\u{645}\u{94D}\u{64E}"),
    ])
    func `vowel signs of Arabic are sorted`(_ text: String, _ cleaned: String) {
        #expect(Array(TextCleaning.clean(text).unicodeScalars) == Array(cleaned.unicodeScalars))
    }

    /// A check of eight bytes at a time finds the same characters as a check of one after the other.
    @Test func `the check of bytes finds each superfluous blank, each control and each unknown character`() {
        var random = SeededRandom()
        let pieces: [Unicode.Scalar] = [" ", " ", "!", "a", "b", "~", "é", "”", "\u{7F}", "\u{1F}", "\u{AD}", "中"]
        for round in 0..<40_000 {
            // Mostly clean pieces, because otherwise little would be checked.
            let choice = round % 2 == 0 ? 8 : pieces.count
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...26, using: &random) {
                let scalar = pieces[Int.random(in: 0..<choice, using: &random)]
                if round % 4 < 2, scalar == " ", text.last == " " || text.isEmpty { continue }
                text.append(scalar)
            }
            let isPlain =
                !text.contains { ["\u{7F}", "\u{1F}", "\u{AD}", "中"].contains($0) } && text.first != " "
                && text.last != " " && !zip(text, text.dropFirst()).contains { $0 == " " && $1 == " " }
            #expect(String(text).isOfPlainScalars == isPlain, "\(String(text).debugDescription)")
        }
    }

    /// A character beside others, at each position of a word of eight bytes.
    @Test func `a character accepted by the check of bytes is a base and a character of its own in the fast path`() {
        for value in UInt32(0)...0xFFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for length in [0, 5, 7] {
                let text = String(repeating: "a", count: length) + String(scalar) + "b c d e f g"
                guard text.isOfPlainScalars else { continue }
                let isBase = if case .base = PlainScalar(scalar) { true } else { false }
                #expect(isBase && text.count == text.unicodeScalars.count, "U+\(String(value, radix: 16))")
            }
        }
        #expect("plain words, “quoted” – naïve, žluť".isOfPlainScalars)
        for text in [" a", "a ", "a  b", "seven b  lanks", "a\tb", "a\u{7F}b", "12345678\u{7F}", "1234567 "] {
            #expect(!text.isOfPlainScalars)
        }
    }
}
