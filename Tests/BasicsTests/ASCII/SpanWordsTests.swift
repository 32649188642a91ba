import NewsflashBasics
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SpanWordsTests {
    @Test func `the marks of a word are those of its bytes, whatever bytes are beside it`() {
        for byte in UInt8.min...UInt8.max {
            for other: UInt8 in [0, 1, 0x20, 0x21, 0x22, 0x7F, 0x80, 0xFF] {
                for place in 0..<8 {
                    var bytes = [UInt8](repeating: other, count: 8)
                    bytes[place] = byte
                    let word = bytes.span.word(at: 0)
                    for wanted: UInt8 in [0, 0x22, 0x7F, 0xFF] {
                        let marks = bytes.enumerated().filter { $0.element == wanted }.map(\.offset)
                        #expect(places(word.marks(of: wanted)) == marks)
                    }
                    for bound: UInt8 in [1, 0x21, 0x80] {
                        let marks = bytes.enumerated().filter { $0.element & 0x7F < bound }.map(\.offset)
                        #expect(places(word.marks(ofLowBitsBelow: bound)) == marks)
                    }
                }
            }
        }
    }

    private func places(_ marks: UInt64) -> [Int] {
        #expect(marks & ~UInt64.highBits == 0)
        return (0..<8).filter { marks >> UInt64($0 * 8) & 0x80 != 0 }
    }

    @Test func `ranges are equal if all their bytes are equal`() {
        for length in 0...25 {
            let bytes = (0..<length).map { UInt8($0 + 1) }
            #expect(isEqual(bytes, Array(bytes)))
            #expect(!isEqual(bytes, bytes + [0]))
            for place in 0..<length {
                var others = bytes
                others[place] ^= 0x80
                #expect(!isEqual(bytes, others), "\(length) bytes, \(place)")
            }
        }
    }

    @Test(arguments: ["", "v", "url", "kind", "revision", "approvedBy", "a word of many letters"] as [StaticString])
    func `a word is found at each position`(_ word: StaticString) {
        let letters = Array(word.description.utf8)
        for before in 0...9 {
            let bytes = [UInt8](repeating: 0x2D, count: before) + letters
            #expect(hasWord(word, in: bytes, at: before))
            #expect(hasWord(word, in: bytes + [0x2D], at: before))
            for place in letters.indices {
                var others = bytes
                others[before + place] ^= 1
                #expect(!hasWord(word, in: others, at: before))
                #expect(!hasWord(word, in: Array(bytes[..<(before + place)]), at: before))
            }
            #expect(hasWord(word, in: bytes, at: bytes.count) == letters.isEmpty)
            #expect(!hasWord(word, in: bytes, at: bytes.count + 1))
        }
    }

    private func isEqual(_ bytes: [UInt8], _ others: [UInt8]) -> Bool { bytes.span.isEqual(to: others.span) }

    private func hasWord(_ word: StaticString, in bytes: [UInt8], at start: Int) -> Bool {
        bytes.span.hasWord(word, at: start)
    }

    @Test func `all bytes pass if none is at fault`() {
        for length in 0...20 {
            let bytes = [UInt8](repeating: 0x2D, count: length)
            #expect(hasNoBlank(bytes))
            for place in 0..<length {
                var others = bytes
                others[place] = 0x20
                #expect(!hasNoBlank(others), "\(length) bytes, \(place)")
            }
        }
    }

    private func hasNoBlank(_ bytes: [UInt8]) -> Bool {
        bytes.span.allPass(words: { $0.marks(of: 0x20) }, bytes: { $0 == 0x20 })
    }
}
