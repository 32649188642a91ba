import NewsflashHubEmulator
import NotificationHubs
import Testing

@Suite("the client's registrations, over HTTP", .timeLimit(.minutes(1)))
struct RegistrationCallTests {
    private static let token = "00FC13AD"

    private static func phone(_ token: String = Self.token, _ tags: [NotificationHubs.Tag] = [])
        -> RegistrationDescription
    {
        RegistrationDescription(
            channel: .apns(deviceToken: token),
            tags: tags,
            template: TemplateDescription(
                name: "simpleAPNSTemplate",
                body: #"{"aps":{"alert":"$(messageParam)"}}"#,
                expiry: "0"
            )
        )
    }

    @Test func `the client registers a phone in two steps and reads it as it was written`() async throws {
        try await ClientOfHub.run { desk in
            let id = try await desk.listener.createRegistrationID()
            let description = try Self.phone(Self.token, tags("world", "sports"))
            let written = try await desk.listener.upsertRegistration(id, description)
            #expect(written.id == id)
            #expect(written.etag == 1)
            #expect(written.description == description)
            #expect(try await desk.listener.registration(id) == written)
            #expect(try await desk.client.test(.hello, to: .tags(TagExpression(parsing: "sports"))).success == 1)
        }
    }

    @Test func `the client registers a phone in one step`() async throws {
        try await ClientOfHub.run { desk in
            let first = try await desk.client.createRegistration(Self.phone())
            let second = try await desk.client.createRegistration(Self.phone("00fc13ae"))
            #expect(first.id != second.id)
            #expect(second.description.channel == .apns(deviceToken: "00FC13AE"))
        }
    }

