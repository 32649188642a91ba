import NewsSubscriptions
import NewsflashHTTPTransport
import NewsflashStrictJSON
import NotificationHubs
import Testing

/// The breaking-news system of the tutorial, sentence by sentence, over HTTP with a hub.
@Suite(.timeLimit(.minutes(1)))
struct BreakingNewsTests {
    private static let token = "00FC13ADFF785122B4AD28809A3420982341241421348097878E577C991DE8F0"
    private static let phone = PushChannel.apns(deviceToken: token)

    @Test func `the app shows six categories, restored from the stored choice when it opens`() async throws {
        #expect(
            NewsCategory.breakingNews.map(\.name) == [
                "World", "Politics", "Business", "Technology", "Science", "Sports",
            ]
        )
        try await Newsstand.open { stand in
            let first = try stand.launchedApp()
            #expect(try await first.choice() == NewsChoice())
            #expect(try await first.subscribe(to: [.world, .sports], in: .french) == .waitingForDevice)
            let second = try stand.launchedApp()
            #expect(try await second.choice() == NewsChoice([.world, .sports], language: .french))
            #expect(stand.network.removeCalls().isEmpty)
        }
    }

    @Test func `a subscription stores the choice under the tutorial's key`() async throws {
        try await Newsstand.open { stand in
            try await stand.launchedApp().subscribe(to: [.world, .sports])
            #expect(stand.storage.all["BreakingNewsCategories"] == ["Sports", "World"])
        }
    }

    @Test func `a choice that the tutorial's app has stored is adopted`() async throws {
        try await Newsstand.open { stand in
            try stand.storage.store(["World", "Science"], forKey: "BreakingNewsCategories")
            let app = try stand.launchedApp()
            #expect(try await app.choice().categories == [.world, .science])
            #expect(try await app.register(Self.phone) == .registered)
            let registration = try #require(try await stand.registrations().first)
            #expect(registration.description.tags.map(\.description) == ["Science", "World"])
        }
    }

    @Test func `a subscription registers token, tags and the template with the hub under a Listen key`() async throws {
        try await Newsstand.open { stand in
            #expect(stand.listen.contains("DefaultListenSharedAccessSignature"))
            let app = try stand.launchedApp()
            #expect(try await app.register(Self.phone) == .notRegistered)
            #expect(try await app.subscribe(to: [.world, .sports]) == .registered)
            let registrations = try await stand.registrations()
            #expect(
                registrations.map(\.description) == [
                    RegistrationDescription(
                        channel: Self.phone,
                        tags: [try Tag("Sports"), try Tag("World")],
                        template: TemplateDescription(
                            name: "simpleAPNSTemplate",
                            body: #"{"aps":{"alert":"$(messageParam)"}}"#,
                            expiry: "0"
                        )
                    )
                ]
            )
            let calls = stand.network.removeCalls()
            #expect(
                calls == [
                    "GET /newsdesk/registrations/", "POST /newsdesk/registrationids/",
                    "PUT /newsdesk/registrations/\(registrations[0].id)",
                ]
            )
        }
    }

    @Test(arguments: [
        (NewsText.tutorial, NewsLanguage.portuguese, "$(News_Portuguese)"),
        (.newsflash, .portuguese, "$(headline_pt)"),
    ])
    func `a localized template shows the property of the language`(
        text: NewsText,
        language: NewsLanguage,
        expression: String
    ) async throws {
        try await Newsstand.open { stand in
            let app = try stand.launchedApp { $0.text = text }
            try await app.register(Self.phone)
            #expect(try await app.subscribe(to: [.sports], in: language) == .registered)
            let registration = try #require(try await stand.registrations().first)
            #expect(registration.description.template?.body == #"{"aps":{"alert":"\#(expression)"}}"#)
        }
    }

    @Test func `each launch registers again from the stored choice, with the current token`() async throws {
        try await Newsstand.open { stand in
            let first = try stand.launchedApp()
            try await first.register(Self.phone)
            try await first.subscribe(to: [.politics])
            let id = try #require(try await stand.registrations().first).id
            _ = stand.network.removeCalls()
            // Two days later, and the token is another.
            stand.clock.advance(.seconds(2 * 86_400))
            let other = PushChannel.apns(deviceToken: [0xAB, 0xCD, 0x01])
            #expect(try await stand.launchedApp().register(other) == .registered)
            let registrations = try await stand.registrations()
            #expect(registrations.map(\.id) == [id])
            #expect(registrations.map(\.description.channel) == [.apns(deviceToken: "ABCD01")])
            #expect(registrations.flatMap(\.description.tags).map(\.description) == ["Politics"])
        }
    }

    @Test func `the app does not register again within a day with the same content`() async throws {
        try await Newsstand.open { stand in
            let first = try stand.launchedApp()
            try await first.register(Self.phone)
            try await first.subscribe(to: [.politics])
            let time = stand.clock.now
            _ = stand.network.removeCalls()
            stand.clock.advance(.seconds(86_399))
            #expect(try await stand.launchedApp().register(Self.phone) == .unchanged(since: time))
            #expect(stand.network.removeCalls().isEmpty)
            stand.clock.advance(.seconds(1))
            #expect(try await stand.launchedApp().register(Self.phone) == .registered)
            #expect(stand.network.removeCalls().count == 1)
        }
    }

    @Test func `a new token within the day is registered at once`() async throws {
        try await Newsstand.open { stand in
            let first = try stand.launchedApp()
            try await first.register(Self.phone)
            try await first.subscribe(to: [.politics])
            #expect(try await stand.launchedApp().register(.apns(deviceToken: "ABCD")) == .registered)
            #expect(try await stand.registrations().map(\.description.channel) == [.apns(deviceToken: "ABCD")])
        }
    }

    @Test func `a changed choice makes the registration again`() async throws {
        try await Newsstand.open { stand in
            let app = try stand.launchedApp()
            try await app.register(Self.phone)
            try await app.subscribe(to: [.world])
            #expect(try await app.subscribe(to: [.science, .business]) == .registered)
            let registrations = try await stand.registrations()
            #expect(registrations.map { $0.description.tags.map(\.description) } == [["Business", "Science"]])
        }
    }

    @Test func `the sender posts to a category's tag, and exactly its subscribers get the text`() async throws {
        try await Newsstand.open { stand in
            let app = try stand.launchedApp()
            try await app.register(Self.phone)
            try await app.subscribe(to: [.sports, .technology])
            for category in NewsCategory.breakingNews {
                let text = #"{"messageParam":"Breaking \#(category.name) News : it rains"}"#
                #expect(try await stand.sendTemplate(text, to: category.name) == 201)
            }
            #expect(
                stand.notifications() == [
                    Self.token: [
                        #"{"aps":{"alert":"Breaking Technology News : it rains"}}"#,
                        #"{"aps":{"alert":"Breaking Sports News : it rains"}}"#,
                    ]
                ]
            )
        }
    }

    @Test func `the app's key cannot send`() async throws {
        try await Newsstand.open { stand in
            let app = try stand.launchedApp()
            try await app.register(Self.phone)
            try await app.subscribe(to: [.sports])
            let listen = try HubConnectionString(stand.listen)
            let text = #"{"messageParam":"Breaking Sports News : it rains"}"#
            #expect(try await stand.send(text, to: "Sports", format: "template", with: listen) == 403)
            #expect(stand.notifications().isEmpty)
        }
    }

    @Test func `each subscriber gets the text of the chosen language`() async throws {
        try await Newsstand.open { stand in
            let app = try stand.launchedApp()
            try await app.register(Self.phone)
            try await app.subscribe(to: [.sports], in: .portuguese)
            let texts = #"{"News_English":"Rain","News_Portuguese":"Chuva"}"#
            #expect(try await stand.sendTemplate(texts, to: "Sports") == 201)
            #expect(stand.notifications() == [Self.token: [#"{"aps":{"alert":"Chuva"}}"#]])
        }
    }

    @Test(arguments: [
        (PushChannel.fcmv1(registrationID: "a:b"), #"{"message":{"android":{"data":{"message":"Rain & \"sun\""}}}}"#),
        (
            .wns(uri: "https://wns2.notify.windows.com/?token=A%20B&lang=en"),
            #"<toast><visual><binding template="ToastText01"><text id="1">Rain &amp; "sun"</text></binding></visual></toast>"#
        ),
    ])
    func `other platforms get the text in their own form`(channel: PushChannel, body: String) async throws {
        try await Newsstand.open { stand in
            let app = try stand.launchedApp()
            try await app.register(channel)
            #expect(try await app.subscribe(to: [.world]) == .registered)
            #expect(try await stand.sendTemplate(#"{"messageParam":"Rain & \"sun\""}"#, to: "World") == 201)
            #expect(stand.notifications() == [channel.handle: [body]])
        }
    }
}
