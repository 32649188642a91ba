import NewsflashStrictJSON
import Testing

@Suite(.timeLimit(.minutes(1)))
struct JSONWriterTests {
    @Test func `commas and colons are written at their places`() {
        var writer = JSONWriter(reservingCapacity: 100)
        writer.beginObject()
        writer.name("a")
        writer.value(1)
        writer.name("b")
        writer.beginArray()
        writer.value("x")
        writer.null()
        writer.value(true)
        writer.value(-0.5)
        writer.beginObject()
        writer.endObject()
        writer.beginArray()
        writer.endArray()
        writer.raw(#"{"raw":[]}"#.utf8)
        writer.value(Int64.min)
        writer.endArray()
        writer.name("c")
        writer.value(false)
        writer.endObject()
        let text = #"{"a":1,"b":["x",null,true,-0.5,{},[],{"raw":[]},-9223372036854775808],"c":false}"#
        #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
    }

    @Test(arguments: [
        ("", #""""#), ("plain", #""plain""#), ("\"\\/", #""\"\\/""#), ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#),
        ("\u{0}\u{B}\u{1F}\u{7F}", "\"\\u0000\\u000b\\u001f\u{7F}\""), ("é中😀</b>", "\"é中😀</b>\""),
        ("a\u{2028}b\u{2029}", #""a\u2028b\u2029""#), ("\u{2027}\u{202A}â\u{20A8}", "\"\u{2027}\u{202A}â\u{20A8}\""),
        ("ends\"", #""ends\"""#),
    ])
    func `only the necessary characters are escaped`(_ value: String, _ text: String) throws {
        var writer = JSONWriter()
        writer.value(value)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
        #expect(try JSONReader.read(writer.bytes) == .string(value))
    }

    @Test func `a string is written alone for a text that is laid out elsewhere`() {
        var bytes = Array("[".utf8)
        JSONWriter.appendString("a\"b", to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == #"["a\"b""#)
    }

    @Test(arguments: ["", "plain", "a \"quote\"", "\n", "größe", String(repeating: "x", count: 600)])
    func `a prepared text is written like any other`(value: String) {
        let size = "größe\""
        var plain = JSONWriter()
        plain.beginObject()
        plain.member("first", "1")
        plain.member(size, value)
        plain.member("last", "2")
        plain.endObject()
        var first = JSONWriter()
        first.member("first", "1")
        var last = JSONWriter()
        last.member("last", "2")
        let (before, after) = (first.finish(), last.finish())
        var written = JSONWriter()
        written.beginObject()
        written.members(prepared: before.span)
        written.members(prepared: [UInt8]().span)
        written.name(prepared: JSONWriter.prepared(name: size))
        written.value(value)
        written.members(prepared: after.span)
        written.endObject()
        #expect(written.bytes == plain.bytes)
    }

    @Test func `names are escaped like strings`() throws {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("\"\n")
        writer.null()
        writer.endObject()
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"\"\n":null}"#)
    }

    @Test(arguments: [
        0, 0.1, -1e-7, 1e300, Double.leastNonzeroMagnitude, 123_456_789.125, 1e16, Double.greatestFiniteMagnitude,
    ])
    func `doubles that are written are read back the same`(_ double: Double) throws {
        var writer = JSONWriter()
        writer.value(double)
        #expect(try JSONReader.read(writer.bytes).double == double)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `a double that JSON cannot express is written as null`(_ double: Double) {
        var writer = JSONWriter()
        writer.value(double)
        #expect(writer.bytes == Array("null".utf8))
    }

    @Test func `a string cut from another is written without its surroundings`() {
        let whole = "0123456789 long enough to live on the heap \u{2028} 0123456789"
        var writer = JSONWriter()
        writer.value(String(whole.dropFirst(4).dropLast(4)))
        #expect(
            String(decoding: writer.bytes, as: UTF8.self) == #""456789 long enough to live on the heap \u2028 012345""#
        )
    }
}
