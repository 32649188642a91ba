import StrictJSON
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct JSONCursorTests {
    /// Returns whether a cursor skips a text to its end.
    private func passes(_ bytes: [UInt8]) -> Bool {
        do throws(JSONError) {
            var cursor = try JSONCursor(bytes.span)
            try cursor.skip(bytes.span)
            try cursor.end(bytes.span)
            return true
        } catch {
            return false
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `a cursor skips exactly the texts that the reader accepts`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let text = #" {"a":[1,-2.5e3,true,false,null,"\u00e9\n\"",{"b":{}}],"c"\#t:[ ]\#r\#n,"déjà":"vu\ud83d\ude00"} "#
        #expect(passes(Array(text.utf8)))
        for _ in 0..<5000 {
            let bytes = Array(text.utf8).mutated(using: &generator)
            do throws(JSONError) {
                _ = try JSONReader.read(bytes)
                #expect(passes(bytes), "\(bytes), seed \(seed)")
            } catch {
                #expect(!passes(bytes) || error.code == .duplicateMember, "\(bytes), seed \(seed)")
            }
        }
    }

    @Test func `values are read in their order`() throws {
        let bytes = Array(#"{"n":-12,"e":1e2,"s":"a\tb","plain":"x","l":[true,false]}"#.utf8)
        var cursor = try JSONCursor(bytes.span)
        try cursor.beginObject(bytes.span)
        #expect(try cursor.nextMember(bytes.span)?.equals("n", bytes.span) == true)
        #expect(try cursor.int64(bytes.span) == -12)
        #expect(try cursor.nextMember(bytes.span)?.string(bytes.span) == "e")
        #expect(try cursor.int64(bytes.span) == 100)
        _ = try cursor.nextMember(bytes.span)
        #expect(try cursor.string(bytes.span) == "a\tb")
        _ = try cursor.nextMember(bytes.span)
        let plain = try cursor.text(bytes.span)
        #expect(!plain.hasEscapes)
        let isX = plain.equals("x", bytes.span)
        #expect(isX)
        _ = try cursor.nextMember(bytes.span)
        try cursor.beginArray(bytes.span)
        var values: [Bool] = []
        while try cursor.nextElement(bytes.span) { values.append(try cursor.bool(bytes.span)) }
        #expect(values == [true, false])
        #expect(try cursor.nextMember(bytes.span) == nil)
        try cursor.end(bytes.span)
    }

    @Test(arguments: ["01", "-", "9223372036854775808", "1.5", "\"1\"", ""])
    func `a value that is not an integer is refused as one`(text: String) throws {
        let bytes = Array(text.utf8)
        var cursor = try JSONCursor(bytes.span)
        #expect(throws: JSONError.self) { try cursor.int64(bytes.span) }
    }

    @Test func `integers of all sizes are read`() throws {
        for value in [0, -1, 7, 999_999_999_999_999_999, Int64.max, .min] {
            let bytes = Array("\(value)".utf8)
            var cursor = try JSONCursor(bytes.span)
            #expect(try cursor.int64(bytes.span) == value)
        }
    }

    @Test func `the path of a byte is found`() {
        let text = #"{"a":[1,{"b/c":"x"}],"d":tru"#
        let bytes = Array(text.utf8)
        #expect(JSONCursor.path(to: 6, in: bytes.span) == "/a/0")
        #expect(JSONCursor.path(to: 16, in: bytes.span) == "/a/1/b~1c")
        #expect(JSONCursor.path(to: 25, in: bytes.span) == "/d")
        #expect(JSONCursor.path(to: 0, in: bytes.span) == "")
    }
}
