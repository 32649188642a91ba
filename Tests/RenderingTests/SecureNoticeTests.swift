import NewsflashEvents
import NewsflashStrictJSON
import NewsflashTimestamps
import Testing

@testable import NewsflashRendering

/// The payload of an event whose text must not be sent.
@Suite(.timeLimit(.minutes(1)))
struct SecureNoticeTests {
    private static let words = [
        "Secret plan", "Everybody is to leave", "urn:story", "news.example", "flash", "Politics",
    ]

    private let locales: OfferedLocales

    init() throws { locales = try OfferedLocales(offered: ["en", "fr", "pt-BR"], default: "en") }

    private func notice(
        _ source: TextRules.Source = .byLocale([("en", "You have a message"), ("fr", "Vous avez un message")])
    ) throws -> SecureNotice {
        try #require(try TextRules([:], secure: source, locales: locales).notice)
    }

    private static func event() -> NewsEvent {
        var event = Newsroom.event(
            [EventText(language: "en", headline: "Secret plan", summary: "Everybody is to leave")],
            kind: .flash
        )
        event.image = "https://news.example/1.jpg"
        event.delivery = .secure
        return event
    }

    private static func push() -> PushTraits {
        PushTraits(
            of: event(),
            deadline: Timestamp(seconds: 1_700_003_600),
            now: Timestamp(seconds: 1_700_000_000),
            interruption: .active
        )
    }

    @Test func `a notice is found for each language`() throws {
        let news = try notice().news
        #expect(news.locales.map(\.headline) == ["You have a message", "Vous avez un message", "You have a message"])
        #expect(news.locales.map(\.locale) == ["en", "fr", "pt-BR"])
        #expect(
            try notice(.all("\u{202E}One  for all")).news.locales.map(\.headline)
                == .init(repeating: "One for all", count: 3)
        )
    }

    @Test(arguments: [
        TextRules.Source.all("News: {headline}"), .all("{kind, select, flash {Urgent} other {News}}"),
        .all(" \u{200B} "),
        .all(String(repeating: "x", count: 513)), .byLocale([("en", "A message"), ("fr", "Un message: {id}")]),
        .byLocale([("fr", "Un message")]),
    ])
    func `a notice that reveals something or is empty is refused`(_ source: TextRules.Source) {
        let error = #expect(throws: RuleProblems.self) { try TextRules([:], secure: source, locales: locales) }
        #expect(error?.problems.allSatisfy { $0.path.hasPrefix("text.secure") } == true)
    }

    @Test func `a newsroom without a notice has none`() throws {
        #expect(try TextRules([:], locales: locales).notice == nil)
    }

    @Test func `the properties are the id and the notice, whatever the newsroom has added`() throws {
        let properties = try TemplateProperties(
            locales: locales,
            properties: [
                ("messageParam", "Breaking {category} News : {headline_fr}"), ("link", "app://{story}/{id}?{url}"),
                ("word", "{kind, select, flash {Flash} other {News}}"), ("pt", "{summary_pt_BR}"),
            ]
        )
        let payload = try properties.payload(
            forSecure: "n-1",
            notice: notice(),
            push: Self.push(),
            locale: "fr"
        )
        let members = try #require(try JSONReader.read(payload.body).object).map {
            "\($0.name)=\($0.value.string ?? "?")"
        }
        #expect(
            members == [
                "id=n-1", "delivery=secure", "collapse_id=507c25912be12df8", "expires=1700003600", "ttl=3600",
                "interruption=active", "sound=default", "headline=Vous avez un message", "summary=Vous avez un message",
                "headline_en=You have a message", "summary_en=You have a message",
                "headline_fr=Vous avez un message", "summary_fr=Vous avez un message",
                "headline_pt_BR=You have a message", "summary_pt_BR=You have a message",
                "messageParam=Breaking  News : Vous avez un message", "link=app:///n-1?", "word=News",
                "pt=You have a message",
            ]
        )
    }

    @Test(arguments: PayloadFormat.allCases.filter { $0 != .template })
    func `a platform's payload has only the notice and the id`(_ form: PayloadFormat) throws {
        let text = try notice().news.standard
        let payload = try NativePayload(form, ofSecure: "n-1", notice: text, push: Self.push())
        let body = String(decoding: payload.body, as: UTF8.self)
        #expect(body.contains("You have a message"))
        #expect(form == .wns ? body.contains("secureId=n-1") : body.contains(#""secureId":"n-1""#))
        for word in Self.words { #expect(!body.contains(word)) }
        #expect(body.contains(#""content-available":1"#) == (form == .apns))
    }

    @Test func `a property of the newsroom cannot have the name that makes apps fetch`() {
        let error = #expect(throws: RuleProblems.self) {
            try TemplateProperties(locales: locales, properties: [("Delivery", "{id}")])
        }
        #expect(error?.problems.map(\.path) == ["properties.Delivery"])
    }
}
