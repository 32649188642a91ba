import NewsflashEvents
import NewsflashHTTPTransport
import NewsflashPublishing
import NewsflashRendering
import NewsflashStrictJSON
import NewsflashTimestamps
import NewsflashWorker
import NotificationHubs
import Testing

/// Native sends: one message for each audience and platform.
@Suite(.timeLimit(.minutes(1)))
struct NativePlanningTests {
    private static let native = """
        hub: newsroom
        send: { as: [apns, fcmv1, wns, adm, browser], tags: "{category}.{locale}" }
        """

    private static func headers(_ send: PlannedSend) -> [String] {
        send.message.headers.map { "\($0.name): \($0.value)" }
    }

    @Test func `each audience gets a message in its language for each platform`() throws {
        let desk = try PlanningHarness(Self.native)
        let sends = desk.sends(PlanningHarness.event())
        #expect(
            sends.map(\.place)
                == ["World.en", "World.fr", "World.hi"].flatMap { tag in
                    ["apns", "fcmv1", "wns", "adm", "browser"].map { "main \($0) \(tag)" }
                }
        )
        #expect(sends.map(\.message.format).prefix(5) == [.apple, .fcmv1, .windows, .adm, .browser])
        let french = try #require(sends.first { $0.place == "main apns World.fr" })
        #expect(try french.json[member: "aps"]?[member: "alert"]?[member: "body"]?.string == "Pont fermé")
        #expect(french.textFrom == "fr" && french.locale == "fr")
        let hindi = try #require(sends.first { $0.place == "main apns World.hi" })
        #expect(try hindi.json[member: "aps"]?[member: "alert"]?[member: "title"]?.string == "Bridge closed")
        #expect(hindi.textFrom == "en")
    }

    @Test func `headers let platforms replace and expire a notification`() throws {
        let sends = try PlanningHarness(Self.native).sends(PlanningHarness.event())
        let collapse = try #require(sends[0].message.headers["apns-collapse-id"])
        #expect(
            Self.headers(sends[0]) == [
                "apns-push-type: alert", "apns-priority: 10", "apns-expiration: 1772442000",
                "apns-collapse-id: \(collapse)",
            ]
        )
        #expect(
            Self.headers(sends[2]) == [
                "X-WNS-Type: wns/toast", "X-WNS-TTL: 3599", "X-WNS-Tag: \(collapse)", "X-WNS-Group: newsflash",
            ]
        )
        #expect([1, 3, 4].allSatisfy { Self.headers(sends[$0]).isEmpty })
        #expect(try sends[0].json[member: "aps"]?[member: "thread-id"]?.string == collapse)
    }

    @Test func `a notification above a cap is silent in payloads, headers and properties`() throws {
        let desk = try PlanningHarness(
            "hub: newsroom\nsend: { as: [template, apns, wns], tags: \"{category}\" }\ninterruption: { 3: timeSensitive }"
        )
        let loud = desk.sends(PlanningHarness.event(urgency: 3))
        #expect(loud.map(\.interruption) == Array(repeating: .timeSensitive, count: 3))
        #expect(try loud[0].json[member: "interruption"]?.string == "time-sensitive")
        #expect(try loud[0].json[member: "sound"]?.string == "default")
        #expect(loud[0].message.headers["apns-priority"] == nil)
        #expect(try loud[1].json[member: "aps"]?[member: "interruption-level"]?.string == "time-sensitive")

        let silent = desk.sends(PlanningHarness.event(urgency: 3), .silent)
        #expect(silent.map(\.interruption) == Array(repeating: .passive, count: 3))
        #expect(try silent[0].json[member: "interruption"]?.string == "passive")
        #expect(try silent[0].json[member: "sound"]?.string == "")
        #expect(silent[0].message.headers["apns-priority"] == "5")
        #expect(try silent[1].json[member: "aps"]?[member: "sound"] == nil)
        #expect(silent[1].message.headers["apns-priority"] == "5")
        #expect(silent[2].message.headers["X-WNS-SuppressPopup"] == "true")
    }

    @Test(arguments: zip(1...9, "ttaaapppp"))
    func `interruption levels follow IPTC's urgency scale, unless the newsroom configures others`(
        urgency: Int,
        letter: Character
    ) throws {
        let usual = try PlanningHarness("hub: newsroom").sends(PlanningHarness.event(urgency: urgency))
        #expect(usual.first?.interruption.rawValue.first == letter)
        let levels = (1...9).map { "\($0): \($0 == 1 ? "timeSensitive" : "passive")" }.joined(separator: ", ")
        let quiet = try PlanningHarness("hub: newsroom\ninterruption: { \(levels) }")
        #expect(
            quiet.sends(PlanningHarness.event(urgency: urgency)).first?.interruption
                == (urgency == 1 ? .timeSensitive : .passive)
        )
    }

    @Test func `a withdrawal is sent in the format of the notification, whatever format is configured now`() throws {
        let desk = try PlanningHarness(Self.native)
        let notified = [
            try PlanningHarness.notified("main", "World"),
            try PlanningHarness.notified("main", "World.fr", as: "wns", locale: "fr"),
        ]
        let sends = desk.sends(PlanningHarness.event(.kill), notified: notified)
        #expect(sends.map(\.place) == ["main template World", "main wns World.fr"])
        #expect(sends.map(\.message.format) == [.template, .windows])
        #expect(String(decoding: sends[1].message.body, as: UTF8.self).contains("<text>Withdrawn: Pont fermé</text>"))
    }

    @Test func `no planned payload would be refused by its platform`() throws {
        let desk = try PlanningHarness(Self.native)
        let long = EventText(
            language: "en",
            headline: String(repeating: "\"<&>\" ", count: 300),
            summary: String(repeating: "क्षि श्री ", count: 900)
        )
        for event in [PlanningHarness.event(), PlanningHarness.event(text: [long]), PlanningHarness.event(.kill)] {
            let sends = desk.sends(event)
            #expect(sends.count == 15)
            for send in sends {
                let platform = try #require(PushPlatform(name: send.platform))
                let headers = send.message.headers.map { NamedValue($0.name, $0.value) }
                #expect(PayloadCheck.fault(in: send.message.body, headers: headers, for: platform) == nil)
                #expect(send.isTruncated == (event.text == [long]))
            }
        }
    }
}
