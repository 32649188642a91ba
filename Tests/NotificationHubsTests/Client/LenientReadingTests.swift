import NewsflashTimestamps
import NotificationHubs
import Testing

/// Responses of a hub that other clients write to, and of a service that is newer than this library.
@Suite(.timeLimit(.minutes(1)))
struct LenientReadingTests {
    private static func entry(_ kind: String, id: String? = "1-2-3", _ members: String) -> String {
        let id = id.map { "<RegistrationId>\($0)</RegistrationId>" } ?? ""
        let registration = "<\(kind)><ETag>1</ETag>\(id)\(members)</\(kind)>"
        return "<entry><content type=\"application/xml\">\(registration)</content></entry>"
    }

    private static func feed(_ entries: String...) -> ScriptedTransport.Turn {
        .status(200, "<feed><title>Registrations</title>\(entries.joined())</feed>")
    }

    private static let manyTags = (1...72).map { "tag\($0)" }

    @Test func `a page has registrations that break the rules of requests, and names unreadable entries`() async throws
    {
        let transport = ScriptedTransport([
            Self.feed(
                Self.entry("AppleRegistrationDescription", "<Tags>köln, world</Tags><DeviceToken>zz</DeviceToken>"),
                Self.entry("AppleRegistrationDescription", id: nil, "<DeviceToken>00FC</DeviceToken>"),
                Self.entry("GcmRegistrationDescription", "<Tags>\(Self.manyTags.joined(separator: ","))</Tags>"),
                Self.entry(
                    "HarmonyTemplateRegistrationDescription",
                    id: "7",
                    "<ExpirationTime>soon</ExpirationTime><PushVariables>{\"a\":[1]}</PushVariables>"
                        + "<HarmonyRegistrationId>h-1</HarmonyRegistrationId><BodyTemplate>{}</BodyTemplate>"
                ),
                Self.entry("Surprise", id: "8", "")
            )
        ])
        let page = try await NotificationHubClient.scripted(transport).registrations()
        #expect(page.registrations.map(\.description.channel.platform.rawValue) == ["apns", "gcm", "harmony"])
        let first = try #require(page.registrations.first?.description)
        #expect(first.tags.map(\.description) == ["köln", "world"])
        #expect(first.tags.map(\.isValid) == [false, true])
        #expect(first.channel.handle == "zz")
        #expect(page.registrations[1].description.tags.count == 72)
        let last = page.registrations[2]
        #expect(last.description.channel.handle == "h-1")
        #expect(last.description.template?.body == "{}")
        #expect(last.description.pushVariables == [NamedValue("a", "[1]")])
        #expect(last.expiration == nil)
        #expect(page.unreadable.map(\.path) == ["entry 2", "entry 5"])
        #expect(page.unreadable.map(\.registrationID) == [nil, "8"])
        #expect(page.unreadable[0].description == "see RegistrationId in it (in entry 2) [device_missing]")
    }

    @Test func `a sequence of registrations goes on after an unreadable entry and reports it`() async throws {
        let transport = ScriptedTransport([
            Self.feed(
                Self.entry("AppleRegistrationDescription", id: nil, ""),
                Self.entry("AppleRegistrationDescription", id: "2", "<DeviceToken>00FC</DeviceToken>")
            )
        ])
        let (reports, reported) = AsyncStream<HubValueError>.makeStream()
        var ids: [String] = []
        let client = try NotificationHubClient.scripted(transport)
        for try await registration in client.allRegistrations(unreadable: { reported.yield($0) }) {
            ids.append(registration.id)
        }
        reported.finish()
        #expect(ids == ["2"])
        var places: [String] = []
        for await report in reports { places.append(report.path) }
        #expect(places == ["entry 1"])
    }

    @Test func `an installation is read with whatever another client or a newer service wrote`() async throws {
        let body = #"""
            {"installationId":"p1","platform":"harmonyOS","pushChannel":"h-1","tags":["username:anna","köln"],
            "expirationTime":"never","lastUpdate":"2026-05-01T12:00:00Z","geo":{"lat":1},"pushVariables":{"n":[1]},
            "templates":{"t":{"tags":["$(x)","t"]}}}
            """#
        let client = try NotificationHubClient.scripted(ScriptedTransport([.status(200, body)]))
        let installation = try #require(try await client.installation("p1"))
        #expect(installation.channel == PushChannel(PushPlatform(rawValue: "harmonyos"), handle: "h-1"))
        #expect(!installation.channel.platform.isKnown)
        #expect(installation.tags.map(\.description) == ["username:anna", "köln"])
        #expect(installation.expiration == nil)
        #expect(installation.lastUpdate?.rfc3339 == "2026-05-01T12:00:00.000Z")
        #expect(installation.pushVariables == [NamedValue("n", "[1]")])
        #expect(installation.templates.map(\.body) == [""])
        #expect(installation.templates[0].tags.map(\.description) == ["$(x)"])
        #expect(
            installation.otherMembers
                == [NamedValue("expirationTime", #""never""#), NamedValue("geo", #"{"lat":1}"#)]
        )
    }

    @Test(arguments: ["", "[]", #"{"platform":"apns"}"#])
    func `a response that is not an installation is refused`(body: String) async throws {
        let client = try NotificationHubClient.scripted(ScriptedTransport([.status(200, body)]))
        let error = await #expect(throws: HubError.self) { try await client.installation("p1") }
        #expect(error?.code == .unreadableAnswer)
    }

    @Test(arguments: [#"["köln"]"#, #"["a"],"platform":"harmonyos"#])
    func `what was read is refused when it is written and breaks the rules`(members: String) async throws {
        let platform = members.contains("harmony") ? "" : #","platform":"apns""#
        let body =
            #"{"installationId":"p1","pushChannel":"00FC","tags":"# + members + platform
            + (members.hasSuffix("]") ? "}" : #""}"#)
        let transport = ScriptedTransport([.status(200, body)])
        let client = try NotificationHubClient.scripted(transport)
        let installation = try #require(try await client.installation("p1"))
        let error = await #expect(throws: HubError.self) { try await client.putInstallation(installation) }
        #expect(error?.code == .invalidDevice)
        #expect(transport.requests.count == 1)
    }

    @Test func `telemetry keeps counts of unknown platforms and skips what it cannot read`() async throws {
        let client = try NotificationHubClient.scripted(
            ScriptedTransport([
                .status(
                    200,
                    "<NotificationDetails><State>Completed</State><EnqueueTime>yesterday</EnqueueTime>"
                        + "<HarmonyOutcomeCounts><Outcome><Name>Success</Name><Count>3</Count></Outcome>"
                        + "</HarmonyOutcomeCounts>"
                        + "<ApnsOutcomeCounts><Outcome><Name>a</Name></Outcome><x/>"
                        + "<Outcome><Name>Success</Name><Count>9223372036854775807</Count></Outcome>"
                        + "<Outcome><Name>Success</Name><Count>9223372036854775807</Count></Outcome></ApnsOutcomeCounts>"
                        + "</NotificationDetails>"
                )
            ])
        )
        let telemetry = try #require(try await client.telemetry(of: "NH-1"))
        #expect(telemetry.id == "NH-1")
        #expect(telemetry.enqueued == nil)
        #expect(telemetry.outcomes[PushPlatform(rawValue: "harmony")] == ["Success": 3])
        #expect(telemetry.outcomes[.apns] == ["Success": .max])
    }
}
