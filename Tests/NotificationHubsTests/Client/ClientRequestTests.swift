import NewsflashHTTPTransport
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite("Requests of the client", .timeLimit(.minutes(1)))
struct ClientRequestTests {
    private static let base = "https://newsdesk.servicebus.windows.net/breaking/"

    private func request(
        _ turn: ScriptedTransport.Turn = .created,
        of call: (NotificationHubClient) async throws -> Void
    ) async throws -> HTTPRequest {
        let transport = ScriptedTransport([turn])
        try? await call(NotificationHubClient.scripted(transport, retries: .never))
        return try #require(transport.requests.first)
    }

    @Test func `requests have token, version and names like those of the SDKs`() async throws {
        let request = try await request { _ = try await $0.createRegistrationID() }
        #expect(request.method == .post)
        #expect(request.url == Self.base + "registrationids?api-version=2020-06")
        #expect(request.headers["Authorization"]?.hasPrefix("SharedAccessSignature sr=") == true)
        #expect(request.headers["TrackingId"] != nil)
        #expect(request.headers["User-Agent"] == "newsflash")
        #expect(request.headers["Content-Type"] == nil)
    }

    @Test(arguments: ["Location", "Content-Location"])
    func `the id of a registration is read from either header`(header: String) async throws {
        let place = Self.base + "registrations/7260336227650468927-42-1?api-version=2020-06"
        let transport = ScriptedTransport([.status(201, headers: [.init(header, place)])])
        let client = try NotificationHubClient.scripted(transport, retries: .never)
        #expect(try await client.createRegistrationID() == "7260336227650468927-42-1")
    }

    @Test func `the condition of a write is sent`() async throws {
        let phone = RegistrationDescription(channel: .apns(deviceToken: "00FC"))
        let upsert = try await request { _ = try await $0.upsertRegistration("1-2-3", phone) }
        #expect(upsert.method == .put)
        #expect(upsert.headers["If-Match"] == nil)
        #expect(upsert.headers["Content-Type"] == "application/atom+xml;type=entry;charset=utf-8")
        let update = try await request { _ = try await $0.upsertRegistration("1-2-3", phone, ifMatch: 3) }
        #expect(update.headers["If-Match"] == "\"3\"")
        let delete = try await request { _ = try await $0.deleteRegistration("1-2-3") }
        #expect(delete.headers["If-Match"] == "*")
        let guarded = try await request { _ = try await $0.deleteRegistration("1-2-3", ifMatch: 3) }
        #expect(guarded.headers["If-Match"] == "\"3\"")
    }

    @Test func `ids stay within their part of the path`() async throws {
        let request = try await request { _ = try await $0.installation("a/b?c#d&e@f:g=h%i") }
        #expect(request.url == Self.base + "installations/a%2fb%3fc%23d%26e%40f%3ag%3dh%25i?api-version=2020-06")
    }

    @Test func `pages are requested with the hub's unchanged token`() async throws {
        let all = try await request { _ = try await $0.registrations(top: 1000, after: "MzEobik7Mg%3D%3D") }
        #expect(all.url == Self.base + "registrations?api-version=2020-06&$top=100&continuationtoken=MzEobik7Mg%3D%3D")
        let least = try await request { _ = try await $0.registrations(top: -3, after: "a&$filter=b") }
        #expect(least.url == Self.base + "registrations?api-version=2020-06&$top=1&continuationtoken=a%26%24filter%3db")
        let tag = try await request { _ = try await $0.registrations(.tag(.installation("i=1"))) }
        #expect(
            tag.url == Self.base + "tags/%24InstallationId%3a%7bi%3d1%7d/registrations?api-version=2020-06&$top=100"
        )
        let device = try await request { _ = try await $0.registrations(.channel(.wns(uri: "https://n/?a='b'"))) }
        #expect(
            device.url == Self.base + "registrations?api-version=2020-06"
                + "&$filter=ChannelUri%20eq%20%27https%3a%2f%2fn%2f%3fa%3d%27%27b%27%27%27&$top=100"
        )
    }

    @Test(arguments: [(0, "2026-01-01T00:00:00"), (1, "2026-01-01T00:00:01"), (999_999_999, "2026-01-01T00:00:01")])
    func `a send is scheduled for a whole second, never too early`(nanoseconds: Int64, text: String) async throws {
        let time = Timestamp(seconds: 1_767_225_600) + .nanoseconds(nanoseconds)
        let message = try HubMessage.template(properties: [("a", "b")])
        let expression = try TagExpression(parsing: "world")
        let request = try await request { _ = try await $0.schedule(message, to: .tags(expression), at: time) }
        #expect(request.url == Self.base + "schedulednotifications?api-version=2020-06")
        #expect(request.headers["ServiceBusNotification-ScheduleTime"] == text)
        #expect(request.headers["ServiceBusNotification-Tags"] == "world")
    }

    @Test func `a test has the flag of a test send`() async throws {
        let message = try HubMessage.template(properties: [("a", "b")])
        let request = try await request { _ = try await $0.test(message, to: .broadcast) }
        #expect(request.url == Self.base + "messages?api-version=2020-06&test")
    }

    @Test func `an installation is written without values that only the hub sets`() async throws {
        let installation = Installation(
            id: "i",
            channel: .apns(deviceToken: "00fc"),
            isChannelExpired: true,
            expiration: Timestamp(seconds: 1_767_225_600),
            templates: [InstallationTemplate(name: "alerts", body: "{}")]
        )
        let request = try await request { try await $0.putInstallation(installation) }
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == #"{"installationId":"i","pushChannel":"00FC","platform":"apns","expirationTime":"2026-01-01T00:00:00.000Z","#
                + #""templates":{"alerts":{"body":"{}"}}}"#
        )
    }

    @Test func `a patch adds each tag as a string, replaces tags with an array, and has objects as text`() async throws
    {
        let template = InstallationTemplate(name: "a/b", body: "{}")
        let patch = try InstallationPatch([
            .setTemplate(template), .setUser(nil), .setChannel(.gcm(registrationID: "g")),
            .replaceTags([Tag("r"), Tag("s")]), .addTags([Tag("t"), Tag("u")]),
        ])
        let request = try await request { try await $0.patchInstallation("i", patch) }
        #expect(request.method == .patch)
        #expect(request.headers["Content-Type"] == "application/json-patch+json")
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == #"[{"op":"replace","path":"/templates/a~1b","value":"{\"body\":\"{}\"}"},"#
                + #"{"op":"remove","path":"/userId"},{"op":"replace","path":"/pushChannel","value":"g"},"#
                + #"{"op":"replace","path":"/tags","value":["r","s"]},{"op":"add","path":"/tags","value":"t"},"#
                + #"{"op":"add","path":"/tags","value":"u"}]"#
        )
    }
}
