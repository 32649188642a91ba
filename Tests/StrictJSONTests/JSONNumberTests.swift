import NewsflashStrictJSON
import Testing

@Suite(.timeLimit(.minutes(1)))
struct JSONNumberTests {
    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("0.0", 0), ("0e99999999999999999999", 0), ("-0.000e-7", 0), ("1", 1), ("-1", -1),
            ("1.0", 1), ("1e2", 100), ("1E+2", 100), ("100e-2", 1), ("1.50e1", 15), ("-12.5e1", -125), ("10.0e-1", 1),
            ("9007199254740993", 9_007_199_254_740_993), ("9007199254740993.0", 9_007_199_254_740_993),
            ("9223372036854775807", .max), ("-9223372036854775808", .min), ("-9223372036854775808.0", .min),
            ("9223372036854775.807e3", .max), ("9223372036854775808", nil), ("-9223372036854775809.0", nil),
            ("9223372036854775808.0", nil), ("1e19", nil), ("1.5", nil), ("1e-1", nil), ("0.1", nil), ("15e-1", nil),
            ("1e400", nil), ("1e-99999999999999999999", nil), ("1e99999999999999999999", nil),
            ("0.00000000000000000001e20", 1),
        ] as [(String, Int64?)]
    )
    func `a number is an integer if it is exactly one within 64 bits`(_ text: String, _ integer: Int64?) throws {
        #expect(try JSONReader.read(text).int64 == integer)
    }

    @Test(
        arguments: [
            ("0.1", 0.1), ("-1e-7", -1e-7), ("1e400", .infinity), ("-1e400", -.infinity), ("1e-400", 0),
            ("12345678901234567890", 12_345_678_901_234_567_168),
        ] as [(String, Double)]
    )
    func `a number has the nearest double`(_ text: String, _ double: Double) throws {
        #expect(try JSONReader.read(text).double == double)
    }

    @Test(arguments: ["0", "-0", "1.00", "1E+02", "123456789012345678901234567890.5e-0"])
    func `a number stays as it was written`(_ text: String) throws {
        let value = try JSONReader.read(text)
        #expect(value.number?.text == text)
        #expect(JSONNumber(text)?.description == text)
        var writer = JSONWriter()
        writer.value(value)
        #expect(writer.bytes == Array(text.utf8))
    }

    @Test(arguments: ["", " 1", "1 ", "01", "+1", ".5", "NaN", "\"1\"", "[1]", "1,2"])
    func `an invalid spelling of a number is refused`(_ text: String) {
        #expect(JSONNumber(text) == nil)
    }
}
