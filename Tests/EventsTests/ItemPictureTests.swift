import NewsflashStrictJSON
import Testing

@testable import NewsflashEvents

@Suite(.timeLimit(.minutes(1)))
struct ItemPictureTests {
    private static let published = "2026-03-02T08:00:00Z"

    private static func picture(_ renditions: String, _ more: String = "") -> String {
        #"{"type":"picture"\#(more),"renditions":{\#(renditions)}}"#
    }

    private static let fine = #""a":{"href":"https://i/a.jpg","width":800}"#

    @Test(
        arguments: [
            (#""pubstatus":"usable""#, true), (#""pubstatus":null"#, true), (#""pubstatus":"canceled""#, false),
            (#""pubstatus":"withheld""#, false), (#""pubStatus":"canceled""#, false), (#""pubstatus":"Usable""#, false),
            (#""pubstatus":7"#, false), (#""pubstatus":"usable","pubStatus":"withheld""#, false),
            (#""embargoed":"2030-01-01T00:00:00Z""#, false), (#""embargoedUntil":"2026-03-02T08:00:01Z""#, false),
            (#""embargoed":"2026-03-02T07:59:59Z""#, true), (#""embargoed":"2026-03-02T09:00:00+0100""#, true),
            (#""embargoed":"tonight""#, false), (#""embargoed":1772445600"#, false), (#""embargoed":{}"#, false),
            (#""embargoed":null"#, true), (#""embargoed":"""#, true),
            (#""publish_schedule":"2026-03-02T12:00:00+0000""#, false),
            (#""PubStatus":"canceled""#, false), (#""PUBSTATUS":"withheld""#, false),
            (#""Embargoed":"2030-01-01T00:00:00Z""#, false), (#""embargoeduntil":"2030-01-01T00:00:00Z""#, false),
            (#""embargo_until":"2030-01-01T00:00:00Z""#, false), (#""ednote":"PHOTO KILL""#, false),
            (#""EdNote":"Do not use""#, false), (#""signal":"sig:kill""#, false),
            (#""headline":"(WITHDRAWN) Quake""#, false),
            (#""genre":["Kill"]"#, false), (#""ednote":"Adds caption""#, true), (#""ednote":"CORRECTS caption""#, true),
        ]
    )
    func `a picture that is withdrawn, withheld, embargoed or not understood is never sent`(
        _ members: String,
        _ isPushed: Bool
    ) throws {
        let item = #"{"associations":{"main":\#(Self.picture(Self.fine, "," + members))}}"#
        #expect(try link(of: item) == (isPushed ? "https://i/a.jpg" : nil))
        let list =
            #"{"associations":[{"name":"m","type":"picture",\#(members),"renditions":[{"href":"https://i/a.jpg"}]}]}"#
        #expect(try link(of: list) == (isPushed ? "https://i/a.jpg" : nil))
    }

    @Test func `a picture under the embargo of its item is sent with it`() throws {
        let item = #"{"associations":{"m":\#(Self.picture(Self.fine, #","embargoed":"2026-03-02T12:00:00Z""#))}}"#
        #expect(try link(of: item) == nil)
        #expect(try link(of: item, embargo: "2026-03-02T12:00:00Z") == "https://i/a.jpg")
        #expect(try link(of: item, embargo: "2026-03-02T11:59:59Z") == nil)
    }

    @Test func `the next picture counts after one that must not be sent`() throws {
        let first = Self.picture(Self.fine, #","pubstatus":"canceled""#)
        let second = Self.picture(#""b":{"href":"https://i/b.jpg"}"#)
        #expect(try link(of: #"{"associations":{"a":\#(first),"b":\#(second),"c":null}}"#) == "https://i/b.jpg")
    }

    @Test(
        arguments: [
            (#""a":{"href":"https://i/a.jpg","width":2048},"b":{"href":"https://i/b.jpg","width":1024}"#, "b.jpg"),
            (#""a":{"href":"https://i/a.jpg","width":640},"b":{"href":"https://i/b.jpg","width":800}"#, "b.jpg"),
            (#""a":{"href":"https://i/a.jpg","width":4000},"b":{"href":"https://i/b.jpg","width":1200}"#, "b.jpg"),
            (#""a":{"href":"https://i/a.jpg"},"b":{"href":"https://i/b.jpg","width":4000}"#, "b.jpg"),
            (#""a":{"href":"https://i/a.jpg"},"b":{"href":"https://i/b.jpg"}"#, "a.jpg"),
            (#""a":{"href":"https://i/a.jpg","width":"320"},"b":{"href":"https://i/b.jpg","width":"800px"}"#, "b.jpg"),
            (#""a":{"href":"https://i/a.jpg","width":0},"b":{"href":"https://i/b.jpg","width":-5}"#, "a.jpg"),
            (#""a":{"href":"https://i/a.jpg","width":9223372036854775807}"#, "a.jpg"),
            (#""a":{"href":"https://i/a.jpg","width":"99999999999999999999"}"#, "a.jpg"),
            (#""a":{"href":"http://i/a.jpg","width":800},"b":{"href":"https://i/b.jpg","width":700}"#, "b.jpg"),
            (#""a":{"href":"http://i/a.jpg","width":800}"#, nil), (#""a":{"href":"https://","width":800}"#, nil),
            (#""a":{"href":"https://i/a.mp4","width":1000},"b":{"href":"https://i/b.jpg","width":640}"#, "b.jpg"),
            (#""a":{"href":"https://i/a","mimetype":"video/mp4"},"b":{"href":"https://i/b"}"#, "b"),
            (#""a":{"href":"https://i/a","contenttype":"IMAGE/JPEG; q=1"}"#, "a"),
            (#""a":{"href":"https://i/a.svg"}"#, nil), (#""a":{"href":"https://i/a.TIFF?x=.jpg"}"#, nil),
            (#""a":{"href":"https://i/a","contentType":"image/svg+xml"}"#, nil), (#""a":7,"b":{"href":7}"#, nil),
        ] as [(String, String?)]
    )
    func `the rendition that suits a phone is chosen`(_ renditions: String, _ file: String?) throws {
        let expected = file.map { "https://i/\($0)" }
        #expect(try link(of: #"{"associations":{"main":\#(Self.picture(renditions))}}"#) == expected)
        #expect(try link(of: #"{"type":"text","renditions":{\#(renditions)}}"#) == expected)
    }

    @Test func `a graphic counts as a picture, and a video does not`() throws {
        for (type, isPushed) in [("graphic", true), ("video", false), ("text", false)] {
            let item = #"{"associations":{"m":{"type":"\#(type)","renditions":{\#(Self.fine)}}}}"#
            #expect(try link(of: item) == (isPushed ? "https://i/a.jpg" : nil))
        }
    }

    @Test func `an event has the picture of its item without a warning`() {
        let text =
            #"{"uri":"u","version":"2","headline":"Words","subject":["world"],"versioncreated":"2026-03-02T12:10:00Z","#
            + #""associations":{"a":\#(Self.picture(#""x":{"href":"http://i/x"}"#)),"b":\#(Self.picture(Self.fine))}}"#
        let outcome = EventDecoder(defaultSource: "urn:wire", format: .ninjs).decode(bytes: Array(text.utf8))
        guard case .event(let event, warnings: []) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(event.image == "https://i/a.jpg")
    }

    private func link(of item: String, embargo: String? = nil) throws -> String? {
        ItemPicture.link(of: try JSONReader.read(Array(item.utf8)), published: Self.published, embargo: embargo)
    }
}
