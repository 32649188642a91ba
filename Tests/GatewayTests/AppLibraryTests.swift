import NewsSubscriptions
import NewsflashBasics
import NewsflashCurlTransport
import NewsflashGateway
import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashTestSupport
import NotificationHubs
import Testing

/// The results that an app gets with the library NewsSubscriptions, over HTTP from a gateway with an emulated hub.
@Suite(.timeLimit(.minutes(1)))
struct AppLibraryTests {
    private static let handle = "00FC13ADFF785122B4AD28809A3420982341241421348097878E577C991DE8F0"
    private static let phone = PushChannel.apns(deviceToken: handle)
    /// The folder of the apps' files, removed after the test.
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Runs a test with a client of the network.
    private func withRig(
        secure: any SecureNotifications = NoTexts(),
        _ body: (GatewayRig, CurlTransport) async throws -> Void
    ) async throws {
        let transport = try CurlTransport()
        defer { transport.shutdown() }
        try await GatewayRig.run(secure: secure) { rig in try await body(rig, transport) }
    }

    /// The gateway as one of its users reaches it.
    private func gateway(_ rig: GatewayRig, _ user: String, _ transport: CurlTransport) throws -> NewsGateway {
        try NewsGateway(url: rig.url, user: user, transport: transport) {
            .basic(user: user, password: GatewayRig.passwords[user] ?? "")
        }
    }

