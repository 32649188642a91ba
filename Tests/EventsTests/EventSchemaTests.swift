import NewsflashEvents
import NewsflashStrictJSON
import Testing

@Suite(.timeLimit(.minutes(1)))
struct EventSchemaTests {
    /// A change to a sound event: one member is set to a JSON text or removed.
    struct Change: Sendable, CustomTestStringConvertible {
        let name: String
        let value: String?
        let detail: String?
        var testDescription: String { "\(name) = \((value ?? "absent").prefix(60))" }

        init(_ name: String, _ value: String?, _ detail: String? = nil) {
            self.name = name
            self.value = value
            self.detail = detail
        }
    }

    private static let dateTime = "must be a date-time of RFC 3339 with offset, such as 2026-03-02T09:40:00+01:00"
    private static let identifier = "must be printable ASCII without blanks, and not empty"
    private static let tag = "must be a language tag such as en or pt-BR"
    private static let link = "must begin with https:// and a host, and hold no blanks and controls"
    private static let category = "must begin with a letter or digit and hold only letters, digits and . _ : / -"
    private static let kinds = "must be one of flash, alert, update, correction, hold, kill, is"

    static let sound: [Change] = [
        Change("v", "1.0"),
        Change("id", quoted("!", 128)),
        Change("source", nil),
        Change("source", quoted("é", 256)),
        Change("story", quoted("~", 256)),
        Change("revision", "1e3"),
        Change("revision", "9007199254740991"),
        Change("kind", #""correction""#),
        Change("urgency", "9"),
        Change("published", #""2026-03-02t08:00:00.123456789z""#),
        Change("published", #""2024-02-29T23:59:59-23:59""#),
        Change("expires", #""9999-12-31T23:59:59Z""#),
        Change("embargo", #""0001-01-01T00:00:00Z""#),
        Change("categories", #"["0","Z9._:/-\#(repeated("x", 89))"]"#),
        Change("categories", "[\((1...16).map { "\"c\($0)\"" }.joined(separator: ","))]"),
        Change("language", #""abcdefgh-12345678-abcdefgh-12345678""#),
        Change("text", #"{"en":{"headline":\#(quoted("😀", 1024)),"summary":\#(quoted("é", 4096))}}"#),
        Change("text", #"{"en":{"headline":""},"EN":{"headline":" "}}"#),
        Change("text", "{\((0..<40).map { "\"x\(letters($0))\":{\"headline\":\"h\"}" }.joined(separator: ","))}"),
        Change("url", #""https://\#(repeated("x", 2040))""#),
        Change("image", #""https://例え.example/é""#),
        Change("approvedBy", "[]"),
        Change("approvedBy", "[\((1...8).map { "\"ed \($0)\"" }.joined(separator: ","))]"),
        Change("approvedBy", #"["é","e\u0301"]"#),
        Change("mode", #""backfill""#),
        Change("note", quoted("é", 2048)),
        Change("later", "{}"),
        Change("audience", #"{"users":["\#(repeated("x", 64))","Az09_@#.:-"]}"#),
        Change("audience", "{\"users\":[\((1...1000).map { "\"u\($0)\"" }.joined(separator: ","))]}"),
        Change("delivery", #""secure""#),
        Change("delivery", #""open""#),
        Change("embargo", "null"), Change("expires", "null"), Change("delivery", "null"), Change("audience", "null"),
    ]

    @Test(arguments: sound) func `an event that the schema allows is accepted`(_ change: Change) {
        #expect(rejection(of: decode(change)) == nil)
    }

    private static let user = "must hold only letters, digits and _ @ # . : -, and not be empty"

    static let faulty: [Change] = [
        Change("audience", "[]", "/audience: must be an object, is an array"),
        Change("audience", "{}", "/audience/users: is missing"),
        Change("audience", #"{"users":["a"],"groups":["b"]}"#, "/audience/groups: is unknown; an audience has users"),
        Change("audience", #"{"users":"a"}"#, "/audience/users: must be an array, is a string"),
        Change("audience", #"{"users":[]}"#, "/audience/users: must have 1 to 1000 elements, has 0"),
        Change(
            "audience",
            "{\"users\":[\((0...1000).map { "\"u\($0)\"" }.joined(separator: ","))]}",
            "/audience/users: must have 1 to 1000 elements, has 1001"
        ),
        Change("audience", #"{"users":["a",7]}"#, "/audience/users/1: must be a string, is a number"),
        Change("audience", #"{"users":[""]}"#, "/audience/users/0: \(user)"),
        Change("audience", #"{"users":["a || b"]}"#, "/audience/users/0: \(user)"),
        Change("audience", #"{"users":["é"]}"#, "/audience/users/0: \(user)"),
        Change("audience", #"{"users":["b","a","b"]}"#, "/audience/users/2: occurs twice"),
        Change("audience", "{\"users\":[\(quoted("x", 65))]}", "/audience/users/0: longer than 64"),
        Change("delivery", #""Secure""#, "/delivery: must be one of open, secure, is 'Secure'"),
        Change("v", nil, "/v: is missing"),
        Change("v", "2", "/v: must be 1: other versions of the event are not known"),
        Change("v", #""1""#, "/v: must be 1: other versions of the event are not known"),
        Change("v", "true", "/v: must be 1: other versions of the event are not known"),
        Change("id", nil, "/id: is missing"),
        Change("id", "7", "/id: must be a string, is a number"),
        Change("id", #""""#, "/id: \(identifier)"),
        Change("id", #""a b""#, "/id: \(identifier)"),
        Change("id", #""a\n""#, "/id: \(identifier)"),
        Change("id", #""é""#, "/id: \(identifier)"),
        Change("id", #""\u007f""#, "/id: \(identifier)"),
        Change("id", quoted("x", 129), "/id: longer than 128"),
        Change("source", "null", "/source: must be a string, is null"),
        Change("source", #""""#, "/source: must be a URI reference without blanks and controls, and not empty"),
        Change("source", #""a b""#, "/source: must be a URI reference without blanks and controls, and not empty"),
        Change("source", quoted("😀", 257), "/source: longer than 256"),
        Change("story", nil, "/story: is missing"),
        Change("story", quoted("x", 257), "/story: longer than 256"),
        Change("revision", nil, "/revision: is missing"),
        Change("revision", #""3""#, "/revision: must be an integer, is a string"),
        Change("revision", "0", "/revision: must be an integer from 1 to 9007199254740991"),
        Change("revision", "1.5", "/revision: must be an integer from 1 to 9007199254740991"),
        Change("revision", "9007199254740992", "/revision: must be an integer from 1 to 9007199254740991"),
        Change("revision", "1e400", "/revision: must be an integer from 1 to 9007199254740991"),
        Change("kind", nil, "/kind: is missing"),
        Change("kind", #""Flash""#, "/kind: \(kinds) 'Flash'"),
        Change("kind", #""die Nachricht\u0000""#, "/kind: \(kinds) 'die Nachricht?'"),
        Change("kind", quoted("x", 4000), "/kind: \(kinds) '\(repeated("x", 32))'"),
        Change("kind", "[]", "/kind: \(kinds) an array"),
        Change("urgency", "0", "/urgency: must be an integer from 1 to 9"),
        Change("urgency", "10", "/urgency: must be an integer from 1 to 9"),
        Change("urgency", "null", "/urgency: must be an integer, is null"),
        Change("published", nil, "/published: is missing"),
        Change("published", "1772438400", "/published: must be a date-time, is a number"),
        Change("published", #""2026-02-30T00:00:00Z""#, "/published: \(dateTime)"),
        Change("published", #""2026-03-02T08:00:00""#, "/published: \(dateTime)"),
        Change("published", #""2026-03-02 08:00:00Z""#, "/published: \(dateTime)"),
        Change("published", #""2026-03-02T08:00Z""#, "/published: \(dateTime)"),
        Change("published", #""2026-03-02T24:00:00Z""#, "/published: \(dateTime)"),
        Change("published", #""2026-03-02T08:00:00.Z""#, "/published: \(dateTime)"),
        Change("published", #""2026-03-02T08:00:00.1234567890Z""#, "/published: \(dateTime)"),
        Change("published", #""2026-03-02T08:00:00+0100""#, "/published: \(dateTime)"),
        Change("published", #""2026-03-02T08:00:00+24:00""#, "/published: \(dateTime)"),
        Change("embargo", #""9999-02-30T00:00:00Z""#, "/embargo: \(dateTime)"),
        Change("embargo", #""+999-01-01T00:00:00Z""#, "/embargo: \(dateTime)"),
        Change("embargo", #""-000-01-01T00:00:00Z""#, "/embargo: \(dateTime)"),
        Change("expires", "false", "/expires: must be a date-time, is a boolean"),
        Change("categories", nil, "/categories: is missing"),
        Change("categories", "[]", "/categories: must have 1 to 16 elements, has 0"),
        Change(
            "categories",
            "[\((1...17).map { "\"c\($0)\"" }.joined(separator: ","))]",
            "/categories: must have 1 to 16 elements, has 17"
        ),
        Change("categories", #"{"a":"b"}"#, "/categories: must be an array, is an object"),
        Change("categories", #"["a","b","a"]"#, "/categories/2: occurs twice"),
        Change("categories", #"["a",1]"#, "/categories/1: must be a string, is a number"),
        Change("categories", #"["a",".b"]"#, "/categories/1: \(category)"),
        Change("categories", #"["a","b c"]"#, "/categories/1: \(category)"),
        Change("categories", #"["\#(repeated("x", 97))"]"#, "/categories/0: longer than 96"),
        Change("language", #""e""#, "/language: \(tag)"),
        Change("language", #""en_GB""#, "/language: \(tag)"),
        Change("language", #""en-""#, "/language: \(tag)"),
        Change("language", #""e1""#, "/language: \(tag)"),
        Change("language", #""en-123456789""#, "/language: \(tag)"),
        Change("language", #""abcdefgh-12345678-abcdefgh-12345678-""#, "/language: longer than 35"),
        Change("text", nil, "/text: is missing"),
        Change("text", #""words""#, "/text: must be an object, is a string"),
        Change("text", "{}", "/text: must have 1 to 40 languages, has 0"),
        Change(
            "text",
            "{\((0..<41).map { "\"x\(letters($0))\":{\"headline\":\"h\"}" }.joined(separator: ","))}",
            "/text: must have 1 to 40 languages, has 41"
        ),
        Change("text", #"{"en":"words"}"#, "/text/en: must be an object, is a string"),
        Change("text", #"{"en":{}}"#, "/text/en/headline: is missing"),
        Change("text", #"{"en":{"headline":null}}"#, "/text/en/headline: must be a string, is null"),
        Change("text", #"{"en":{"headline":\#(quoted("é", 1025))}}"#, "/text/en/headline: longer than 1024"),
        Change("text", #"{"en":{"headline":\#(quoted("e\u{301}", 513))}}"#, "/text/en/headline: longer than 1024"),
        Change("text", #"{"en":{"headline":"h","summary":[]}}"#, "/text/en/summary: must be a string, is an array"),
        Change(
            "text",
            #"{"en":{"headline":"h","summary":\#(quoted("😀", 4097))}}"#,
            "/text/en/summary: longer than 4096"
        ),
        Change("text", #"{"en/GB é":{"headline":"h"}}"#, "/text/en~1GB??: the name \(tag)"),
        Change("text", #"{"":{"headline":"h"}}"#, "/text/: the name \(tag)"),
        Change("url", #""http://news.example.org""#, "/url: \(link)"),
        Change("url", #""HTTPS://news.example.org""#, "/url: \(link)"),
        Change("url", #""https://news.example.org/a b""#, "/url: \(link)"),
        Change("url", #""https://\#(repeated("x", 2041))""#, "/url: longer than 2048"),
        Change("image", "{}", "/image: must be a string, is an object"),
        Change("approvedBy", #"["a","a"]"#, "/approvedBy/1: occurs twice"),
        Change("approvedBy", #"[""]"#, "/approvedBy/0: must not be empty"),
        Change("approvedBy", #"["\#(repeated("é", 129))"]"#, "/approvedBy/0: longer than 128"),
        Change(
            "approvedBy",
            "[\((1...9).map { "\"\($0)\"" }.joined(separator: ","))]",
            "/approvedBy: must have 0 to 8 elements, has 9"
        ),
        Change("mode", #""dry""#, "/mode: must be one of live, test, backfill, is 'dry'"),
        Change("note", quoted("é", 2049), "/note: longer than 2048"),
    ]

    @Test(arguments: faulty) func `an event that the schema forbids is refused with its path`(_ change: Change) {
        let rejection = rejection(of: decode(change))
        #expect(rejection?.reason == .schema)
        // A record that may restrict holds its story; its detail ends with that.
        let isHeld = ["kind", "embargo", "expires", "audience", "delivery"].contains(change.name)
        let notice = isHeld ? "; the story is held until a newer revision" : ""
        #expect(rejection?.detail == change.detail.map { $0 + notice })
        #expect(rejection?.holdsStory == isHeld)
        #expect(rejection?.isBoundedAndPrintable == true)
    }

    @Test(arguments: ["hold", "kill"]) func `a hold or a kill needs neither categories nor text`(_ kind: String) {
        let text = #"{"v":1,"id":"e","story":"s","revision":1,"kind":"\#(kind)","published":"2026-03-02T08:00:00Z""#
        guard case .event(let event, []) = decode(text + "}") else {
            Issue.record("\(decode(text + "}"))")
            return
        }
        #expect(event.categories.isEmpty && event.text.isEmpty)
        guard case .event(let faulty, let warnings) = decode(text + #","categories":[],"text":{}}"#) else {
            Issue.record("a withdrawal is obeyed although something about it is wrong")
            return
        }
        #expect(faulty == event)
        #expect(warnings.map(\.rawValue) == ["withdrawal.faulty"])
        #expect(
            warnings.first?.detail
                == "/categories: must have 1 to 16 elements, has 0; /text: must have 1 to 40 languages, has 0"
        )
    }

    @Test(arguments: ["", #""categories":[],"#, #""categories":["world"],"#])
    func `an event for users may do without categories`(_ categories: String) {
        let text = #"{"v":1,"id":"e","story":"s","revision":1,"kind":"alert","published":"2026-03-02T08:00:00Z","#
        let words = #""text":{"en":{"headline":"Words"}}}"#
        #expect(rejection(of: decode(text + categories + #""audience":{"users":["anna"]},"# + words)) == nil)
        let isSound = categories.contains("world")
        #expect((rejection(of: decode(text + categories + words)) == nil) == isSound)
    }

    @Test(arguments: ["null", "7", "[]", #""words""#]) func `an event must be an object`(_ text: String) {
        let rejection = rejection(of: decode(text))
        #expect(rejection?.reason == .notObject)
        #expect(rejection?.detail.hasPrefix("the document: must be an object, is ") == true)
    }

    @Test func `all errors are reported in the order of the schema`() {
        let detail = rejection(of: decode(#"{"mode":"x","kind":"y"}"#))?.detail
        let places = detail?.split(separator: "; ").map { $0.prefix { $0 != ":" } }
        #expect(
            places == ["/v", "/id", "/story", "/revision", "/kind", "/published", "/categories", "/text", "/mode"]
        )
    }

    @Test func `many errors are counted, and the detail stays short`() {
        let texts = (0..<3000).map { #""\#($0) Geheimnis é":1"# }.joined(separator: ",")
        let rejection = rejection(of: decode(Change("text", "{\(texts)}")))
        #expect(rejection?.detail.utf8.count ?? 0 <= 1024)
        #expect(rejection?.detail.hasSuffix(" more") == true)
        #expect(rejection?.isBoundedAndPrintable == true)
    }

    @Test func `a rejection has the readable identifiers of the event`() {
        let text = #"{"id":"a b","source":"urn:x","story":"s","revision":2,"kind":"Flash!","text":"words"}"#
        let named = rejection(of: decode(text))
        #expect(named?.id == "a?b")
        #expect(named?.source == "urn:x")
        #expect(named?.story == "s")
        #expect(named?.revision == 2)
        #expect(named?.kind == "Flash!")
        let unnamed = rejection(of: decode(#"{"id":"","story":7,"revision":"2","kind":null}"#))
        #expect(unnamed?.id == nil)
        #expect(unnamed?.source == "urn:desk")
        #expect(unnamed?.story == nil)
        #expect(unnamed?.revision == nil)
        #expect(unnamed?.kind == nil)
    }

    private func decode(_ change: Change) -> DecodeOutcome {
        var members = [
            ("v", "1"), ("id", #""e-1""#), ("source", #""urn:cms""#), ("story", #""s-1""#), ("revision", "1"),
            ("kind", #""alert""#), ("published", #""2026-03-02T08:00:00Z""#), ("categories", #"["world"]"#),
            ("text", #"{"en":{"headline":"Words"}}"#),
        ].filter { $0.0 != change.name }
        if let value = change.value { members.append((change.name, value)) }
        return decode("{\(members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ","))}")
    }

    private func decode(_ text: String) -> DecodeOutcome {
        EventDecoder(defaultSource: "urn:desk").decode(bytes: Array(text.utf8))
    }

    private static func repeated(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }

    private static func quoted(_ text: String, _ count: Int) -> String {
        "\"\(repeated(text, count))\""
    }

    /// Returns two letters for a number below 676.
    private static func letters(_ number: Int) -> String {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz")
        return "\(alphabet[number / 26])\(alphabet[number % 26])"
    }
}
