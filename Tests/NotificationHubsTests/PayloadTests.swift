import NewsflashHTTPTransport
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite("Typed payloads", .timeLimit(.minutes(1)))
struct PayloadTests {
    private struct Match: Codable {
        var home, away: Int
    }

    private func text(_ message: HubMessage) -> String { String(decoding: message.body, as: UTF8.self) }

    @Test func `an alert for Apple has the members and headers of Apple's pages`() throws {
        var alert = APNsPayload(title: "Dam", body: "gives way")
        alert.subtitle = "Now"
        alert.sound = "default"
        alert.badge = 3
        alert.threadID = "t"
        alert.category = "c"
        alert.isMutable = true
        alert.isContentAvailable = true
        alert.interruptionLevel = "time-sensitive"
        alert.relevanceScore = 0.5
        alert.collapseID = "s-1"
        alert.expiration = Timestamp(seconds: 1_767_229_200)
        alert.priority = 10
        alert.topic = "org.example"
        try alert.set("story", to: "s-1")
        try alert.set("list", to: [1, 2])
        try alert.set("story", to: "s-2")
        let message = try alert.message()
        #expect(
            text(message)
                == #"{"aps":{"alert":{"title":"Dam","subtitle":"Now","body":"gives way"},"sound":"default","#
                + #""thread-id":"t","category":"c","interruption-level":"time-sensitive","badge":3,"mutable-content":1,"#
                + #""content-available":1,"relevance-score":0.5},"list":[1,2],"story":"s-2"}"#
        )
        #expect(message.platform == .apns)
        #expect(
            message.headers == [
                .init("apns-push-type", "alert"), .init("apns-priority", "10"), .init("apns-expiration", "1767229200"),
                .init("apns-collapse-id", "s-1"), .init("apns-topic", "org.example"),
            ]
        )
    }

    @Test func `a payload that only wakes the app is a background push of priority 5`() throws {
        var push = APNsPayload()
        push.isContentAvailable = true
        let message = try push.message()
        #expect(message.headers.fields == [.init("apns-push-type", "background"), .init("apns-priority", "5")])
        push.priority = 10
        #expect(throws: HubValueError.self) { try push.message() }
    }

    @Test func `a Live Activity starts, changes and ends with its own topic`() throws {
        let time = Timestamp(seconds: 1000)
        var start = try APNsPayload.liveActivityStart(
            bundleID: "org.news",
            attributesType: "A",
            attributes: ["name": "x"],
            state: Match(home: 0, away: 1),
            at: time,
            staleAt: Timestamp(seconds: 1100)
        )
        #expect(throws: HubValueError.self, "a start needs an alert") { try start.message() }
        start.title = "a"
        start.body = "b"
        let message = try start.message()
        #expect(
            text(message)
                == #"{"aps":{"timestamp":1000,"event":"start","content-state":{"away":1,"home":0},"stale-date":1100,"#
                + #""attributes-type":"A","attributes":{"name":"x"},"alert":{"title":"a","body":"b"}}}"#
        )
        #expect(
            message.headers.fields == [
                .init("apns-push-type", "liveactivity"), .init("apns-priority", "10"),
                .init("apns-topic", "org.news.push-type.liveactivity"),
            ]
        )
        let update = try APNsPayload.liveActivityUpdate(bundleID: "b", state: Match(home: 1, away: 1), at: time)
        #expect(
            try text(update.message())
                == #"{"aps":{"timestamp":1000,"event":"update","content-state":{"away":1,"home":1}}}"#
        )
        let end = try APNsPayload.liveActivityEnd(bundleID: "b", state: [1], at: time, dismissAt: Timestamp(seconds: 9))
        #expect(
            try text(end.message())
                == #"{"aps":{"timestamp":1000,"event":"end","content-state":[1],"dismissal-date":9}}"#
        )
    }

    private func alert(_ change: (inout APNsPayload) -> Void) -> APNsPayload {
        var alert = APNsPayload(title: "a")
        change(&alert)
        return alert
    }

    @Test func `values that Apple does not know are refused`() throws {
        let wrong = [
            alert { $0.interruptionLevel = "loud" }, alert { $0.relevanceScore = 2 },
            alert { $0.relevanceScore = .nan },
            alert { $0.badge = -1 }, alert { $0.priority = 7 }, alert { $0.collapseID = "" },
            alert { $0.topic = "a\nb" }, alert { $0.body = String(repeating: "x", count: 4096) },
        ]
        for payload in wrong { #expect(throws: HubValueError.self) { try payload.message() } }
        var payload = APNsPayload()
        #expect(throws: HubValueError.self) { try payload.set("aps", to: "x") }
        #expect(throws: HubValueError.self) { try payload.set("x", to: Double.nan) }
        _ = try alert { $0.body = String(repeating: "x", count: 4000) }.message()
    }

    @Test func `a message for Firebase has the members of Firebase's pages`() throws {
        var news = FCMPayload(title: "Dam", body: "gives way")
        news.imageURL = "https://e/x.png"
        news.data = ["b": "2", "a": "1"]
        news.priority = "high"
        news.timeToLive = .seconds(3600)
        news.collapseKey = "k"
        news.tag = "t"
        news.channelID = "c"
        news.notificationCount = 2
        news.visibility = "public"
        news.analyticsLabel = "l"
        let message = try news.message()
        #expect(message.platform == .fcmv1)
        #expect(
            text(message)
                == #"{"message":{"notification":{"title":"Dam","body":"gives way","image":"https://e/x.png"},"#
                + #""data":{"a":"1","b":"2"},"android":{"collapse_key":"k","priority":"high","ttl":"3600s","#
                + #""notification":{"channel_id":"c","tag":"t","visibility":"PUBLIC","notification_count":2}},"#
                + #""fcm_options":{"analytics_label":"l"}}}"#
        )
        #expect(PayloadCheck.fault(in: message.body, for: .fcmv1) == nil)
        #expect(try text(FCMPayload().message()) == #"{"message":{}}"#)
    }

    private func news(_ change: (inout FCMPayload) -> Void) -> FCMPayload {
        var news = FCMPayload(title: "a")
        change(&news)
        return news
    }

    @Test func `values that Firebase does not know are refused`() throws {
        let wrong = [
            news { $0.priority = "10" }, news { $0.visibility = "hidden" }, news { $0.timeToLive = .seconds(-1) },
            news { $0.timeToLive = .seconds(2_419_201) }, news { $0.notificationCount = -1 },
            news { $0.data = ["from": "x"] }, news { $0.data = ["google.x": "x"] },
            news { $0.body = String(repeating: "x", count: 4096) },
        ]
        for payload in wrong { #expect(throws: HubValueError.self) { try payload.message() } }
    }

    private struct News: Codable {
        var headline: String
        var section: String?
        var count = 3
    }

    @Test func `properties come from a dictionary literal in its order, or from a value of any type`() throws {
        let literal = try HubMessage.template(properties: ["z": "1", "a": "2"])
        #expect(text(literal) == #"{"z":"1","a":"2"}"#)
        let value = try HubMessage.template(encoding: News(headline: "Dam/\"x\""))
        #expect(text(value) == #"{"count":"3","headline":"Dam/\"x\""}"#)
        #expect(try text(HubMessage.template(encoding: ["a": "b"])) == #"{"a":"b"}"#)
        #expect(throws: HubValueError.self) { try HubMessage.template(encoding: ["a": ["b"]]) }
        #expect(throws: HubValueError.self) { try HubMessage.template(encoding: "a") }
    }

    @Test func `native bodies come from a text, from bytes and from a value of any type`() throws {
        let body = #"{"aps":{"alert":"x"}}"#
        let ofText = try HubMessage.native(body, for: .apns)
        #expect(ofText == (try HubMessage.native(bytes: body.utf8, for: .apns)))
        #expect(ofText == (try HubMessage.native(encoding: ["aps": ["alert": "x"]], for: .apns)))
        #expect(try HubMessage.native("<toast/>", for: .wns).headers["X-WNS-Type"] == "wns/toast")
        let unknown = #expect(throws: HubValueError.self) {
            try HubMessage.native(body, for: PushPlatform(rawValue: "harmonyos"))
        }
        #expect(unknown?.code == .messageInvalidBody)
    }
}
