import NewsflashTestSupport
import Testing

@testable import NewsflashEvents

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
        ("é &eacute; 塞", "é é 塞"), ("a<!-- a note > -->b", "ab"), ("a <!-- not closed", "a <!-- not closed"),
        ("<![CDATA[5 < 6 &amp; <b>]]>", "5 < 6 &amp; <b>"), ("<![CDATA[open", "<![CDATA[open"),
        ("<?xml version=\"1.0\"?><!DOCTYPE html>x", "x"), ("<h1>Fire</h1><h2>More</h2>", " Fire  More "),
        ("<td>a</td><td>b</td>", " a  b "), ("<b>a</b><i>b</i>", "ab"), ("<phone>", ""),
        ("a<script>if (a < b) {}</script>b<STYLE>p { }</STYLE>c", "abc"), ("<script>open", "open"),
        ("&Alpha;&omega;&sum;&forall;&ccaron;&Scaron;&thetasym;&loz;", "Αω∑∀čŠϑ◊"),
    ])
    func `entities and tags are parsed as in browsers`(_ html: String, _ expected: String) {
        #expect(HTMLText.plain(html) == expected)
    }

    @Test(arguments: ["<", "<a", "&", "&#", "&a", "<a <", "</p", "<!--", "<![CDATA[", "<!DOCTYPE", "<?xml"])
    func `a text of nothing but opening characters takes no longer than others`(
        _ piece: String
    ) {
        let growth = growth(from: 2000, prepare: { String(repeating: piece, count: $0) }) { text in
            #expect(HTMLText.plain(text) == text)
            #expect(!HTMLText.isLikely(text))
        }
        #expect(growth < 8)
    }

    @Test func `many scripts without an end take no longer than others`() {
        let growth = growth(from: 2000, prepare: { $0 }) { count in
            let text = HTMLText.plain(String(repeating: "<script>a<style>", count: count))
            #expect(text.utf8.count == count)
        }
        #expect(growth < 8)
    }

    @Test(arguments: [
        ("Smith &amp; Sons&#8217; <b>", true), ("&eacute;", true), ("&#x41;", true), ("<b>bold</b>", true),
        ("a</p>", true), ("<br/>", true), ("<P>", true), ("<script>alert(1)</script>", false),
        ("B&B", false), ("AT&T; &", false), ("&unknown;", false), ("<merger> talks", false), ("5 < 6 > 4", false),
        ("l'offre < 5 €", false), ("<BNB.N>", false), ("<bold>", false), ("<b", false), ("plain", false), ("", false),
    ])
    func `HTML in a text that must not have any is found`(_ text: String, _ isLikely: Bool) {
        #expect(HTMLText.isLikely(text) == isLikely)
    }

    @Test func `an event has a warning if subscribers would see entities or tags`() {
        func event(_ headline: String, _ summary: String = "") -> String {
            #"{"v":1,"id":"a","story":"s","revision":1,"kind":"alert","published":"2026-03-02T08:00:00Z","#
                + #""categories":["world"],"text":{"fr":{"headline":"F"},"en":{"headline":"\#(headline)","summary":"\#(summary)"}}}"#
        }
        let decoder = EventDecoder(defaultSource: "urn:desk")
        for text in [event("A &amp; B"), event("<b>A</b>"), event("A", "&#39;")] {
            // Decoded once by the scan and once by the full decoder.
            for bytes in [Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8)] {
                guard case .event(let event, let warnings) = decoder.decode(bytes: bytes) else {
                    Issue.record("no event: \(text)")
                    continue
                }
                #expect(warnings.contains(.entities))
                #expect(event.text.count == 2)
            }
        }
        guard case .event(_, warnings: []) = decoder.decode(bytes: Array(event("A & B").utf8)) else {
            Issue.record("a warning without need")
            return
        }
    }

    @Test func `a feed with HTML that is not declared has a warning`() {
        let text =
            #"{"uri":"u","version":"2","headline":"A &amp; B","subject":["world"],"versioncreated":"2026-03-02T12:10:00Z"}"#
        var rules = SourceRules()
        for (isHTML, headline) in [(false, "A &amp; B"), (true, "A & B")] {
            rules.isHTML = isHTML
            let outcome = EventDecoder(defaultSource: "urn:wire", format: .ninjs, rules: rules)
                .decode(bytes: Array(text.utf8))
            guard case .event(let event, let warnings) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(event.text.first?.headline == headline)
            #expect(warnings == (isHTML ? [] : [.entities]))
        }
    }

    @Test func `plain text with a charset is plain`() {
        let descriptions =
            #"[{"contentType":"text/html; charset=utf-8","value":"<p>H</p>"},{"contentType":"Text/Plain; charset=utf-8","value":"P"}]"#
        let text =
            #"{"uri":"u","version":"2","headline":"W","subject":["world"],"versioncreated":"2026-03-02T12:10:00Z","#
            + #""descriptions":\#(descriptions)}"#
        let outcome = EventDecoder(defaultSource: "urn:wire", format: .ninjs).decode(bytes: Array(text.utf8))
        guard case .event(let event, warnings: []) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(event.text.first?.summary == "P")
    }
}
