import NewsflashStrictXML
import Testing

@Suite("XMLReader", .timeLimit(.minutes(1)))
struct XMLReaderTests {
    @Test func `elements, attributes and text are read in their order`() throws {
        let root = try XMLReader.read(#"<a x="1" p:y="&lt;2"><b>one</b> and <p:c/>&amp;<![CDATA[<raw>]]></a>"#)
        #expect(root.name == "a")
        #expect(root.attributes == [XMLAttribute("x", "1"), XMLAttribute("p:y", "<2")])
        #expect(root.attribute("y") == "<2")
        #expect(
            root.children == [
                .element(XMLElement("b", children: [.text("one")])), .text(" and "), .element(XMLElement("p:c")),
                .text("&<raw>"),
            ]
        )
        #expect(root.first("c")?.localName == "c")
        #expect(root.text == " and &<raw>")
    }

    @Test func `the bytes are parsed as UTF-8, whatever is declared`() throws {
        let root = try XMLReader.read("\u{FEFF}<?xml version=\"1.0\" encoding=\"utf-16\"?><t>Zürich 🗞</t>")
        #expect(root.text == "Zürich 🗞")
    }

    @Test(arguments: [
        ("", "xml_empty"), ("  \n", "xml_empty"), ("text", "xml_syntax"), ("<a>", "xml_syntax"),
        ("<a></b>", "xml_syntax"), ("<a/><b/>", "xml_syntax"), ("<a x=1/>", "xml_syntax"),
        ("<a>&no;</a>", "xml_syntax"),
        ("<a x='1' x='2'/>", "xml_syntax"), ("<a>\u{0}</a>", "xml_syntax"),
        ("<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>", "xml_document_type"),
        ("<!DOCTYPE a SYSTEM 'http://127.0.0.1/a.dtd'><a/>", "xml_document_type"),
        (String(repeating: "<a>", count: 65) + String(repeating: "</a>", count: 65), "xml_too_deep"),
    ])
    func `a text that is not exactly one document is refused`(text: String, code: String) {
        let error = #expect(throws: XMLError.self) { try XMLReader.read(text) }
        #expect(error?.code.rawValue == code)
    }

    @Test func `bytes that are not UTF-8 are refused with their position`() {
        let error = #expect(throws: XMLError.self) { try XMLReader.read(Array("<a>\n  ".utf8) + [0xFF, 0x3C]) }
        #expect(error?.code == .syntax)
        #expect(error?.line == 2)
        #expect(error?.column == 3)
    }

    /// Two megabytes of each: a reader that copies its text with each piece would take minutes.
    @Test(arguments: [("\n", "\n", 2_000_000), ("&lt;", "<", 500_000), ("<!--x-->é", "é", 200_000)])
    func `text in many pieces is read in a time that grows only with its length`(
        piece: String,
        meaning: String,
        count: Int
    ) throws {
        let root = try XMLReader.read("<a>" + String(repeating: piece, count: count) + "</a>")
        #expect(root.children.count == 1)
        #expect(root.text.utf8.count == meaning.utf8.count * count)
    }

    @Test func `the deepest allowed nesting is accepted`() throws {
        let text = String(repeating: "<a>", count: 64) + String(repeating: "</a>", count: 64)
        #expect(try XMLReader.read(text).first("a") != nil)
    }
}
