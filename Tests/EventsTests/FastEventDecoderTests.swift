import NewsflashStrictJSON
import Testing

@testable import NewsflashEvents

/// The fast decoder gives the same result as the full one for usual events, and leaves all others to it.
@Suite(.timeLimit(.minutes(1)))
struct FastEventDecoderTests {
    private static let source = "https://cms.example.org/desk"
    private static let event = """
        {"v":1,"id":"e-1","story":"s-1","revision":3,"kind":"alert","published":"2026-03-02T09:40:00.5+01:00",\
        "categories":["world","medtop:11000000"],"language":"en",\
        "text":{"en":{"headline":"A \\"quake\\"","summary":"Felt \\u00e9verywhere"},"cs":{"headline":"Zemětřesení"}},\
        "url":"https://example.org/1","urgency":2,"mode":"live","approvedBy":["a","b"],"note":"n"}
        """

    private func scanned(_ text: String) -> NewsEvent? {
        FastEventDecoder.event(Array(text.utf8).span, defaultSource: Self.source)
    }

    @Test func `an event is decoded as by the full decoder`() throws {
        let event = try #require(scanned(Self.event))
        let document = try JSONReader.read(Self.event)
        #expect(EventDecoder(defaultSource: Self.source).decode(document: document) == .event(event, warnings: []))
        #expect(event.text.map(\.headline) == ["A \"quake\"", "Zemětřesení"])
        #expect(event.source == Self.source)
    }

    @Test(
        arguments: [
            #""v":1"#: #""v":2"#, #""id":"e-1""#: #""id":"""#, #""revision":3"#: #""revision":0"#,
            #""kind":"alert""#: #""kind":"news""#, "09:40:00.5+01:00": "09:40:00.5", #""world""#: #""medtop:11000000""#,
            #"["world","medtop:11000000"]"#: "[]", #""language":"en""#: #""language":"e""#, #""cs""#: #""en""#,
            #"{"headline":"Zemětřesení"}"#: #"{"summary":"Zemětřesení"}"#, #""urgency":2"#: #""urgency":"2""#,
            "https://example.org/1": "http://example.org/1", #""note":"n""#: #""id":"e-2""#,
            #""mode":"live","#: #""unknown":1,"#, #""mode":"live""#: #""mode":null"#, #""n"}"#: #""n"} x"#,
        ].sorted { $0.key < $1.key }
    )
    func `an unusual event is left to the full decoder`(_ part: String, _ replacement: String) {
        let text = Self.event.replacing(part, with: replacement)
        #expect(text != Self.event)
        #expect(scanned(text) == nil)
    }

    private static let personal = event.replacing(
        #""categories":["world","medtop:11000000"]"#,
        with: #""audience":{"users":["anna","ben:2"]},"delivery":"secure""#
    )

    @Test func `an event for users is decoded as by the full decoder`() throws {
        let event = try #require(scanned(Self.personal))
        let document = try JSONReader.read(Self.personal)
        #expect(EventDecoder(defaultSource: Self.source).decode(document: document) == .event(event, warnings: []))
        #expect(event.users == ["anna", "ben:2"])
        #expect(event.delivery == .secure)
        #expect(event.categories == [])
    }

    @Test(
        arguments: [
            #"["anna","ben:2"]"#: "[]", #""ben:2""#: #""anna""#, "ben:2": "ben 2", #""secure""#: #""sealed""#,
            #"{"users":"#: #"{"users":["x"],"users":"#, #"{"users":["anna","ben:2"]}"#: #"{}"#,
            #"{"users":["#: #"{"all":true,"users":["#, #""users""#: #""user""#,
        ].sorted { $0.key < $1.key }
    )
    func `an unusual audience is left to the full decoder`(_ part: String, _ replacement: String) {
        let text = Self.personal.replacing(part, with: replacement)
        #expect(text != Self.personal)
        #expect(scanned(text) == nil)
    }

    @Test func `a kill needs neither categories nor a text`() throws {
        let text = """
            {"v":1,"id":"k","story":"s","revision":2,"kind":"kill","published":"2026-03-02T08:40:00Z"}
            """
        #expect(try #require(scanned(text)).kind == .kill)
        #expect(scanned(text.replacing("kill", with: "flash")) == nil)
    }
}
