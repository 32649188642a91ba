import Testing

@testable import NewsflashStrictJSON

@Suite(.timeLimit(.minutes(1)))
struct WholeWordsTests {
    @Test(arguments: ["\"", "\\", "\n", "\u{2028}", "\u{2029}", "…", "é", "😀", "a"])
    func `strings are written as character by character`(scalar: Unicode.Scalar) {
        for length in 0...72 {
            for place in 0...length {
                var text = String(repeating: "x", count: length)
                text.unicodeScalars.insert(scalar, at: text.unicodeScalars.index(text.startIndex, offsetBy: place))
                var bytes: [UInt8] = []
                JSONWriter.appendString(text, to: &bytes)
                let plain = "\"" + text.unicodeScalars.map(Self.escaped).joined() + "\""
                #expect(bytes.elementsEqual(plain.utf8), "\(text)")
                #expect(JSONWriter.escapedCount(of: text.utf8.span) == plain.utf8.count - 2, "\(text)")
            }
        }
    }

    @Test(
        arguments: [0, 1, 9, 10, 15, 16, 0xFFFF_FFFF, 0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210, .max] as [UInt64]
    )
    func `hexadecimal digits are those of the number`(number: UInt64) {
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: 16) { $0.append(hexadecimalDigitsOf: number) }
        let digits = String(number, radix: 16)
        #expect(String(decoding: bytes, as: UTF8.self) == String(repeating: "0", count: 16 - digits.count) + digits)
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": #"\""#
        case "\\": #"\\"#
        case "\n": #"\n"#
        case "\u{2028}": #"\u2028"#
        case "\u{2029}": #"\u2029"#
        default: String(scalar)
        }
    }
}
