import NewsflashBasics
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ASCIITests {
    @Test func `each byte has the class of its character`() {
        for byte in UInt8.min...UInt8.max {
            let character = Character(Unicode.Scalar(byte))
            let isASCII = character.isASCII
            #expect(byte.isDigit == (isASCII && character.isNumber), "\(byte)")
            #expect(byte.isLetter == (isASCII && character.isLetter), "\(byte)")
            #expect(byte.isLetterOrDigit == (isASCII && (character.isLetter || character.isNumber)), "\(byte)")
            #expect(byte.hexadecimalValue == (isASCII ? character.hexDigitValue : nil), "\(byte)")
            #expect(byte.isHexadecimalDigit == (isASCII && character.isHexDigit), "\(byte)")
            let lowered = isASCII ? character.lowercased().utf8.first : byte
            #expect(byte.lowercasedASCII == lowered, "\(byte)")
        }
    }

    @Test func `texts are equal if they differ only in the case of letters`() {
        #expect("[x]".isEqualIgnoringASCIICase(to: "[X]"))
        #expect("Retry-After".dropFirst(6).isEqualIgnoringASCIICase(to: "AFTER"))
        #expect(!"[".isEqualIgnoringASCIICase(to: "{"))
        #expect(!"ä".isEqualIgnoringASCIICase(to: "Ä"))
        #expect(!"a".isEqualIgnoringASCIICase(to: "ab"))
    }

    @Test func `only ASCII letters are lowercased`() {
        #expect("GET Ärger İ".lowercasedASCII == "get Ärger İ")
        #expect("".lowercasedASCII == "")
    }
}
