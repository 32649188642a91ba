import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashStrictJSON
import NewsflashTimestamps
import NotificationHubs
import Testing

/// A mistake of a developer: the requests that make it, and the place and words with which the emulator shows it.
struct Mistake: CustomTestStringConvertible, Sendable {
    /// The list that shows it, with the member.
    enum Place: String {
        case reason = "requests reason"
        case warning = "requests warnings"
        case delivery = "deliveries warnings"
        case refusal = "deliveries reason"
        case outcome = "deliveries outcome"
        case device = "devices warnings"
    }

    let name: String
    let status: Int
    let place: Place
    let words: String
    let make: @Sendable (Desk) throws -> HTTPResponse

    init(
        _ name: String,
        _ status: Int,
        _ place: Place,
        _ words: String,
        _ make: @escaping @Sendable (Desk) throws -> HTTPResponse
    ) {
        self.name = name
        self.status = status
        self.place = place
        self.words = words
        self.make = make
    }

    var testDescription: String { name }
}

extension Desk {
    fileprivate static let firebaseBody = #"{"message":{"data":{"t":"$(title)"}}}"#

    /// Sends a native message to all devices, or to a handle.
    fileprivate func native(
        _ format: String,
        _ body: String,
        handle: String? = nil,
        headers: HTTPHeaders = []
    ) -> HTTPResponse {
        var headers = headers
        if let handle { headers.append("ServiceBusNotification-DeviceHandle", handle) }
        let path = "/Breaking-News/messages" + (handle == nil ? "" : "?direct")
        return post(path, headers: headers, body: body, format: format)
    }

    fileprivate func template(_ body: String, headers: HTTPHeaders = []) -> HTTPResponse {
        post(headers: headers, body: body)
    }

    fileprivate func installation(_ platform: String, _ handle: String, _ template: String? = nil) -> HTTPResponse {
        var body = #"{"installationId":"i","platform":"\#(platform)","pushChannel":"\#(handle)""#
        if let template {
            body += #","templates":{"news":{"body":\#(String(decoding: Self.quoted(template), as: UTF8.self))}}"#
        }
        return device("PUT", "installations/i", body: body + "}")
    }

    private static func quoted(_ text: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.value(text)
        return writer.bytes
    }
}

