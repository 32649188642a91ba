import NewsflashYAML
import Testing

@Suite(.timeLimit(.minutes(1)))
struct YAMLReaderTests {
    @Test func `mappings keep their order, and every node has its line`() throws {
        let root = try #require(try YAMLReader.read("a: 1\nb:\n  - x\n  - 'y'\n"))
        guard case .mapping(let entries) = root.kind else {
            Issue.record("the root is \(root.kind)")
            return
        }
        #expect(entries.map(\.key.kind) == [.scalar("a", isPlain: true), .scalar("b", isPlain: true)])
        #expect(entries[0].value == YAMLNode(.scalar("1", isPlain: true), line: 1, column: 4))
        let items = [
            YAMLNode(.scalar("x", isPlain: true), line: 3, column: 5),
            YAMLNode(.scalar("y", isPlain: false), line: 4, column: 5),
        ]
        #expect(entries[1].value == YAMLNode(.sequence(items), line: 3, column: 3))
    }

    @Test(arguments: ["no", "on", "012", "1e3", "2026-03-02", "~", "true"])
    func `a plain word keeps its letters, whatever YAML would make of it`(word: String) throws {
        #expect(try YAMLReader.read(word)?.kind == .scalar(word, isPlain: true))
    }

    @Test(arguments: ["", "\n\n", "# only a comment\n"])
    func `a text without a value has no root`(text: String) throws {
        #expect(try YAMLReader.read(text) == nil)
    }

    @Test(arguments: [
        ("a: 1\na: 2\n", 2, 1, "line 1"),
        ("a: &x 1\n", 1, 4, "anchors"),
        ("a: *x\n", 1, 4, "aliases"),
        ("a: !!int 1\n", 1, 4, "tags"),
        ("a: 1\n---\nb: 2\n", 2, 1, "second document"),
        ("? [a, b]\n: 1\n", 1, 3, "key"),
        ("a:\n\tb: 1\n", 2, 1, "spaces"),
        ("a: [1, 2\n", 2, 1, ""),
        ("\"open\n", 2, 1, ""),
    ])
    func `surprising syntax is refused with its position`(text: String, line: Int, column: Int, says: String) {
        let error = #expect(throws: YAMLError.self) { try YAMLReader.read(text) }
        #expect(error?.line == line)
        #expect(error?.column == column)
        #expect(says.isEmpty || error?.message.contains(says) == true, "\(error?.message ?? "")")
    }

    @Test func `depth and size are bounded`() {
        let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        #expect(throws: YAMLError.self) { try YAMLReader.read(deep) }
        #expect(throws: YAMLError.self) {
            try YAMLReader.read(String(repeating: "a", count: YAMLReader.maximumBytes + 1))
        }
    }

    @Test func `bytes that are not text are refused instead of being decoded differently`() {
        #expect(throws: YAMLError.self) { try YAMLReader.read("a: \u{0}b\n") }
    }
}
