import NotificationHubs
import Testing

@Suite("Fields of Apple's templates", .timeLimit(.minutes(1)))
struct AppleTemplateTests {
    private static let values = TemplateValues([NamedValue("expiry", "1767229200"), NamedValue("story", "dam")])

    private func template(
        expiry: String? = nil,
        priority: String? = nil,
        headers: [NamedValue] = [],
        platform: PushPlatform = .apns
    ) throws -> NotificationTemplate {
        try NotificationTemplate(
            TemplateDescription(name: "alerts", body: "{}", headers: headers, expiry: expiry, priority: priority),
            platform: platform
        )
    }

    @Test func `expiry, priority and headers are rendered like the body`() throws {
        let headers = [NamedValue("apns-collapse-id", "{'story-' + $(story)}"), NamedValue("Apns-Push-Type", "alert")]
        let rendered = try template(expiry: "$(expiry)", priority: "10", headers: headers).render(Self.values)
        #expect(rendered.expiry == "1767229200")
        #expect(rendered.priority == "10")
        #expect(
            rendered.headers == [NamedValue("apns-collapse-id", "story-dam"), NamedValue("Apns-Push-Type", "alert")]
        )
        #expect(try template().render(Self.values) == RenderedNotification(body: Array("{}".utf8)))
    }

    @Test(arguments: [
        "0", "$(expiry)", "{'2026-06-' + $(day)}", "2026-06-01", "2026-06-01T12:30:00Z", "2026-06-01 12:30:00.5+02:00",
        "6/1/2026", "6/1/2026 5:30 PM",
    ])
    func `an expiry may be an expression, a date or 0`(expiry: String) throws {
        #expect(try template(expiry: expiry).render(TemplateValues([])).expiry != nil)
    }

    @Test(arguments: [
        "", " ", "soon", "3600", "2026-13-01", "2026-06-32", "2026-06", "0-6-1", "1-2-3-4", "2026-06-01Tx", "T",
    ])
    func `any other expiry is refused, also an empty one`(expiry: String) throws {
        let error = try #require(throws: TemplateError.self) { try template(expiry: expiry) }
        #expect(error.code == .invalidExpiry)
        #expect(error.path == "/expiry")
    }

    @Test(arguments: [
        ("0", true), ("5", true), ("255", true), ("$(p)", true), ("", false), ("256", false), ("-1", false),
        ("high", false),
    ])
    func `a priority may be an expression or a byte`(priority: String, isTaken: Bool) throws {
        if isTaken {
            _ = try template(priority: priority)
            _ = try template(headers: [NamedValue("apns-priority", priority)])
        } else {
            let error = try #require(throws: TemplateError.self) { try template(priority: priority) }
            #expect(error.code == .invalidPriority)
            #expect(error.path == "/priority")
            #expect(throws: TemplateError.self) { try template(headers: [NamedValue("apns-priority", priority)]) }
        }
    }

    @Test(arguments: [
        (NamedValue("X-WNS-Type", "wns/toast"), TemplateError.Code.invalidHeader),
        (NamedValue("", "x"), .invalidHeader),
        (NamedValue("apns-expiration", "soon"), .invalidExpiry), (NamedValue("apns-topic", "$(x"), .missingClosing),
        (NamedValue("APNS-Priority", "x"), .invalidPriority),
    ])
    func `headers that are not Apple's or have the wrong type are refused`(header: NamedValue, code: TemplateError.Code)
        throws
    {
        let error = try #require(throws: TemplateError.self) { try template(headers: [header]) }
        #expect(error.code == code)
        #expect(error.path == "/headers/\(header.name)")
    }

    @Test(arguments: [PushPlatform.fcmv1, .gcm, .adm, .baidu, .browser, .xiaomi])
    func `headers on platforms without headers are refused`(platform: PushPlatform) throws {
        let error = try #require(throws: TemplateError.self) {
            try template(headers: [NamedValue("apns-topic", "x")], platform: platform)
        }
        #expect(error.code == .headersNotAllowed)
        #expect(error.message == "Template 'alerts' is invalid: 'Headers' only acceptable for WNS and MPNS")
    }

    @Test func `an expiry in another form than Apple's has a warning`() throws {
        #expect(try template(expiry: "0", platform: .gcm).warnings.count == 1)
        #expect(try template(expiry: "0").warnings.isEmpty)
        #expect(throws: TemplateError.self) { try template(expiry: "$(a", platform: .gcm) }
    }
}
