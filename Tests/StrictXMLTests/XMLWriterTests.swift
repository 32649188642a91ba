import StrictXML
import Testing

@Suite("XMLWriter", .timeLimit(.minutes(1)))
struct XMLWriterTests {
    @Test(arguments: [
        "plain", "a<b>&\"c'", "]]>", "]]]]>>", "tab\tline\nend\r", "Zürich 🗞 عاجل", " leading and trailing ",
    ])
    func `writes what reads back the same`(text: String) throws {
        let element = XMLElement("t", attributes: [XMLAttribute("a", text)], children: [.text(text)])
        var writer = XMLWriter()
        writer.element(element)
        #expect(try XMLReader.read(writer.bytes) == element)
    }

    @Test(arguments: ["{\"aps\":1}", "]]>", "a]]>b]]]>c", "<toast/>"])
    func `writes CDATA that reads back the same`(text: String) throws {
        var writer = XMLWriter()
        writer.begin("t")
        writer.cdata(text)
        writer.end("t")
        #expect(try XMLReader.read(writer.bytes).text == text)
    }

    @Test func `writes no character that XML does not know`() throws {
        var writer = XMLWriter()
        writer.element("t", "a\u{1}b")
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "<t>a\u{FFFD}b</t>")
    }

    @Test func `writes empty elements and attributes by hand`() {
        var writer = XMLWriter()
        writer.begin("a", ("x", "1\"2"))
        writer.empty("b", ("i:nil", "true"))
        writer.end("a")
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"<a x="1&quot;2"><b i:nil="true"/></a>"#)
    }
}
