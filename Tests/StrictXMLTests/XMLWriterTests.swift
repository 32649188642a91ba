import NewsflashStrictXML
import Testing

@Suite("XMLWriter", .timeLimit(.minutes(1)))
struct XMLWriterTests {
    @Test(arguments: [
        "plain", "a<b>&\"c'", "]]>", "]]]]>>", "tab\tline\nend\r", "Zürich 🗞 عاجل", " leading and trailing ",
    ])
    func `a written document is read back the same`(text: String) throws {
        let element = XMLElement("t", attributes: [XMLAttribute("a", text)], children: [.text(text)])
        var writer = XMLWriter()
        writer.element(element)
        #expect(try XMLReader.read(writer.bytes) == element)
    }

    @Test(arguments: ["{\"aps\":1}", "]]>", "a]]>b]]]>c", "<toast/>"])
    func `written CDATA is read back the same`(text: String) throws {
        var writer = XMLWriter()
        writer.begin("t")
        writer.cdata(text)
        writer.end("t")
        #expect(try XMLReader.read(writer.bytes).text == text)
    }

    @Test(arguments: [
        ("a\u{1}b", "a\u{FFFD}b"), ("\u{0}", "\u{FFFD}"), ("\u{1F}\u{B}", "\u{FFFD}\u{FFFD}"),
        ("\u{FFFE}\u{FFFF}", "\u{FFFD}\u{FFFD}"), ("\u{FFFD}\u{FFFC}\u{F000}", "\u{FFFD}\u{FFFC}\u{F000}"),
        ("\u{7F}\u{1FFFE}", "\u{7F}\u{1FFFE}"),
    ])
    func `characters that XML does not allow are not written`(text: String, written: String) throws {
        var writer = XMLWriter()
        writer.element(XMLElement("t", attributes: [XMLAttribute("a", text)], children: [.text(text)]))
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "<t a=\"\(written)\">\(written)</t>")
    }

    @Test func `texts and values are escaped for documents that are laid out elsewhere`() {
        var bytes: [UInt8] = []
        XMLWriter.appendText("<\"&\">\t\n\r", to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "&lt;\"&amp;\"&gt;\t\n&#13;")
        bytes = []
        XMLWriter.appendAttributeValue("<\"&'>\t\n\r", to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "&lt;&quot;&amp;'&gt;&#9;&#10;&#13;")
    }

    @Test func `attributes and empty elements are written`() {
        var writer = XMLWriter()
        writer.begin("a", ("x", "1\"2"))
        writer.empty("b", ("i:nil", "true"))
        writer.end("a")
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"<a x="1&quot;2"><b i:nil="true"/></a>"#)
    }
}
