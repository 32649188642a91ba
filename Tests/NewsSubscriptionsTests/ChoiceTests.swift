import NewsSubscriptions
import NewsflashHTTPTransport
import NotificationHubs
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ChoiceTests {
    @Test(arguments: ["", "two words", "$UserId:{anna}", "username:anna", "USERNAME:anna", "a||b", "é"])
    func `an impossible category and a tag that the app must not set are refused`(name: String) {
        #expect(throws: SubscriptionError.self) { try NewsCategory(name) }
    }

    @Test(arguments: [("pt-BR", "Portuguese", "pt_BR"), ("zh-Hant-TW", "Mandarin", "zh_Hant_TW")])
    func `a language names the properties of both senders`(locale: String, name: String, suffix: String) throws {
        let language = try NewsLanguage(locale: locale, name: name)
        #expect(NewsText.tutorial.expression(in: language) == "$(News_\(name))")
        #expect(NewsText.newsflash.expression(in: language) == "$(headline_\(suffix))")
    }

    @Test func `without a language the one text for all is shown`() {
        #expect(NewsText.tutorial.expression(in: nil) == "$(messageParam)")
        #expect(NewsText.newsflash.expression(in: nil) == "$(headline)")
        #expect(NewsText.expression("{'a' + $(b)}").expression(in: .french) == "{'a' + $(b)}")
    }

    @Test(arguments: [
        ("pt", "pt-BR"), ("pt-BR", "pt-BR"), ("PT-br", "pt-BR"), ("pt-PT", "pt-BR"), ("en-GB", "en"),
        ("zh-Hant-TW", "zh-Hant"), ("zh-Hans", "zh"), ("fr", nil), ("p", nil),
    ])
    func `a language that is not offered becomes the nearest offered one`(wanted: String, offered: String?) throws {
        let languages = try ["en", "pt-BR", "zh-Hant", "zh"].map { try NewsLanguage(locale: $0) }
        #expect(try NewsLanguage(locale: wanted).nearest(in: languages)?.locale == offered)
    }

    @Test(arguments: [
        ("zh-Hant-TW", "zh-TW"), ("zh-Hans-CN", "zh-CN"), ("zh-Hant", "zh-CN"), ("zh", "zh-CN"),
        ("sr-RS", "sr-Latn-RS"), ("sr-Cyrl-ME", "sr-Cyrl-BA"), ("cn", nil),
    ])
    func `the closest of several locales of the same language is chosen, then the first`(
        wanted: String,
        offered: String?
    ) throws {
        let tags = ["zh-CN", "zh-TW", "sr-Latn-RS", "sr-Cyrl-BA", "sr-Cyrl-RS"]
        let languages = try tags.map { try NewsLanguage(locale: $0) }
        #expect(try NewsLanguage(locale: wanted).nearest(in: languages)?.locale == offered)
    }

    @Test(arguments: [("pt-BR", "Portuguese"), ("zh-Hans", "Mandarin"), ("cs", "Czech"), ("sw-KE", "sw_KE")])
    func `a language has its English name by default`(locale: String, name: String) throws {
        #expect(try NewsLanguage(locale: locale).name == name)
    }

    @Test(arguments: [
        (NewsLanguage.portuguese, NewsText.newsflash, "$(headline_pt_BR)"), (.german, .newsflash, "$(headline)"),
        (.german, .tutorial, "$(messageParam)"), (.portuguese, .tutorial, "$(News_Portuguese)"),
    ])
    func `a device registers only languages that the newsroom offers`(
        language: NewsLanguage,
        text: NewsText,
        expression: String
    ) async throws {
        let transport = ScriptedTransport([HTTPResponse(200)])
        let gateway = try NewsGateway(url: "https://push.example.org", user: "anna", transport: transport) {
            .bearer(token: "t")
        }
        var configuration = SubscriberConfiguration()
        configuration.text = text
        configuration.languages = try ["en", "pt-BR"].map { try NewsLanguage(locale: $0) }
        let app = NewsSubscriber(
            registrar: .installation(through: gateway),
            storage: MemoryStorage(),
            configuration: configuration
        )
        try await app.subscribe(to: [.world], in: language)
        try await app.register(.apns(deviceToken: "ab"))
        let body = try #require(transport.removeRequests().first).text
        #expect(body.contains(expression))
        #expect(try await app.choice().language == language, "what was chosen stays chosen")
    }

    @Test(arguments: [
        ("", "English"), ("e n", "English"), ("en-", "English"), ("en", ""), ("en", "a)b"), ("en_GB", "E"),
    ])
    func `a text that cannot be part of a property's name is refused`(locale: String, name: String) {
        #expect(throws: SubscriptionError.self) { try NewsLanguage(locale: locale, name: name) }
    }

    @Test func `a stored language is restored, and an invalid one is ignored`() async throws {
        let storage = MemoryStorage([
            "BreakingNewsCategories": ["World", "no category"], "BreakingNewsLanguage": ["pt-BR", "Portuguese"],
        ])
        #expect(
            try await subscriber(storage).choice()
                == NewsChoice([.world], language: try NewsLanguage(locale: "pt-BR", name: "Portuguese"))
        )
        try storage.store(["pt BR", "x"], forKey: "BreakingNewsLanguage")
        #expect(try await subscriber(storage).choice().language == nil)
    }

    @Test func `a failing storage is reported, and nothing is sent`() async throws {
        let storage = MemoryStorage()
        storage.fail(with: SubscriptionError(.storage, "full"))
        let transport = ScriptedTransport([])
        let error = await #expect(throws: SubscriptionError.self) {
            try await subscriber(storage, transport).subscribe(to: [.world])
        }
        #expect(error?.code == .storage)
        #expect(transport.removeRequests().isEmpty)
    }

    @Test(arguments: NewsTemplate.standard.map(\.platform))
    func `the standard templates are accepted by the hub without a warning`(platform: PushPlatform) throws {
        let template = try #require(NewsTemplate.standard.first { $0.platform == platform })
        for text in [NewsText.tutorial.expression(in: nil), NewsText.newsflash.expression(in: .french)] {
            let made = try NotificationTemplate(template.description(showing: text), platform: platform)
            #expect(made.warnings.isEmpty)
        }
    }

    @Test func `a platform without a template is reported`() async throws {
        let app = try subscriber(MemoryStorage())
        try await app.subscribe(to: [.world])
        let error = await #expect(throws: SubscriptionError.self) {
            try await app.register(.adm(registrationID: "a"))
        }
        #expect(error?.code == .noTemplate)
    }

    @Test func `an invalid token is reported and not shown`() async throws {
        let app = try subscriber(MemoryStorage())
        try await app.subscribe(to: [.world])
        let error = await #expect(throws: SubscriptionError.self) {
            try await app.register(.apns(deviceToken: "not hex"))
        }
        #expect(error?.code == .invalidValue)
        #expect(error?.message.contains("not hex") == false)
    }

    @Test(arguments: ["DefaultFullSharedAccessSignature", "RootManageSharedAccessKey"])
    func `a key with all rights is refused and not shown`(keyName: String) throws {
        let text = "Endpoint=sb://newsdesk.servicebus.windows.net/;SharedAccessKeyName=\(keyName);SharedAccessKey=hush"
        let error = try #require(
            #expect(throws: SubscriptionError.self) {
                try Registrar.hub(connection: text, name: "newsdesk", transport: ScriptedTransport([]))
            }
        )
        #expect(error.code == .invalidValue)
        #expect(!"\(error)".contains("hush"))
    }

    private func subscriber(
        _ storage: MemoryStorage,
        _ transport: ScriptedTransport = ScriptedTransport([])
    ) throws -> NewsSubscriber {
        let listen = "Endpoint=sb://newsdesk.servicebus.windows.net/;SharedAccessKeyName=Listen;SharedAccessKey=hush"
        return NewsSubscriber(
            registrar: try .hub(connection: listen, name: "newsdesk", transport: transport),
            storage: storage
        )
    }
}
