import NewsflashHTTPTransport
import NewsflashHubEmulator
import NotificationHubs
import Testing

@Suite("fan-out", .timeLimit(.minutes(1)))
struct FanOutTests {
    @Test(
        arguments: [
            (nil, ["a", "b", "c"]),
            ("world", ["a", "b"]),
            ("WORLD", ["a", "b"]),
            ("sports || politics", ["b", "c"]),
            ("world && !sports", ["a"]),
            ("!world", ["c"]),
            ("(world || politics) && !(sports || muted)", ["a"]),
            ("$InstallationId:{b}", ["b"]),
            ("$InstallationId:{nobody}", []),
            ("$UserId:{reader-1} && world", ["a"]),
            ("$UserId:{reader-1}", ["a", "c"]),
            ("news", ["a", "b", "c"]),
            ("nobody", []),
        ] as [(String?, [String])]
    )
    func `a send reaches exactly the devices that match its expression`(expression: String?, expected: [String]) throws
    {
        let desk = try Desk()
        desk.install("a", tags: ["world"], user: "reader-1")
        desk.install("b", tags: ["World", "sports"])
        desk.install("c", tags: ["politics", "muted"], user: "reader-1")
        desk.send(tags: expression)
        #expect(desk.readers == expected)
        let record = try #require(desk.hub.sends.first)
        #expect(record.progress.targets == expected.count)
        #expect(record.progress.state == (expected.isEmpty ? .noTargetFound : .completed))
    }

