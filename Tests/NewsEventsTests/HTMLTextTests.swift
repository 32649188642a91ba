import Testing

@testable import NewsEvents

@Suite(.timeLimit(.minutes(1)))
struct HTMLTextTests {
    @Test(arguments: [
        ("plain", "plain"), ("a &amp; b &lt;c&gt; &quot;d&quot; &apos;", "a & b <c> \"d\" '"), ("&nbsp;", "\u{A0}"),
        ("&eacute;&Eacute;&yuml;&szlig;", "éÉÿß"), ("&ldquo;x&rdquo;&mdash;&hellip;&euro;", "“x”—…€"),
        ("&#233;&#xE9;&#XE9;", "ééé"), ("&#128512;", "😀"), ("&#146;&#150;", "’–"),
        ("&#0;&#xD800;&#x110000;", "\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("&#99999999999999;", "&#99999999999999;"), ("&amp;lt;", "&lt;"),
        ("&unknown; & &; &#; &#x; &amp", "&unknown; & &; &#; &#x; &amp"),
        ("<b>bold</b> <a href=\"x\">l</a>", "bold l"), ("one<br/>two</p><p>three", "one two  three"),
        ("5 < 6 > 4", "5 < 6 > 4"),
        ("a <b and <i>c</i>", "a <b and c"), ("a <b", "a <b"), ("&lt;b&gt;", "<b>"), ("</", "</"), ("<", "<"),
        ("&", "&"),
        ("é &eacute; 塞", "é é 塞"),
    ])
    func `entities and tags are read as browsers do`(_ html: String, _ expected: String) {
        #expect(HTMLText.plain(html) == expected)
    }

    @Test(arguments: ["<", "<a", "&", "&#", "&a", "<a <", "</p"])
    func `a text of nothing but beginnings takes no longer than others`(
        _ piece: String
    ) {
        let text = String(repeating: piece, count: 200_000)
        #expect(HTMLText.plain(text) == text)
    }
}
