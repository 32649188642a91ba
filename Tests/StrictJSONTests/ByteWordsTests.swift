import Testing

@testable import NewsflashStrictJSON

/// A check of eight bytes at a time has the same result as a check of one at a time.
@Suite(.timeLimit(.minutes(1)))
struct ByteWordsTests {
    @Test func `plain text ends at its first quote, backslash or control character`() {
        for length in 0...17 {
            for place in 0..<max(length, 1) {
                for byte in UInt8.min...UInt8.max {
                    for other: UInt8 in [0x20, 0x21, 0x23, 0x61, 0x5D, 0xC3] {
                        var bytes = [UInt8](repeating: other, count: length)
                        if length > 0 { bytes[place] = byte }
                        for start in [0, 1] where start <= length {
                            let end = bytes[start...].firstIndex { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C } ?? length
                            let isASCII = bytes[start..<end].allSatisfy { $0 < 0x80 }
                            let found = bytes.span.endOfPlainText(from: start)
                            guard found.end != end || found.isASCII != isASCII else { continue }
                            Issue.record("\(bytes) from \(start): \(found), not \(end), \(isASCII)")
                        }
                    }
                }
            }
        }
    }

    private static let sequences: [[UInt8]] = [
        Array("é".utf8), Array("\u{7FF}".utf8), Array("\u{800}".utf8), Array("\u{D7FF}".utf8), Array("\u{E000}".utf8),
        Array("中".utf8), Array("😀".utf8), Array("\u{10FFFF}".utf8), [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3],
        [0xC3, 0xC3], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xE4, 0xB8], [0xF0, 0x8F, 0xBF, 0xBF],
        [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x9F, 0x98], [0xF5, 0x80, 0x80, 0x80], [0xFF],
    ]

    @Test func `invalid UTF-8 is found at its position`() {
        for sequence in Self.sequences {
            let isSound = String(validating: sequence, as: UTF8.self) != nil
            for before in 0...70 {
                for after in [0, 1, 7, 9, 31, 33] {
                    let bytes =
                        [UInt8](repeating: 0x61, count: before) + sequence + [UInt8](repeating: 0x62, count: after)
                    let fault = UTF8Check.firstFault(in: bytes.span)
                    let faultBehindOthers = UTF8Check.firstFault(in: (Array("é中".utf8) + bytes).span)
                    guard fault != (isSound ? nil : before) || faultBehindOthers != fault.map({ $0 + 5 }) else {
                        continue
                    }
                    Issue.record("\(bytes): \(String(describing: fault)), \(String(describing: faultBehindOthers))")
                }
            }
        }
    }

    @Test func `a string is the same whether or not it is known to be ASCII`() {
        for length in 0...40 {
            for letter in ["a", "é"] {
                let text = String(repeating: "a", count: length) + letter
                let bytes = Array(text.utf8)
                let string = bytes.span.text(0..<bytes.count, isASCII: letter == "a")
                #expect(string.utf8.elementsEqual(bytes) && string == text && string.hashValue == text.hashValue)
            }
        }
    }

    @Test func `a duplicate name is found, whatever is between`() throws {
        let names = (0..<40).map {
            String(UnicodeScalar(UInt8(0x41 + $0 % 26))) + String(repeating: "n", count: $0 / 7)
        }
        for first in names.indices {
            var members = names.map { #""\#($0)":1"# }
            #expect(throws: Never.self) { try JSONReader.read("{\(members.joined(separator: ","))}") }
            members.insert(members[first], at: min(first + 1 + first % 5, names.count))
            #expect(throws: JSONError.self) { try JSONReader.read("{\(members.joined(separator: ","))}") }
        }
        #expect(throws: JSONError.self) { try JSONReader.read(#"{"ab":1,"\u0061b":2}"#) }
    }
}