@Suite("mistakes that the emulator shows", .timeLimit(.minutes(1)))
struct MistakeTests {
    static let retired = [
        Mistake("an installation of gcm", 200, .device, "gcm is retired") { $0.installation("gcm", "token") },
        Mistake("an installation of mpns", 200, .warning, "mpns is retired") { $0.installation("mpns", "https://a/b") },
        Mistake("a message for gcm", 201, .warning, "gcm is retired") { $0.native("gcm", #"{"data":{}}"#) },
        Mistake("a direct message for gcm", 201, .delivery, "use fcmv1") {
            $0.native("gcm", #"{"data":{}}"#, handle: "token")
        },
        Mistake("a template for gcm", 201, .delivery, "gcm is retired") {
            must($0.installation("gcm", "token", #"{"data":{"t":"$(title)"}}"#))
            return $0.template(#"{"title":"Dam"}"#)
        },
        Mistake("a registration for gcm", 200, .warning, "gcm is retired") {
            let entry = """
                <GcmRegistrationDescription xmlns="http://schemas.microsoft.com/netservices/2010/10/servicebus/connect">\
                <GcmRegistrationId>token</GcmRegistrationId></GcmRegistrationDescription>
                """
            return $0.device("POST", "registrations", body: entry)
        },
    ]

    static let sends = [
        Mistake("a handle that is not hexadecimal", 400, .reason, "not a hexadecimal digit") {
            $0.native("apple", #"{"aps":{}}"#, handle: "zz")
        },
        Mistake("a direct message to a browser without keys", 400, .reason, "P256DH and Auth") {
            $0.native("browser", "{}", handle: "https://a/b")
        },
        Mistake("a property that is a number", 400, .reason, "the property 'a' must be a string") {
            $0.template(#"{"a":1}"#)
        },
        Mistake("a template message that is not an object", 400, .reason, "must be a JSON object") {
            $0.template("[]")
        },
        Mistake("a body that is not JSON", 400, .reason, "is not valid JSON") { $0.native("apple", "{aps}") },
        Mistake("an empty body", 400, .reason, "the body is empty") { $0.native("apple", "") },
        Mistake("the format fcm", 400, .reason, "'fcm' is not supported") { $0.native("fcm", "{}") },
        Mistake("a direct template message", 400, .reason, "needs a native format") {
            $0.native("template", #"{"a":"b"}"#, handle: "AB")
        },
        Mistake("a message for Apple as XML", 400, .reason, "content type 'application/xml'") {
            $0.native("apple", "{}", headers: [.init("Content-Type", "application/xml")])
        },
        Mistake("an invalid tag expression", 400, .reason, "tag expression is not valid") {
            $0.template(#"{"a":"b"}"#, headers: [.init("ServiceBusNotification-Tags", "world &&")])
        },
        Mistake("21 tags in an expression", 400, .reason, "limited to 20 tags") {
            let tags = (0..<21).map { "t\($0)" }.joined(separator: " || ")
            return $0.template(#"{"a":"b"}"#, headers: [.init("ServiceBusNotification-Tags", tags)])
        },
        Mistake("a schedule of more than a week", 400, .reason, "at most 7 days ahead") {
            let time = (Desk.now + .seconds(8 * 86_400)).rfc3339
            let headers: HTTPHeaders = [.init("ServiceBusNotification-ScheduleTime", time)]
            return $0.post("/Breaking-News/schedulednotifications", headers: headers)
        },
        Mistake("a batch without parts", 400, .reason, "has no boundary") {
            $0.post("/Breaking-News/messages/$batch?direct", body: "{}", format: "apple")
        },
        Mistake("an unknown api-version", 400, .reason, "'2099-01' in the query string is not supported") {
            $0.post("/Breaking-News/messages?api-version=2099-01")
        },
        Mistake("a token of another hub", 401, .reason, "") {
            $0.post(headers: [.init("Authorization", $0.token(url: "http://127.0.0.1:8080/other"))])
        },
        Mistake("a rule without the right to send", 403, .reason, "Send") {
            $0.post(headers: [.init("Authorization", $0.token(policy: "Listen Only"))])
        },
    ]

    static let deliveries = [
        Mistake("a property that the message lacks", 201, .delivery, "no property 'title'") {
            $0.install("a")
            return $0.template(#"{"headline":"Dam"}"#)
        },
        Mistake("an expression within plain text", 201, .delivery, "") {
            $0.install("a", body: #"{"aps":{"alert":"News: $(title)"}}"#)
            return $0.template(#"{"title":"Dam"}"#)
        },
        Mistake("a background notification with priority 10", 201, .delivery, "needs apns-priority 5") {
            let headers: HTTPHeaders = [.init("apns-push-type", "background"), .init("apns-priority", "10")]
            return $0.native("apple", #"{"aps":{"content-available":1}}"#, handle: "AB", headers: headers)
        },
        Mistake("a message for FCM without its root", 201, .refusal, "message") {
            $0.native("fcmv1", #"{"data":{}}"#, handle: "token")
        },
        Mistake("a payload of more than 4 KB", 201, .refusal, "at most 4096") {
            $0.native("apple", #"{"aps":{"alert":"\#(String(repeating: "x", count: 4096))"}}"#, handle: "AB")
        },
        Mistake("a notification that has expired", 201, .outcome, "Dropped") {
            $0.native("apple", #"{"aps":{}}"#, handle: "AB", headers: [.init("apns-expiration", "1")])
        },
        Mistake("a token and the installation id of one app", 201, .delivery, "remove the other") {
            $0.install("old", platform: "fcmv1", body: Desk.firebaseBody, handle: FirebaseTests.token)
            $0.install("new", platform: "fcmv1", body: Desk.firebaseBody, handle: FirebaseTests.id)
            return $0.template(#"{"title":"Dam"}"#)
        },
        Mistake("a token that the installation id replaced", 201, .outcome, "ExpiredChannel") {
            $0.install("old", platform: "fcmv1", body: Desk.firebaseBody, handle: FirebaseTests.token)
            $0.install("new", platform: "fcmv1", body: Desk.firebaseBody, handle: FirebaseTests.id)
            return $0.native("fcmv1", #"{"message":{}}"#, handle: FirebaseTests.token)
        },
    ]

    static let devices = [
        Mistake("a template without a closing parenthesis", 400, .reason, "closing parenthes") {
            $0.installation("apns", "AB", #"{"aps":{"alert":"$(title"}}"#)
        },
        Mistake("an unknown platform", 400, .reason, "platform of an installation must be one of") {
            $0.installation("fcm", "token")
        },
        Mistake("a handle with an odd number of digits", 400, .reason, "odd number of nibbles") {
            $0.installation("apns", "ABC")
        },
        Mistake("a tag with a blank", 400, .reason, "tag") {
            let body = #"{"installationId":"i","platform":"apns","pushChannel":"AB","tags":["a b"]}"#
            return $0.device("PUT", "installations/i", body: body)
        },
        Mistake("an If-Match that is not an ETag", 400, .reason, "If-Match is not an ETag") {
            $0.device("DELETE", "registrations/1-1-1", headers: [.init("If-Match", "x")])
        },
    ]

    @Test(arguments: retired + sends + deliveries + devices)
    func `the emulator shows a mistake with its words`(mistake: Mistake) throws {
        let desk = try Desk()
        must(try mistake.make(desk), answer: mistake.status)
        desk.hub.settle()
        let shown = try words(at: mistake.place, desk)
        #expect(shown.contains { $0.contains(mistake.words) }, "\(shown)")
    }

    @Test(arguments: retired)
    func `a hub that refuses retired platforms responds with 400 and the reason`(mistake: Mistake) throws {
        let desk = try Desk { $0.retiredPlatforms = .refuse }
        // The template's row registers its device first.
        guard !mistake.name.hasPrefix("a template") else { return #expect(desk.installation("gcm", "t").status == 400) }
        must(try mistake.make(desk), answer: 400)
        #expect(try words(at: .reason, desk).contains { $0.contains("is retired") })
        #expect(desk.hub.settledDeliveries.isEmpty)
        #expect(desk.inspect("GET", "hub").text.contains(#""registrations":0,"installations":0"#))
    }

    @Test func `requests, deliveries and devices without a mistake have no warning`() throws {
        let desk = try Desk()
        desk.install("a")
        desk.install("b", platform: "fcmv1", body: Desk.firebaseBody, handle: FirebaseTests.id)
        let headers: HTTPHeaders = [.init("apns-push-type", "background"), .init("apns-priority", "5")]
        must(desk.native("apple", #"{"aps":{}}"#, handle: "AB", headers: headers))
        desk.send()
        desk.hub.settle()
        for place in [Mistake.Place.reason, .warning, .delivery, .refusal, .device] {
            #expect(try words(at: place, desk) == [], "\(place)")
        }
    }

    /// The values of a member of all entries of a list.
    private func words(at place: Mistake.Place, _ desk: Desk) throws -> [String] {
        let parts = place.rawValue.split(separator: " ").map(String.init)
        let entries = try JSONReader.read(desk.inspect("GET", parts[0]).body)[member: parts[0]]?.array ?? []
        return entries.compactMap { entry in entry.object?.first { $0.name == parts[1] }?.value }
            .flatMap { $0.array?.compactMap(\.string) ?? [$0.string].compactMap(\.self) }
    }
}