    @Test func `a device gets one notification for each matching template`() throws {
        let desk = try Desk()
        let entry = { (title: String) in
            """
            <entry xmlns="http://www.w3.org/2005/Atom"><content type="application/xml">\
            <AppleTemplateRegistrationDescription \
            xmlns="http://schemas.microsoft.com/netservices/2010/10/servicebus/connect">\
            <Tags>world</Tags><DeviceToken>AB01</DeviceToken>\
            <BodyTemplate><![CDATA[{"aps":{"alert":"{'\(title): ' + $(title)}"}}]]></BodyTemplate>\
            </AppleTemplateRegistrationDescription></content></entry>
            """
        }
        #expect(desk.device("POST", "registrations", body: entry("one")).status == 200)
        #expect(desk.device("POST", "registrations", body: entry("two")).status == 200)
        desk.send(tags: "world")
        #expect(
            desk.arrived == [
                #"AB01: {"aps":{"alert":"one: Dam gives way"}}"#, #"AB01: {"aps":{"alert":"two: Dam gives way"}}"#,
            ]
        )
    }

    @Test func `a native send reaches native registrations of its platform only, once per handle`() throws {
        let desk = try Desk()
        desk.install("apple", tags: ["world"])
        desk.install("twin", tags: ["world"], handle: Desk.handle(of: "apple", platform: "apns"))
        desk.install("android", tags: ["world"], platform: "fcmv1", body: #"{"message":{"data":{"t":"$(title)"}}}"#)
        let body = #"{"aps":{"alert":"native"}}"#
        let headers: HTTPHeaders = [
            .init("ServiceBusNotification-Tags", "world"), .init("apns-collapse-id", "story-1"),
        ]
        #expect(desk.post(headers: headers, body: body, format: "apple").status == 201)
        let deliveries = desk.hub.settledDeliveries
        #expect(deliveries.map(\.outcome.rawValue) == ["Success", "Skipped"])
        #expect(deliveries.map(\.platform) == [.apns, .apns])
        #expect(deliveries.first?.notification.text == body)
        #expect(deliveries.first?.notification.headers == [NamedValue("apns-collapse-id", "story-1")])
    }

    @Test func `a device's push variables are used after the message's properties`() throws {
        let desk = try Desk()
        let body = #"{"aps":{"alert":"{$(name) + ': ' + $(title)}"}}"#
        desk.install("a", body: body, extra: #","pushVariables":{"name":"Ada","title":"never"}"#)
        desk.install("b", body: body, extra: #","pushVariables":{"name":"Ben"}"#)
        desk.install("c", body: body)
        desk.send()
        #expect(
            desk.arrived == [
                #"a: {"aps":{"alert":"Ada: Dam gives way"}}"#, #"b: {"aps":{"alert":"Ben: Dam gives way"}}"#,
                #"c: {"aps":{"alert":": Dam gives way"}}"#,
            ]
        )
    }

    @Test func `a delivery shows why the platform would refuse the payload`() throws {
        let desk = try Desk()
        desk.install("large", tags: ["x"])
        desk.install("bare", tags: ["x"], platform: "fcmv1", body: #"{"data":{"t":"$(title)"}}"#)
        desk.send(["title": String(repeating: "n", count: 5000)], tags: "x")
        let deliveries = desk.hub.settledDeliveries
        #expect(deliveries.map(\.outcome.rawValue) == ["InvalidNotificationSize", "InvalidNotificationSize"])
        desk.send(["title": "short"], tags: "x")
        let later = desk.hub.settledDeliveries.dropFirst(2)
        #expect(later.map(\.outcome.rawValue) == ["Success", "InvalidNotificationFormat"])
        #expect(later.last?.notification.fault?.message.contains("message") == true)
        #expect(desk.arrived == [#"large: {"aps":{"alert":"short"}}"#])
    }

    @Test func `a delivery has a warning for a suspicious template`() throws {
        let desk = try Desk()
        desk.install("a", body: #"{"aps":{"alert":"News: $(title)"}}"#)
        desk.send()
        #expect(desk.arrived == [#"a: {"aps":{"alert":"News: $(title)"}}"#])
        let delivery = try #require(desk.hub.settledDeliveries.first)
        #expect(delivery.notification.warnings.contains { $0.contains("/body/aps/alert") && $0.contains("plain text") })
        #expect(desk.inspect("GET", "deliveries").text.contains(#""warnings":["/body/aps/alert: "#))
    }

    @Test func `a delivery has a warning for each property that the message lacks`() throws {
        let desk = try Desk()
        desk.install(
            "a",
            body: #"{"aps":{"alert":"$(title)","sound":"$(Sound)","a":"$(badge:{1})","b":"$(owner)"}}"#,
            extra: #","pushVariables":{"owner":"Ada"}"#
        )
        desk.send(["TITLE": "Dam"])
        desk.send(["title": "Dam", "sound": ""])
        let warnings = desk.hub.settledDeliveries.map(\.notification.warnings)
        #expect(
            warnings == [
                ["the message has no property 'sound': the part of the template 'news' that uses it is empty"], [],
            ]
        )
        #expect(desk.hub.settledDeliveries.allSatisfy { $0.outcome == .success })
        #expect(desk.inspect("GET", "deliveries").text.contains(#""warnings":["the message has no property 'sound'"#))
    }

    @Test func `a delivery names at most twenty missing properties`() throws {
        let desk = try Desk()
        let parts = (0..<30).map { #""m\#($0)":"$(n\#($0))""# }
        desk.install("a", body: "{\(parts.joined(separator: ","))}")
        desk.send()
        let warnings = try #require(desk.hub.settledDeliveries.first).notification.warnings
        #expect(warnings.count == 20)
    }

    @Test(arguments: [
        ("0", "0", "Success"), ("2026-01-01T00:00:00Z", "1767225600", "Success"),
        ("2025-12-31T00:00:00Z", "1767139200", "Dropped"), ("$(until)", "1767225600", "Success"),
    ])
    func `the expiry of an Apple template is delivered, and an expired notification is dropped`(
        expiry: String,
        header: String,
        outcome: String
    ) throws {
        let desk = try Desk()
        let installation =
            #"{"installationId":"a","platform":"apns","pushChannel":"AB","templates":{"t":{"body":"#
            + #""{\"aps\":{\"alert\":\"$(title)\"}}","expiry":"\#(expiry)"}}}"#
        #expect(desk.device("PUT", "installations/a", body: installation).status == 200)
        desk.send(["title": "Dam", "until": "2026-01-01T00:00:00Z"])
        let delivery = try #require(desk.hub.settledDeliveries.first)
        #expect(delivery.outcome.rawValue == outcome)
        #expect(delivery.notification.headers == [NamedValue("apns-expiration", header)])
    }

    @Test func `the headers of a send are delivered to Apple's devices only`() throws {
        let desk = try Desk()
        desk.install("apple")
        desk.install("windows", platform: "wns", body: "<toast><visual/></toast>")
        desk.send(headers: [.init("apns-priority", "5"), .init("X-WNS-Tag", "n1")])
        let headers = desk.hub.settledDeliveries.map(\.notification.headers)
        #expect(
            headers == [
                [NamedValue("apns-priority", "5")],
                [NamedValue("x-wns-type", "wns/toast"), NamedValue("x-wns-tag", "n1")],
            ]
        )
    }

    @Test func `direct and batch sends go to handles, registered or not`() throws {
        let desk = try Desk()
        desk.install("a", handle: "AB01")
        let body = #"{"aps":{"alert":"you"}}"#
        let one = desk.post(
            "/Breaking-News/messages?direct&api-version=2020-06",
            headers: [.init("ServiceBusNotification-DeviceHandle", "ab01")],
            body: body,
            format: "apple"
        )
        #expect(one.status == 201)
        #expect(one.headers["Location"]?.hasSuffix("&direct") == true)
        #expect(desk.arrived == ["a: \(body)"])
        try must(
            desk.send(
                HubMessage.native(format: .apple, body: Array(body.utf8)),
                to: .devices(["CD02", "EF03", "CD02"])
            )
        )
        #expect(desk.hub.settledDeliveries.map(\.handle) == ["AB01", "CD02", "EF03", "CD02"])
        #expect(desk.hub.settledDeliveries.last?.outcome == .skipped)
    }

    @Test func `fan-outs take turns, so that a small send does not wait for a large one`() throws {
        let desk = try Desk { $0.fansOutInBackground = false }
        for number in 0..<1500 { desk.install("many-\(number)", tags: ["many"]) }
        desk.install("few", tags: ["few"])
        desk.send(tags: "many")
        desk.send(tags: "few")
        desk.hub.settle()
        let sends = desk.hub.sends
        let few = try #require(desk.hub.settledDeliveries.first { $0.send == sends[1].sequence })
        let last = try #require(desk.hub.settledDeliveries.last)
        #expect(few.sequence < last.sequence)
        #expect(last.send == sends[0].sequence)
        #expect(sends.map(\.progress.targets) == [1500, 1])
    }

    @Test func `the outcome of a delivery fault is counted`() throws {
        let desk = try Desk()
        desk.hub.setFaults([], deliveries: [DeliveryFault(outcome: "WrongToken", handle: "AA")])
        desk.install("a", handle: "AA")
        desk.install("b", handle: "BB")
        desk.send()
        #expect(desk.hub.settledDeliveries.map(\.outcome.rawValue) == ["WrongToken", "Success"])
        #expect(desk.readers == ["b"])
    }

    @Test func `the fault Success does not hide the outcome of a payload that the platform would refuse`() throws {
        let desk = try Desk()
        desk.install("a", handle: "AA")
        desk.hub.setFaults(
            [],
            deliveries: [DeliveryFault(outcome: "Success", handle: "aa"), DeliveryFault(outcome: "Dropped")]
        )
        desk.send(["title": String(repeating: "n", count: 5000)])
        desk.send()
        #expect(desk.hub.settledDeliveries.map(\.outcome.rawValue) == ["InvalidNotificationSize", "Success"])
    }

    @Test func `a tag finds its devices after many devices have been added, changed and removed`() throws {
        let desk = try Desk { $0.fansOutInBackground = false }
        for round in 0..<4 {
            for number in 0..<120 {
                // The phones of each tag differ from round to round; some are removed and added again.
                desk.install("p-\(number)", tags: [(number + round).isMultiple(of: 3) ? "third" : "others"])
                if (number + round).isMultiple(of: 5) { must(desk.device("DELETE", "installations/p-\(number)")) }
            }
        }
        let expected = (0..<120).filter { ($0 + 3).isMultiple(of: 3) && !($0 + 3).isMultiple(of: 5) }.map { "p-\($0)" }
        desk.send(tags: "third")
        #expect(desk.readers == expected.sorted())
        // Most of these had the tag before, and are in its index more than once.
        desk.send(tags: "others")
        desk.send(tags: "third || !third")
        _ = desk.hub.settledDeliveries
        #expect(desk.hub.sends.map(\.progress.targets) == [expected.count, 96 - expected.count, 96])
    }
}
