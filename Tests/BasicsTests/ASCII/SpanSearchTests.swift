import NewsflashBasics
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SpanSearchTests {
    private static let lengths = [0, 1, 7, 8, 9, 16, 17]

    @Test func `letters, digits and a third byte are marked, whatever bytes are beside them`() {
        for neighbor in [0x00, 0x20, 0x2D, 0x41, 0x7F, 0x80, 0xFF] as [UInt8] {
            for byte in UInt8.min...UInt8.max {
                for place in 0..<8 {
                    let bytes = (0..<8).map { $0 == place ? byte : neighbor }
                    let word = bytes.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
                    let marked = { (marks: UInt64) in (0..<8).map { marks >> UInt64($0 * 8 + 7) & 1 == 1 } }

                    #expect(
                        marked(word.marks(ofLettersDigitsAnd: UInt8(ascii: "-")))
                            == bytes.map { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") },
                        "\(bytes)"
                    )
                    #expect(marked(word.marksOfLetters) == bytes.map(\.isLetter), "\(bytes)")
                }
            }
        }
    }

    @Test func `the first byte that stops is found as by a look at each byte`() {
        for length in Self.lengths {
            for place in 0..<max(1, length) {
                for byte in UInt8.min...UInt8.max {
                    var bytes = [UInt8](repeating: 0x21, count: length)
                    // A second one, mostly after the first.
                    if length > 12 { bytes[12] = 0x1F }
                    if place < length { bytes[place] = byte }

                    let plain = bytes.firstIndex { $0 < 0x20 || $0 == 0x3A } ?? length
                    let found = bytes.span.end(
                        from: 0,
                        below: length,
                        marking: { $0.marks(below: 0x20) | $0.marks(of: 0x3A) },
                        while: { $0 >= 0x20 && $0 != 0x3A }
                    )
                    #expect(found == plain, "\(bytes)")
                    let first = bytes.span.firstPlace(of: byte, from: 0, below: length)
                    #expect(first == bytes.firstIndex(of: byte) ?? length, "\(bytes)")
                }
            }
        }
    }

    @Test func `a search does not look outside its range`() {
        let bytes = Array("::::::::a0123456789:::::::::".utf8)

        for limit in 8...19 {
            let place = bytes.span.firstPlace(of: UInt8(ascii: ":"), from: 8, below: limit)
            #expect(place == limit)
        }
    }

    @Test func `a comparison without case has the same result as a look at each byte`() {
        for length in Self.lengths where length > 0 {
            let text = Array("x-MS-retry@after[1234".utf8.prefix(length))
            for place in 0..<length {
                for byte in UInt8.min...UInt8.max {
                    var other = text
                    other[place] = byte

                    let isSame = byte.lowercasedASCII == text[place].lowercasedASCII
                    #expect(isEqual(other, text) == isSame, "\(other)")
                    #expect(isEqual(text, other) == isSame, "\(other)")
                }
            }
            #expect(!isEqual(text, text + [0]))
            #expect(!isEqual(text, text.dropLast()))
        }
    }

    private func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.span.isEqualIgnoringASCIICase(to: right.span)
    }
}
