import NewsflashStrictJSON
import NewsflashTestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct JSONCursorTests {
    /// Returns whether a cursor reads a text of objects, arrays, strings and integers to its end.
    private func passes(_ bytes: [UInt8]) -> Bool {
        do throws(JSONError) {
            var cursor = try JSONCursor(bytes.span)
            try read(&cursor, bytes.span)
            try cursor.end(bytes.span)
            return true
        } catch {
            return false
        }
    }

    private func read(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) {
        switch cursor.peek(bytes) {
        case UInt8(ascii: "{"):
            try cursor.beginObject(bytes)
            while try cursor.nextMember(bytes) != nil { try read(&cursor, bytes) }
        case UInt8(ascii: "["):
            try cursor.beginArray(bytes)
            while try cursor.nextElement(bytes) { try read(&cursor, bytes) }
        case UInt8(ascii: "\""): _ = try cursor.text(bytes)
        default: _ = try cursor.int64(bytes)
        }
    }

    /// Whether a value consists of objects, arrays, strings and integers.
    private func isSupported(_ value: JSONValue) -> Bool {
        switch value {
        case .null, .bool: false
        case .string: true
        case .number(let number): number.int64 != nil
        case .array(let elements): elements.allSatisfy(isSupported)
        case .object(let members): members.allSatisfy { isSupported($0.value) }
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `a cursor reads exactly the texts that the reader accepts`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let text = #" {"a":[1,-25e3,0,"\u00e9\n\"",{"b":{}}],"c"\#t:[ ]\#r\#n,"déjà":"vu\ud83d\ude00"} "#
        #expect(passes(Array(text.utf8)))
        for _ in 0..<5000 {
            let bytes = Array(text.utf8).mutated(using: &generator)
            do throws(JSONError) {
                let value = try JSONReader.read(bytes)
                #expect(passes(bytes) == isSupported(value), "\(bytes), seed \(seed)")
            } catch {
                #expect(!passes(bytes) || error.code == .duplicateMember, "\(bytes), seed \(seed)")
            }
        }
    }

    @Test func `values are read in their order`() throws {
        let bytes = Array(#"{"n":-12,"e":1e2,"s":"a\tb","plain":"x","l":[7,8]}"#.utf8)
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
        var values: [Int64] = []
        while try cursor.nextElement(bytes.span) { values.append(try cursor.int64(bytes.span)) }
        #expect(values == [7, 8])
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
}
