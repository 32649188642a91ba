import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashStrictJSON
import NotificationHubs
import Testing

@Suite("direct sends", .timeLimit(.minutes(1)))
struct DirectSendTests {
    @Test(arguments: [
        ("apple", "zz", "ServiceBusNotification-DeviceHandle is not a handle of the format apple: One or more"),
        ("apple", "ABC", "ServiceBusNotification-DeviceHandle is not a handle of the format apple: Device token"),
        ("windows", "AB", "ServiceBusNotification-DeviceHandle is not a handle of the format windows: Channel URI"),
        ("fcmv1", "a b", "ServiceBusNotification-DeviceHandle is not a handle of the format fcmv1: FCM V1"),
    ])
    func `a direct send to a handle of another platform is refused, and the reason names the format`(
        format: String,
        handle: String,
        reason: String
    ) throws {
        let desk = try Desk()
        let headers: HTTPHeaders = [.init("ServiceBusNotification-DeviceHandle", handle)]
        must(desk.post("/Breaking-News/messages?direct", headers: headers, body: "{}", format: format), answer: 400)
        let given = try #require(desk.hub.requests.last?.reason)
        #expect(given.hasPrefix(reason), "\(given)")
        #expect(!given.contains(handle + " "), "the reason contains the handle")
        #expect(desk.hub.settledDeliveries.isEmpty)
    }

    @Test func `a batch with a handle of another platform is refused, and the reason has its number`() throws {
        let desk = try Desk()
        let parts = [("notification", "{}"), ("devices", #"["AB","zz"]"#)].map { name, body in
            "--b\r\nContent-Disposition: inline; name=\(name)\r\n\r\n\(body)\r\n"
        }
        let answer = desk.post(
            "/Breaking-News/messages/$batch?direct",
            headers: [.init("Content-Type", "multipart/mixed; boundary=b")],
            body: parts.joined() + "--b--",
            format: "apple"
        )
        must(answer, answer: 400)
        #expect(desk.hub.requests.last?.reason?.hasPrefix("handle 2 of the batch is not a handle") == true)
    }

    @Test(arguments: [[], ["P256DH"], ["Auth"], ["P256DH", "Auth"]])
    func `a direct send to a browser needs both of its keys`(names: [String]) throws {
        let desk = try Desk()
        var headers: HTTPHeaders = [.init("ServiceBusNotification-DeviceHandle", "https://push.example.org/1")]
        for name in names { headers.append(name, "key of \(name)".replacing(" ", with: "-")) }
        let answer = desk.post("/Breaking-News/messages?direct", headers: headers, body: "{}", format: "browser")
        must(answer, answer: names.count == 2 ? 201 : 400)
        let keys = [NamedValue("p256dh", "key-of-P256DH"), NamedValue("auth", "key-of-Auth")]
        #expect(desk.hub.settledDeliveries.map(\.notification.headers) == (names.count == 2 ? [keys] : []))
    }
}
