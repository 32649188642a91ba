import NewsflashEvents
import NewsflashStrictJSON
import NewsflashStrictXML
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@testable import NewsflashRendering

/// Payloads in each platform's own form, and within its maximum size.
@Suite(.timeLimit(.minutes(1)))
struct NativePayloadTests {
    static let forms: [PayloadFormat] = [.apns, .fcmv1, .wns, .adm, .browser]

    private static func push(_ interruption: InterruptionLevel = .active, life: Int64 = 3600) -> PushTraits {
        let now = Timestamp(seconds: 1_700_000_000)
        return PushTraits(
            of: Newsroom.event([]),
            deadline: now + .seconds(life),
            now: now,
            interruption: interruption
        )
    }

    private static func text(_ headline: String, _ summary: String? = nil) -> RenderedText {
        RenderedText(locale: "en", textFrom: "en", headline: headline, summary: summary, isTruncated: false)
    }

    private static func body(
        _ form: PayloadFormat,
        _ headline: String = "Dam gives way",
        _ summary: String? = "Thousands leave.",
        push: PushTraits = push()
    ) throws -> String {
        var event = Newsroom.event([])
        event.image = "https://news.example/1.jpg"
        let payload = try NativePayload(
            form,
            of: event,
            text: text(headline, summary),
            push: push,
            category: "World"
        )
        #expect(!payload.isShortened)
        return String(decoding: payload.body, as: UTF8.self)
    }

