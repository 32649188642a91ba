import NewsflashStrictJSON
import Testing

/// Writing many bytes at once, compared with the plain way.
@Suite(.timeLimit(.minutes(1)))
struct JSONOutputTests {
    private static func written(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter(appendingTo: Array("before".utf8))
        write(&writer)
        let text = String(decoding: writer.finish(), as: UTF8.self)
        #expect(text.hasPrefix("before"))
        return String(text.dropFirst(6))
    }

    private static func plainlyQuoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\u{8}": result += "\\b"
            case "\t": result += "\\t"
            case "\n": result += "\\n"
            case "\u{C}": result += "\\f"
            case "\r": result += "\\r"
            case "\u{2028}", "\u{2029}": result += "\\u" + String(scalar.value, radix: 16)
            case _ where scalar.value < 0x20: result += scalar.value < 0x10 ? "\\u000" : "\\u00"; fallthrough
            default:
                result += scalar.value < 0x20 ? String(scalar.value, radix: 16) : String(scalar)
            }
        }
        return result + "\""
    }

    @Test func `characters are escaped at each position of texts of each length`() {
        let strange = [
            "", "\"", "\\", "\u{0}", "\n", "\u{1F}", "\u{7F}", "\u{80}", "é", "\u{2028}", "\u{202A}", "€", "😀", "ÿ",
        ]
        for length in 0...26 {
            for place in 0...length {
                for inserted in strange {
                    let text =
                        String(repeating: "a", count: place) + inserted + String(repeating: "~", count: length - place)
                    let plain = Self.plainlyQuoted(text)
                    #expect(Self.written { $0.value(text) } == plain)
                    var writer = JSONWriter()
                    writer.beginArray()
                    writer.value(text)
                    writer.name(text)
                    writer.endArray()
                    #expect(String(decoding: writer.bytes, as: UTF8.self) == "[\(plain),\(plain):]")
                    var members = JSONWriter()
                    members.member("name", text)
                    members.member("name", text)
                    let member = #""name":\#(plain)"#
                    #expect(String(decoding: members.bytes, as: UTF8.self) == "\(member),\(member)")
                }
            }
        }
    }

    @Test func `several bytes of one text are escaped`() {
        let text = String(repeating: "\u{1}\"plain and long enough\u{2028}é\\", count: 100)
        #expect(Self.written { $0.value(text) } == Self.plainlyQuoted(text))
    }

    @Test func `the digits of integers of each length are written`() {
        var values: [Int64] = [0, .min, .max]
        var power: Int64 = 1
        for digits in 1...18 {
            power *= 10
            values += [
                power - 1, power, power + 1, power / 2, Int64.random(in: 0..<power), Int64(digits) * (power / 9),
            ]
        }
        for value in values + values.map({ 0 &- $0 }) {
            #expect(Self.written { $0.value(value) } == value.description)
        }
    }

    @Test func `doubles are written like their description`() {
        var values: [Double] = [
            0, 0.001, 0.0009, 0.001001, 0.1, 0.3, 0.1 + 0.2, 1, 5, 100, 999_999_999, 1e9, 1e15, 1e16, 1e22, 1e-7, .pi,
            .greatestFiniteMagnitude, .leastNonzeroMagnitude, 123_456.789012, 999_999_999.999999, 0.0010001,
        ]
        for _ in 0..<2000 {
            values.append(Double(Int64.random(in: 0...10_000_000)) / 1000)
            values.append(Double(Int64.random(in: 0...1_000_000_000_000_000)) / 1e6)
            values.append(Double.random(in: 0...1000))
        }
        for value in values + values.map({ -$0 }) {
            #expect(Self.written { $0.value(value) } == value.description)
        }
    }

    @Test func `milliseconds are written with three decimals at most`() {
        let texts: [(Double, String)] = [
            (0, "0"), (-0.0, "0"), (12, "12"), (0.5, "0.5"), (-0.25, "-0.25"), (1.001, "1.001"), (1.0004, "1"),
            (7.01, "7.01"),
            (123_456_789.125, "123456789.125"), (.nan, "null"), (.infinity, "null"), (1e300, "1e+300"),
        ]
        for (value, text) in texts { #expect(Self.written { $0.milliseconds(value) } == text) }
    }
}