    @Test func `an app registers in two steps, and messages to its user arrive`() async throws {
        try await withRig { rig, transport in
            let app = NewsSubscriber(
                registrar: .gateway(try gateway(rig, "anna", transport)),
                storage: FileSubscriptionStorage(path: folder.file("subscriptions.json"))
            )
            #expect(try await app.subscribe(to: [.sports]) == .waitingForDevice)
            #expect(try await app.register(Self.phone) == .registered)
            let page = try await rig.hubClient().registrations()
            #expect(
                page.registrations.map { $0.description.tags.map(\.description).sorted() } == [
                    ["Sports", "username:anna"]
                ]
            )
            #expect(page.registrations.map(\.description.channel) == [Self.phone])
            try await gateway(rig, "bob", transport).notify(user: "anna", message: "Lunch?", on: .apns)
            let bodies = rig.hub.settledDeliveries.map { String(decoding: $0.notification.body, as: UTF8.self) }
            #expect(bodies.count == 1)
            #expect(bodies.first?.contains("From bob: Lunch?") == true)
            #expect(try await app.unregister() == .notRegistered)
            #expect(try await rig.hubClient().registrations().registrations.isEmpty)
        }
    }

    @Test func `a sender may post natively for each platform, and each device gets its own message`() async throws {
        try await withRig { rig, transport in
            let channels: [PushChannel] = [
                Self.phone, .fcmv1(registrationID: "a:b"), .wns(uri: "https://wns2.notify.windows.com/?token=A"),
            ]
            for (user, channel) in zip(["anna", "bob", "anna"], channels) {
                let app = NewsSubscriber(
                    registrar: .gateway(try gateway(rig, user, transport)),
                    storage: FileSubscriptionStorage(path: folder.file("\(channel.platform.rawValue).json"))
                )
                try await app.register(channel)
                #expect(try await app.subscribe(to: [.sports]) == .registered)
            }
            let bodies: [(PushFormat, String)] = [
                (.apple, #"{"aps":{"alert":"Breaking Sports News : it rains"}}"#),
                (.fcmv1, #"{"message":{"data":{"message":"Breaking Sports News : it rains"}}}"#),
                (
                    .windows,
                    #"<toast><visual><binding template="ToastText01"><text id="1">Breaking Sports News : it rains</text>"#
                        + "</binding></visual></toast>"
                ),
            ]
            let sender = try rig.hubClient()
            for (format, body) in bodies {
                let message = try HubMessage.native(format: format, body: Array(body.utf8))
                for category in ["Sports", "World"] {
                    try await sender.send(message, to: .tags(TagExpression(try Tag(category))))
                }
            }
            let arrived = rig.hub.settledDeliveries.map {
                [$0.handle, String(decoding: $0.notification.body, as: UTF8.self)]
            }
            #expect(Set(arrived) == Set(zip(channels, bodies).map { [$0.handle, $1.1] }))
            #expect(arrived.count == 3)
        }
    }

    @Test func `a registration that somebody else has removed is created again`() async throws {
        try await withRig { rig, transport in
            let app = NewsSubscriber(
                registrar: .gateway(try gateway(rig, "anna", transport)),
                storage: FileSubscriptionStorage(path: folder.file("subscriptions.json"))
            )
            try await app.register(Self.phone)
            for registration in try await rig.hubClient().registrations().registrations {
                _ = try await rig.hubClient().deleteRegistration(registration.id)
            }
            #expect(try await app.subscribe(to: [.world]) == .registered)
            #expect(try await rig.hubClient().registrations().registrations.count == 1)
        }
    }

    @Test func `the next user of a device takes over its registration`() async throws {
        try await withRig { rig, transport in
            let storage = FileSubscriptionStorage(path: folder.file("subscriptions.json"))
            for user in ["anna", "bob"] {
                let app = NewsSubscriber(registrar: .gateway(try gateway(rig, user, transport)), storage: storage)
                #expect(try await app.register(Self.phone) == .registered)
            }
            let registrations = try await rig.hubClient().registrations().registrations
            #expect(registrations.map { $0.description.tags.map(\.description) } == [["username:bob"]])
        }
    }

    @Test func `an installation shows the news of its language and the messages to its user`() async throws {
        try await withRig { rig, transport in
            let app = NewsSubscriber(
                registrar: .installation(through: try gateway(rig, "anna", transport)),
                storage: FileSubscriptionStorage(path: folder.file("subscriptions.json"))
            )
            try await app.register(Self.phone)
            #expect(try await app.subscribe(to: [.sports], in: .portuguese) == .registered)
            let news = try HubMessage.template(properties: [("News_English", "Rain"), ("News_Portuguese", "Chuva")])
            _ = try await rig.hubClient().send(news, to: .tags(TagExpression(NewsCategory.sports.tag)))
            try await gateway(rig, "anna", transport).notify(user: "anna", message: "Hi", on: .apns)
            let bodies = rig.hub.settledDeliveries.map { String(decoding: $0.notification.body, as: UTF8.self) }
            #expect(bodies.first == #"{"aps":{"alert":"Chuva"}}"#)
            #expect(bodies.last?.contains("From anna: Hi") == true)
            #expect(bodies.count == 2)
        }
    }

    @Test func `a wrong password makes the app ask for a sign-in`() async throws {
        try await withRig { rig, transport in
            let gateway = try NewsGateway(url: rig.url, user: "anna", transport: transport) {
                .basic(user: "anna", password: "hush")
            }
            let error = try #require(
                await #expect(throws: SubscriptionError.self) { try await gateway.notifyMyself() }
            )
            #expect(error.code == .signInNeeded)
            #expect(!"\(error)".contains("hush"))
        }
    }

    @Test func `the text of a secure push is fetched by its audience only, until it is withdrawn`() async throws {
        let texts = OneText()
        try await withRig(secure: texts) { rig, transport in
            let anna = try gateway(rig, "anna", transport)
            guard case .found(let text) = try await anna.secureText(id: "n-1", languages: [.french]) else {
                Issue.record("not found")
                return
            }
            #expect(text.headline == "headline for anna in fr")
            #expect(text.published?.rfc3339 == "2026-03-02T08:21:00.000Z")
            #expect(try await gateway(rig, "bob", transport).secureText(id: "n-1") == .notFound)
            texts.answer.withLock { $0 = .withdrawn }
            #expect(try await anna.secureText(id: "n-1") == .withdrawn)
            texts.answer.withLock { $0 = .unavailable }
            let error = await #expect(throws: SubscriptionError.self) { try await anna.secureText(id: "n-1") }
            #expect(error?.isRetriable == true)
        }
    }
}