    @Test func `each platform gets its own payload, byte for byte`() throws {
        #expect(
            try Self.body(.apns) == """
                {"aps":{"alert":{"title":"Dam gives way","body":"Thousands leave."},"interruption-level":"active",\
                "sound":"default","mutable-content":1,"thread-id":"507c25912be12df8"},"id":"n-1","story":"urn:story:1",\
                "kind":"alert","category":"World","url":"https://news.example/1","image":"https://news.example/1.jpg"}
                """
        )
        #expect(
            try Self.body(.fcmv1) == """
                {"message":{"notification":{"title":"Dam gives way","body":"Thousands leave."},"android":\
                {"priority":"high","ttl":"3600s","collapse_key":"507c25912be12df8","notification":\
                {"tag":"507c25912be12df8","notification_priority":"PRIORITY_DEFAULT","sound":"default",\
                "image":"https://news.example/1.jpg"}},"data":{"id":"n-1","story":"urn:story:1","kind":"alert",\
                "category":"World","url":"https://news.example/1","interruption":"active"}}}
                """
        )
        #expect(
            try Self.body(.wns, "Dam <gives> \"way\" & more") == """
                <?xml version="1.0" encoding="utf-8"?><toast launch="id=n-1&amp;story=urn:story:1&amp;kind=alert&amp;\
                category=World&amp;url=https://news.example/1"><visual><binding template="ToastGeneric"><text>Dam \
                &lt;gives&gt; "way" &amp; more</text><text>Thousands leave.</text><image placement="hero" \
                src="https://news.example/1.jpg"/></binding></visual><audio src="ms-winsoundevent:Notification.Default"/>\
                </toast>
                """
        )
        #expect(
            try Self.body(.adm) == """
                {"data":{"title":"Dam gives way","body":"Thousands leave.","id":"n-1","story":"urn:story:1",\
                "kind":"alert","category":"World","url":"https://news.example/1","image":"https://news.example/1.jpg",\
                "interruption":"active","collapse_id":"507c25912be12df8"},"consolidationKey":"507c25912be12df8",\
                "expiresAfter":3600}
                """
        )
        #expect(
            try Self.body(.browser) == """
                {"title":"Dam gives way","body":"Thousands leave.","tag":"507c25912be12df8","renotify":true,\
                "silent":false,"image":"https://news.example/1.jpg","data":{"id":"n-1","story":"urn:story:1",\
                "kind":"alert","category":"World","url":"https://news.example/1","expires":1700003600},"web_push":8030,\
                "notification":{"title":"Dam gives way","body":"Thousands leave.","navigate":"https://news.example/1",\
                "lang":"en","dir":"auto","tag":"507c25912be12df8","renotify":true,"silent":false}}
                """
        )
    }

    @Test(arguments: [
        (PayloadFormat.apns, InterruptionLevel.passive, "\"interruption-level\":\"passive\"", "sound"),
        (.apns, .timeSensitive, "\"interruption-level\":\"time-sensitive\",\"sound\":\"default\"", "passive"),
        (.fcmv1, .passive, "\"priority\":\"normal\"", "sound"),
        (.fcmv1, .timeSensitive, "\"notification_priority\":\"PRIORITY_HIGH\",\"sound\":\"default\"", "normal"),
        (.wns, .passive, "<audio silent=\"true\"/>", "Notification.Default"),
        (.adm, .passive, "\"interruption\":\"passive\"", "sound"),
        (.browser, .passive, "\"renotify\":false,\"silent\":true", "true,\"silent\":false"),
    ])
    func `a push has the right level of interruption`(
        form: PayloadFormat,
        level: InterruptionLevel,
        has: String,
        lacks: String
    ) throws {
        let body = try Self.body(form, push: Self.push(level))
        #expect(body.contains(has), "\(body)")
        #expect(!body.contains(lacks), "\(body)")
    }

    @Test func `a headline alone is shown in four lines and not in one`() throws {
        #expect(try Self.body(.apns, "News", nil).hasPrefix(#"{"aps":{"alert":{"body":"News"},"#))
        #expect(try Self.body(.fcmv1, "News", nil).hasPrefix(#"{"message":{"notification":{"body":"News"},"#))
        #expect(try Self.body(.wns, "News", nil).contains("<text>News</text><image"))
        #expect(try Self.body(.browser, "News", nil).hasPrefix(#"{"title":"News","tag""#))
    }

    @Test func `a web push without a link has no declarative form, because the form requires one`() throws {
        var event = Newsroom.event([])
        event.url = nil
        let text = Self.text("News", "More.")
        let payload = try NativePayload(.browser, of: event, text: text, push: Self.push(), category: "World")
        let json = try JSONReader.read(payload.body)
        #expect(json.object?.map(\.name) == ["title", "body", "tag", "renotify", "silent", "data"])
        let secure = try NativePayload(.browser, ofSecure: "token", notice: text, push: Self.push())
        #expect(try JSONReader.read(secure.body)[member: "web_push"] == nil)
    }

    @Test func `a web push drops its declarative form before its link, and cuts both copies of a text alike`() throws {
        var event = Newsroom.event([])
        event.url = "https://news.example/" + String(repeating: "u", count: 1_900)
        let text = Self.text(String(repeating: "News ", count: 80), "More.")
        func payload() throws -> JSONValue {
            let payload = try NativePayload(.browser, of: event, text: text, push: Self.push(), category: "World")
            #expect(payload.body.count <= 3993)
            return try JSONReader.read(payload.body)
        }
        let long = try payload()
        #expect(long[member: "notification"] == nil && long[member: "web_push"] == nil)
        #expect(long[member: "data"]?[member: "url"]?.string == event.url)
        event.url = "https://news.example/" + String(repeating: "u", count: 1_500)
        let short = try payload()
        let title = short[member: "title"]?.string ?? ""
        #expect(title.hasSuffix("…") && title.utf8.count >= 128)
        #expect(short[member: "notification"]?[member: "title"]?.string == title)
        #expect(short[member: "notification"]?[member: "navigate"]?.string == event.url)
    }

    @Test func `no platform gets a time to live that it does not support`() throws {
        let long = Self.push(life: 10_000_000)
        #expect(try Self.body(.fcmv1, push: long).contains(#""ttl":"2419200s""#))
        #expect(try Self.body(.adm, push: long).contains(#""expiresAfter":2678400"#))
        #expect(try Self.body(.adm, push: Self.push(life: -5)).contains(#""expiresAfter":1"#))
    }

    @Test func `the launch argument of a Windows app can be parsed again`() throws {
        var event = Newsroom.event([])
        event.url = "https://a.example/?b=1&c=2+3%20"
        let body = try NativePayload(.wns, of: event, text: Self.text("News"), push: Self.push(), category: "").body
        let launch = try XMLReader.read(body).attributes.first { $0.name == "launch" }?.value
        #expect(launch == "id=n-1&story=urn:story:1&kind=alert&url=https://a.example/?b%3D1%26c%3D2%2B3%2520")
    }

    // MARK: - Bytes

    private static let families: [(name: String, piece: String)] = [
        ("long Latin", "The minister of the interior resigned tonight after "), ("one word", "Donaudampfschiff"),
        ("Devanagari", "क्षि श्री लाखों लोग "), ("Arabic", "استقال وزير الداخلية الليلة "), ("Han", "塞雷诺港近海发生七级地震，"),
        ("families", "👩\u{200D}👩\u{200D}👧\u{200D}👦"), ("flags", "🇨🇿🇧🇷"), ("quotes", "\""), ("backslashes", "\\"),
        ("markup", "<&>"), ("marks", "e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}\u{308}"),
        ("lines", "a\u{2028}b "),
    ]

    @Test(arguments: families)
    func `whatever the texts, the payload has the platform's size and is cut between characters`(
        name: String,
        piece: String
    ) throws {
        for form in Self.forms {
            for (headline, summary) in [(1, 1), (1, 4000), (40, 4000), (4000, 0), (4000, 4000)] {
                let text = Self.text(
                    String(repeating: piece, count: headline),
                    summary == 0 ? nil : String(repeating: piece, count: summary)
                )
                let payload = try NativePayload(
                    form,
                    of: Newsroom.event([]),
                    text: text,
                    push: Self.push(),
                    category: "World"
                )
                #expect(payload.body.count <= form.maximumBytes, "\(name) on \(form)")
                let (shown, below) = try Self.texts(payload.body, form)
                #expect(Self.isCutBetweenCharacters(shown, of: text.headline), "\(name) on \(form)")
                if let below, let whole = text.summary {
                    #expect(Self.isCutBetweenCharacters(below, of: whole), "\(name) on \(form)")
                    // The headline is the news: it is complete as long as a summary is left.
                    #expect(shown == text.headline, "\(name) on \(form)")
                }
                #expect(payload.isShortened == (shown != text.headline || below != text.summary), "\(name) on \(form)")
                // Only the necessary part is cut: the unused rest is less than a word.
                if payload.isShortened {
                    #expect(payload.body.count > form.maximumBytes * 3 / 4, "\(name) on \(form): \(payload.body.count)")
                }
            }
        }
    }

    @Test func `a picture is dropped before the news is cut, then categories, then the address`() throws {
        var event = Newsroom.event([])
        event.url = "https://news.example/" + String(repeating: "u", count: 1_900)
        event.image = "https://news.example/" + String(repeating: "i", count: 2_000)
        let categories = (0..<16).map { "category-\($0)" }.joined(separator: ",")
        func payload(_ category: String) throws -> JSONValue {
            let text = Self.text(String(repeating: "News ", count: 60), "More.")
            let payload = try NativePayload(.apns, of: event, text: text, push: Self.push(), category: category)
            #expect(payload.isShortened && payload.body.count <= 4096)
            return try JSONReader.read(payload.body)
        }
        let first = try payload(categories)
        #expect(first[member: "image"] == nil)
        #expect(first[member: "category"]?.string == categories)
        #expect(first[member: "url"]?.string == event.url)
        #expect(first[member: "aps"]?[member: "alert"]?[member: "body"]?.string == "More.")
        event.url = "https://news.example/" + String(repeating: "é", count: 2_000)
        let second = try payload(categories)
        #expect(second[member: "category"] == nil && second[member: "url"] == nil)
    }

    @Test(arguments: forms)
    func `a text that is cut ends in the configured ellipsis`(_ form: PayloadFormat) throws {
        for (headline, summary) in [(1, 8000), (8000, 0)] {
            let text = Self.text(
                String(repeating: "word ", count: headline),
                summary == 0 ? nil : String(repeating: "word ", count: summary)
            )
            let payload = try NativePayload(
                form,
                of: Newsroom.event([]),
                text: text,
                push: Self.push(),
                category: "World",
                ellipsis: "[..]"
            )
            let (shown, below) = try Self.texts(payload.body, form)
            #expect((below ?? shown).hasSuffix("word[..]"))
            #expect(payload.isShortened && payload.body.count <= form.maximumBytes)
        }
    }

    @Test func `an isolated value that is cut is closed`() throws {
        let budget = TextBudget(characters: 12, bytes: 200)
        let text = "عاجل: \u{2068}Breaking news of the day\u{2069}"
        let cut = budget.cut(text).text
        #expect(cut.hasSuffix("…\u{2069}") && cut.count <= 12, "\(cut.debugDescription)")
        #expect(TextBudget(characters: 5, bytes: 200).cut(text).text.contains("\u{2069}") == false)
    }

    @Test func `random texts stay within the size of every platform`() throws {
        var random = SeededRandom()
        for _ in 0..<150 {
            let text = Self.text(
                TextCleaning.clean("x" + random.text(length: .random(in: 0...3_000, using: &random))),
                Bool.random(using: &random) ? TextCleaning.clean("y" + random.text(length: 3_000)) : nil
            )
            for form in Self.forms {
                let payload = try NativePayload(
                    form,
                    of: Newsroom.event([]),
                    text: text,
                    push: Self.push(),
                    category: "World"
                )
                #expect(payload.body.count <= form.maximumBytes, "seed \(random.seed) on \(form)")
                _ = try Self.texts(payload.body, form)
            }
        }
    }

    private static func isCutBetweenCharacters(_ shown: String, of whole: String) -> Bool {
        guard shown != whole else { return true }
        return shown.hasSuffix("…") && whole.hasPrefix(shown.dropLast()) && !shown.dropLast().isEmpty
    }

    /// Returns headline and summary as the platform parses them.
    private static func texts(_ body: [UInt8], _ form: PayloadFormat) throws -> (String, String?) {
        if form == .wns {
            let binding = try #require(XMLReader.read(body).first("visual")?.first("binding"))
            let texts = binding.elements.filter { $0.name == "text" }.map(\.text)
            return (try #require(texts.first), texts.count > 1 ? texts[1] : nil)
        }
        let json = try JSONReader.read(body)
        let place: JSONValue? =
            switch form {
            case .apns: json[member: "aps"]?[member: "alert"]
            case .fcmv1: json[member: "message"]?[member: "notification"]
            case .adm: json[member: "data"]
            default: json
            }
        let lower = place?[member: "body"]?.string
        if let title = place?[member: "title"]?.string { return (title, lower) }
        return (try #require(lower), nil)
    }
}