    @Test func `a registration is replaced only if nobody has written it since`() async throws {
        try await ClientOfHub.run { desk in
            let id = try await desk.client.createRegistrationID()
            let first = try await desk.client.upsertRegistration(id, Self.phone())
            let second = try await desk.client.upsertRegistration(id, Self.phone(), ifMatch: first.etag)
            #expect(second.etag == first.etag + 1)
            let error = await #expect(throws: HubError.self) {
                try await desk.client.upsertRegistration(id, Self.phone(), ifMatch: first.etag)
            }
            #expect(error?.reply?.status == 412)
            #expect(error?.isRetriable == false)
            #expect(error?.label == "precondition_failed")
            #expect(error?.attempts == 1)
            let stale = await #expect(throws: HubError.self) {
                try await desk.client.deleteRegistration(id, ifMatch: first.etag)
            }
            #expect(stale?.reply?.status == 412)
            #expect(try await desk.client.deleteRegistration(id, ifMatch: second.etag))
            let gone = await #expect(throws: HubError.self) {
                try await desk.client.upsertRegistration(id, Self.phone(), ifMatch: second.etag)
            }
            #expect(gone?.code == .missing)
        }
    }

    @Test func `a deletion returns whether the registration existed`() async throws {
        try await ClientOfHub.run { desk in
            let id = try await desk.client.createRegistration(Self.phone()).id
            #expect(try await desk.client.deleteRegistration(id))
            #expect(try await desk.client.deleteRegistration(id) == false)
            #expect(try await desk.client.registration(id) == nil)
        }
    }

    @Test func `the error for an id that the hub never gave asks for a new one`() async throws {
        try await ClientOfHub.run { desk in
            let error = await #expect(throws: HubError.self) {
                try await desk.client.upsertRegistration("not-an-id-of-the-hub", Self.phone())
            }
            #expect(error?.reply?.status == 410)
            #expect(error?.label == "gone")
            #expect(error?.isRetriable == false)
            #expect(error?.message.contains("request a new one") == true)
        }
    }

    @Test func `the client reads all pages of a list as they are needed`() async throws {
        try await ClientOfHub.run { desk in
            var made: [String] = []
            for number in 0..<205 {
                let tag = try tags(number.isMultiple(of: 2) ? "even" : "odd")
                let token = "00" + String(number, radix: 16).uppercased()
                made.append(try await desk.client.createRegistration(Self.phone(token.evenLength, tag)).id)
            }
            var found: [String] = []
            for try await registration in desk.client.allRegistrations() { found.append(registration.id) }
            #expect(found == made)
            let first = try await desk.client.registrations(top: 3)
            #expect(first.registrations.map(\.id) == Array(made.prefix(3)))
            let second = try await desk.client.registrations(top: 3, after: first.continuation)
            #expect(second.registrations.map(\.id) == Array(made[3..<6]))
            var even = 0
            for try await registration in try desk.client.allRegistrations(.tag(tags("even")[0])) {
                #expect(try registration.description.tags == tags("even"))
                even += 1
            }
            #expect(even == 103)
        }
    }

    @Test(
        arguments: [
            PushChannel.apns(deviceToken: "00fc13ad"), .fcmv1(registrationID: "a:b_c-d"),
            .wns(uri: "https://db3.notify.windows.com/?token=AwY%3d&x='y'"), .baidu(userID: "u1", channelID: "c1"),
            .browser(endpoint: "https://push.example.org/1?a=b&c", p256dh: "BJ", auth: "cQ"),
            .adm(registrationID: "amzn1"),
        ])
    func `a client with the right to listen finds the registrations of a device`(channel: PushChannel) async throws {
        try await ClientOfHub.run { desk in
            let id = try await desk.listener.createRegistration(RegistrationDescription(channel: channel)).id
            _ = try await desk.listener.createRegistration(.init(channel: .gcm(registrationID: "another")))
            #expect(try await desk.listener.registrations(.channel(channel)).registrations.map(\.id) == [id])
            let none = try await desk.listener.registrations(.channel(.gcm(registrationID: "unknown")))
            #expect(none == (try await desk.listener.registrations(.channel(.gcm(registrationID: "unknown2")))))
            #expect(none.registrations.isEmpty && none.continuation == nil)
        }
    }

    @Test func `the client finds the registrations of an installation by its tag`() async throws {
        try await ClientOfHub.run { desk in
            try await desk.client.putInstallation(Installation(id: "phone-1", channel: .apns(deviceToken: Self.token)))
            let page = try await desk.client.registrations(.tag(.installation("phone-1")))
            #expect(page.registrations.map(\.description.channel) == [.apns(deviceToken: Self.token)])
        }
    }

    @Test func `a client without the claim for a list gets an error that is not retried`() async throws {
        try await ClientOfHub.run { desk in
            let error = await #expect(throws: HubError.self) { try await desk.listener.registrations() }
            #expect([401, 403].contains(error?.reply?.status))
            #expect(error?.operation == .listRegistrations)
            #expect(error?.isRetriable == false)
        }
    }

    @Test func `the client does not send a registration that the hub would refuse`() async throws {
        try await ClientOfHub.run { desk in
            let error = await #expect(throws: HubError.self) {
                try await desk.client.createRegistration(Self.phone("not hexadecimal"))
            }
            #expect(error?.code == .invalidDevice)
            #expect(error?.attempts == 0)
            for id in ["", ".", "..", "a b", "a\r\nb"] {
                let error = await #expect(throws: HubError.self) { try await desk.client.registration(id) }
                #expect(error?.code == .invalidDevice)
            }
            let nothing = try await desk.client.registration("../messages?a")
            #expect(nothing == nil)
            #expect(desk.hub.stats.byStatus == [404: 1])
        }
    }

    @Test func `the client distinguishes a missing hub from a missing registration`() async throws {
        try await ClientOfHub.run { desk in
            let client = try NotificationHubClient(
                connection: HubConnectionString(desk.hub.connectionStrings[0]),
                hub: "mistyped",
                transport: desk.transport
            )
            let error = await #expect(throws: HubError.self) { try await client.registration("1-2-3") }
            #expect(error?.code == .notAccepted)
            #expect(error?.message.contains("check the endpoint and the hub's name") == true)
        }
    }
}

extension String {
    fileprivate var evenLength: String { utf8.count.isMultiple(of: 2) ? self : self + "0" }
}

extension HubMessage {
    /// A template message that a test can send.
    static var hello: HubMessage {
        get throws { try .template(properties: [("messageParam", "Breaking World News : hello")]) }
    }
}
