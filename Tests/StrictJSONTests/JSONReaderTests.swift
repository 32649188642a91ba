import NewsflashStrictJSON
import NewsflashTestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct JSONReaderTests {
    struct Accepted: Sendable, CustomTestStringConvertible {
        let text: String
        let value: JSONValue
        var testDescription: String { text }

        init(_ text: String, _ value: JSONValue) {
            self.text = text
            self.value = value
        }

        init(_ text: String, string: String) {
            self.init(text, .string(string))
        }
    }

    @Test(arguments: [
        Accepted("null", .null),
        Accepted(" true\n", .bool(true)),
        Accepted("\t\r\n false ", .bool(false)),
        Accepted("\"\"", .string("")),
        Accepted("[]", .array([])),
        Accepted("{ }", .object([])),
        Accepted("[ [ ] , { } ]", .array([.array([]), .object([])])),
        Accepted("[null,true]", .array([.null, .bool(true)])),
        Accepted(#"{"":{"":""}}"#, .object([JSONMember(name: "", value: JSONReaderTests.members("", ""))])),
        Accepted(
            #"{"b":"1","a":"2"}"#,
            JSONReaderTests.members("b", "1", "a", "2")
        ),
        Accepted(#""\"\\\/\b\f\n\r\t""#, string: "\"\\/\u{8}\u{C}\n\r\t"),
        Accepted(#""\u0000\u001f\u007F\u00e9\uABCD\uabcd""#, string: "\u{0}\u{1F}\u{7F}é\u{ABCD}\u{ABCD}"),
        Accepted(#""\uD83D\uDE00 \uD800\uDC00 \uDBFF\uDFFF""#, string: "😀 \u{10000} \u{10FFFF}"),
        Accepted(#""\uFFFE\uFFFF\uFEFF\u2028""#, string: "\u{FFFE}\u{FFFF}\u{FEFF}\u{2028}"),
        Accepted(#""\u005C\u0022""#, string: "\\\""),
        Accepted("\"\u{7F}\u{85}\u{2028}é中😀\u{10FFFF}\u{FEFF}\"", string: "\u{7F}\u{85}\u{2028}é中😀\u{10FFFF}\u{FEFF}"),
        Accepted(#"{"é":"1","e\u0301":"2"}"#, JSONReaderTests.members("é", "1", "e\u{301}", "2")),
        Accepted(#"{"a":"1","A":"2"}"#, JSONReaderTests.members("a", "1", "A", "2")),
    ])
    func `a text that the grammar allows is parsed`(_ sample: Accepted) throws {
        #expect(try JSONReader.read(sample.text) == sample.value)
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let text: String
        let code: JSONError.Code
        let offset: Int
        let path: String
        var testDescription: String { text }

        init(_ text: String, _ code: JSONError.Code, at offset: Int, _ path: String = "") {
            self.text = text
            self.code = code
            self.offset = offset
            self.path = path
        }
    }

    @Test(arguments: [
        Refused("", .empty, at: 0),
        Refused(" \n\t\r", .empty, at: 4),
        Refused("\u{FEFF}{}", .syntax, at: 0),
        Refused("\u{A0}1", .syntax, at: 0),
        Refused("\u{C}1", .syntax, at: 0),
        Refused("nul", .syntax, at: 3),
        Refused("nulL", .syntax, at: 0),
        Refused("True", .syntax, at: 0),
        Refused("NaN", .syntax, at: 0),
        Refused("Infinity", .syntax, at: 0),
        Refused("'a'", .syntax, at: 0),
        Refused("truefalse", .trailingData, at: 4),
        Refused("1 2", .trailingData, at: 2),
        Refused("{}{}", .trailingData, at: 2),
        Refused("[]]", .trailingData, at: 2),
        Refused("null\u{0}", .trailingData, at: 4),
        Refused("// c\n1", .syntax, at: 0),
        Refused("[1,]", .syntax, at: 3, "/1"),
        Refused("[,1]", .syntax, at: 1, "/0"),
        Refused("[1,,2]", .syntax, at: 3, "/1"),
        Refused("[1 2]", .syntax, at: 3),
        Refused("[1", .syntax, at: 2),
        Refused("[", .syntax, at: 1, "/0"),
        Refused("[1}", .syntax, at: 2),
        Refused("{", .syntax, at: 1),
        Refused("{,}", .syntax, at: 1),
        Refused("{a:1}", .syntax, at: 1),
        Refused("{1:1}", .syntax, at: 1),
        Refused(#"{"a"}"#, .syntax, at: 4, "/a"),
        Refused(#"{"a" 1}"#, .syntax, at: 5, "/a"),
        Refused(#"{"a":}"#, .syntax, at: 5, "/a"),
        Refused(#"{"a":1,}"#, .syntax, at: 7),
        Refused(#"{"a":1 "b":2}"#, .syntax, at: 7),
        Refused(#"{"a":1"#, .syntax, at: 6),
        Refused(#"{"a":[{"b/c":[0,x]}]}"#, .syntax, at: 16, "/a/0/b~1c/1"),
        Refused(#"{"a":1,"a":1}"#, .duplicateMember, at: 7, "/a"),
        Refused(#"{"a":1,"\u0061":1}"#, .duplicateMember, at: 7, "/a"),
        Refused(#"[{"x":{"~":1,"~":2}}]"#, .duplicateMember, at: 13, "/0/x/~0"),
        Refused("\"", .syntax, at: 1),
        Refused("\"a", .syntax, at: 2),
        Refused("\"\n\"", .syntax, at: 1),
        Refused("\"a\u{0}\"", .syntax, at: 2),
        Refused("\"\u{1F}\"", .syntax, at: 1),
        Refused(#""\"#, .syntax, at: 1),
        Refused(#""\x41""#, .syntax, at: 1),
        Refused(#""\'""#, .syntax, at: 1),
        Refused(#""\U0041""#, .syntax, at: 1),
        Refused(#""\u""#, .syntax, at: 3),
        Refused(#""\u00G0""#, .syntax, at: 5),
        Refused(#""\u004"#, .syntax, at: 6),
        Refused(#""\uD800""#, .syntax, at: 1),
        Refused(#""a\uDC00""#, .syntax, at: 2),
        Refused(#""\uD800\n""#, .syntax, at: 1),
        Refused(#""\uD800\uD800""#, .syntax, at: 1),
        Refused(#""\uD800\u0041""#, .syntax, at: 1),
        Refused(#""\uDC00\uD800""#, .syntax, at: 1),
        Refused(#""\uDC00\uDC00""#, .syntax, at: 1),
        Refused(#""\uD83D😀""#, .syntax, at: 1),
        Refused(#""\uD800\u12""#, .syntax, at: 11),
        Refused("-", .syntax, at: 1),
        Refused("+1", .syntax, at: 0),
        Refused("01", .syntax, at: 0),
        Refused("-01", .syntax, at: 1),
        Refused("-a", .syntax, at: 1),
        Refused(".5", .syntax, at: 0),
        Refused("1.", .syntax, at: 2),
        Refused("1.e3", .syntax, at: 2),
        Refused("1e", .syntax, at: 2),
        Refused("1e+", .syntax, at: 3),
        Refused("1e-x", .syntax, at: 3),
        Refused("1e1.5", .trailingData, at: 3),
        Refused("0x1F", .trailingData, at: 1),
        Refused("1_000", .trailingData, at: 1),
        Refused("１", .syntax, at: 0),
    ])
    func `a text that the grammar forbids is refused with its position`(_ sample: Refused) {
        let error = #expect(throws: JSONError.self) { try JSONReader.read(sample.text) }
        #expect(error?.code == sample.code)
        #expect(error?.offset == sample.offset)
        #expect(error?.path == sample.path)
    }

    @Test(
        arguments: [
            ([0x80], 0), ([0x22, 0xC3, 0x28, 0x22], 1), ([0x22, 0xC0, 0x80, 0x22], 1), ([0x22, 0xC1, 0xBF, 0x22], 1),
            ([0x22, 0xE0, 0x9F, 0xBF, 0x22], 1), ([0x22, 0xED, 0xA0, 0x80, 0x22], 1),
            ([0x22, 0xED, 0xBF, 0xBF, 0x22], 1),
            ([0x22, 0xF0, 0x8F, 0xBF, 0xBF, 0x22], 1), ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1),
            ([0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], 1), ([0x22, 0xE2, 0x82], 1), ([0x22, 0xF0, 0x9F, 0x98], 1),
            ([0x22, 0xC3], 1), ([0x22, 0xE2, 0x82, 0x22, 0x22], 1), ([0xFF, 0xFE, 0x7B, 0x00], 0),
            ([0x7B, 0x7D, 0xFF], 2),
            ([0x22, 0xC3, 0xA9, 0xF0, 0x9F, 0x98, 0x80, 0x61, 0xFE], 8),
        ] as [([UInt8], Int)]
    )
    func `bytes that are not UTF-8 are refused before anything is parsed`(_ bytes: [UInt8], _ offset: Int) {
        let error = #expect(throws: JSONError.self) { try JSONReader.read(bytes) }
        #expect(error?.code == .invalidUTF8)
        #expect(error?.offset == offset)
    }

    @Test func `UTF-8 is accepted as by the standard library`() {
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<20_000 {
            let lead = UInt8.random(in: 0x80...0xFF, using: &generator)
            let rest = (0..<3).map { _ in UInt8.random(in: 0x70...0xC5, using: &generator) }
            let content = [lead] + rest.filter { $0 != 0x22 && $0 != 0x5C }
            let isText = String(validating: content, as: UTF8.self) != nil
            let isRead = (try? JSONReader.read([0x22] + content + [0x22])) != nil
            #expect(isRead == isText, "\(content)")
        }
    }

    @Test(arguments: [64, 3]) func `one level more than allowed is refused`(_ depth: Int) throws {
        func nested(_ levels: Int) -> String {
            String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        #expect(try JSONReader.read(nested(depth), maximumDepth: depth).array != nil)
        let error = #expect(throws: JSONError.self) { try JSONReader.read(nested(depth + 1), maximumDepth: depth) }
        #expect(error?.code == .tooDeep)
        #expect(error?.offset == depth)
        #expect(error?.path == String(repeating: "/0", count: depth))
    }

    @Test(arguments: ["[", #"{"a":"#, #"[{"a":"#])
    func `a million brackets are not followed, whatever the allowed depth`(_ opening: String) {
        let text = String(repeating: opening, count: 1_000_000)
        let error = #expect(throws: JSONError.self) { try JSONReader.read(text, maximumDepth: .max) }
        #expect(error?.code == .tooDeep)
    }

    @Test func `a duplicate name is found among many`() throws {
        let members = (0..<50_000).map { "\"m\($0)\":0" }.joined(separator: ",")
        #expect(try JSONReader.read("{\(members)}").object?.count == 50_000)
        let error = #expect(throws: JSONError.self) { try JSONReader.read("{\(members),\"m7\":1}") }
        #expect(error?.code == .duplicateMember)
        #expect(error?.path == "/m7")
    }

    @Test func `the paths of duplicate names are listed if duplicates are allowed`() throws {
        let text = #"{"a":1,"b":[{"x":1,"x":2},{"y/z":{"w":1,"w":2}}],"a":{"c":3,"c":3},"d":0}"#
        let (value, repeated) = try JSONReader.readAllowingRepeatedNames(Array(text.utf8).span)
        #expect(repeated == ["/b/x", "/b/y~1z/w", "/a/c", "/a"])
        #expect(value.object?.map(\.name) == ["a", "b", "a", "d"])
        #expect(value[member: "a"]?.int64 == 1)
        let many = "{" + (0...17).map { _ in "\"a\":0" }.joined(separator: ",") + "}"
        let error = #expect(throws: JSONError.self) {
            try JSONReader.readAllowingRepeatedNames(Array(many.utf8).span)
        }
        #expect(error?.code == .duplicateMember)
    }

    @Test func `members are found by name, byte by byte`() throws {
        let value = try JSONReader.read(#"{"e\u0301":1,"é":2,"n":null,"b":true,"s":"x","d":0.5}"#)
        #expect(value[member: "é"]?.int64 == 2)
        #expect(value[member: "e\u{301}"]?.int64 == 1)
        #expect(value[member: "n"]?.isNull == true)
        #expect(value[member: "b"]?.bool == true)
        #expect(value[member: "s"]?.string == "x")
        #expect(value[member: "d"]?.double == 0.5)
        #expect(value[member: "absent"] == nil)
        #expect(JSONValue.null[member: "n"] == nil)
    }

    @Test func `an error contains nothing of the text except names`() {
        let error = #expect(throws: JSONError.self) { try JSONReader.read(#"{"a":"secret" "secret"}"#) }
        #expect(error?.description == "a comma or } after a member is missing at byte 14 [syntax]")
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `no damaged text crashes the reader, and each parsed text is the same after writing`(_ seed: UInt64) throws {
        let samples = [
            #"{"v":1,"text":{"en":{"headline":"A \u00e9 \ud83d\ude00 \"b\""}},"n":[-0,1.5e-3,true,false,null]}"#,
            #"[[[[{"a":[{"b":{"c":[1,2,3,{"d":"e\\f\/g"}]}}]}]]]]"#,
            "[\"é中😀\u{2028}\",\"\",0,-1,10.25E+2]",
        ].map { Array($0.utf8) }
        var generator = SeededGenerator(seed: seed)
        var readable = 0
        for round in 0..<5_000 {
            let bytes = samples[round % samples.count].mutated(using: &generator)
            guard let value = try? JSONReader.read(bytes, maximumDepth: 12) else { continue }
            readable += 1
            var writer = JSONWriter()
            writer.value(value)
            #expect(try JSONReader.read(writer.bytes) == value, "seed \(seed), round \(round)")
        }
        #expect(readable > 50, "seed \(seed): too few injured texts were still readable to tell anything")
    }

    static func members(_ pairs: String...) -> JSONValue {
        .object(
            stride(from: 0, to: pairs.count, by: 2).map { JSONMember(name: pairs[$0], value: .string(pairs[$0 + 1])) }
        )
    }
}
