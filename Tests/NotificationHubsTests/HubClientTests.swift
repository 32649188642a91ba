import NewsflashBasics
import NewsflashHTTPTransport
import NewsflashStrictJSON
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HubClientTests {
    private let clock = TestClock()

    private func client(_ configuration: HubClientConfiguration = HubClientConfiguration()) throws -> HubClient {
        try HubClient(
            connection: HubConnectionString(
                "Endpoint=sb://NewsDesk.servicebus.windows.net/;SharedAccessKeyName=DefaultFullSharedAccessSignature;"
                    + "SharedAccessKey=bmV3c2Rlc2stZXhhbXBsZS1rZXktMDAwMDAwMDAwMDE="
            ),
            hub: "Breaking-News",
            configuration: configuration,
            clock: clock.read
        )
    }

    @Test func `the request of a template send is built`() throws {
        clock.set(1_767_222_000)
        let client = try client(HubClientConfiguration(userAgent: "desk/1", trackingID: { "id-1" }))
        let message = try HubMessage.template(
            properties: [("headline", "Dam gives way")],
            headers: .apns(pushType: "alert")
        )
        let request = try client.request(for: message, to: .tags(TagExpression(parsing: "world || sports")))
        #expect(
            request
                == HTTPRequest(
                    method: .post,
                    url: "https://newsdesk.servicebus.windows.net/Breaking-News/messages?api-version=2020-06",
                    headers: [
                        .init(
                            "Authorization",
                            "SharedAccessSignature "
                                + "sr=https%3a%2f%2fnewsdesk.servicebus.windows.net%2fbreaking-news"
                                + "&sig=6T9cLFx7Wxm4Z9V7F8yoc7kk1xkCfIbjpUB%2b6CnMl9Y%3d"
                                + "&se=1767225600&skn=DefaultFullSharedAccessSignature"
                        ),
                        .init("Content-Type", "application/json;charset=utf-8"),
                        .init("ServiceBusNotification-Format", "template"),
                        .init("ServiceBusNotification-Tags", "world || sports"),
                        .init("TrackingId", "id-1"),
                        .init("User-Agent", "desk/1"),
                        .init("apns-push-type", "alert"),
                    ],
                    body: Array(#"{"headline":"Dam gives way"}"#.utf8)
                )
        )
    }

    @Test func `the tags are left out only for an explicit broadcast`() throws {
        let message = try HubMessage.template(properties: [("a", "b")])
        let request = try client().request(for: message, to: .broadcast)
        #expect(request.headers["ServiceBusNotification-Tags"] == nil)
    }

    @Test func `each attempt gets its own tracking id`() throws {
        let client = try client()
        let message = try HubMessage.template(properties: [("a", "b")])
        let ids = try (0..<3).map { _ in try client.request(for: message, to: .broadcast).headers["TrackingId"] ?? "" }
        #expect(Set(ids).count == 3)
        for id in ids {
            let groups = id.split(separator: "-").map(\.count)
            #expect(groups == [8, 4, 4, 4, 12])
            #expect(id.dropFirst(14).first == "4")
        }
    }

    @Test func `a token is signed once in three quarters of its life, and after any jump of the clock`() throws {
        let client = try client()
        let message = try HubMessage.template(properties: [("a", "b")])
        func token(at seconds: Int64) throws -> String {
            clock.set(seconds)
            return try client.request(for: message, to: .broadcast).headers["Authorization"] ?? ""
        }
        let first = try token(at: 1_000_000)
        #expect(first.contains("se=1003600"))
        #expect(try token(at: 1_000_000 + 2699) == first)
        let second = try token(at: 1_000_000 + 2700)
        #expect(second.contains("se=1006300"))
        #expect(try token(at: 1_000_000 - 1).contains("se=1003599"))
        #expect(try token(at: 9_000_000).contains("se=9003600"))
        let held = try token(at: 9_000_001)
        client.renewToken()
        #expect(try token(at: 9_000_001) != held)
    }

    @Test func `one device is addressed by its handle`() throws {
        let message = try HubMessage.native(format: .browser, body: Array(#"{"title":"x"}"#.utf8))
        let device = PushChannel.browser(endpoint: "https://push.example.org/1", p256dh: "BJ", auth: "cQ")
        let request = try client().request(for: message, to: .device(device))
        #expect(request.url.hasSuffix("/Breaking-News/messages?api-version=2020-06&direct"))
        #expect(request.headers["ServiceBusNotification-DeviceHandle"] == "https://push.example.org/1")
        #expect(request.headers["P256DH"] == "BJ")
        #expect(request.headers["Auth"] == "cQ")
    }

    @Test func `a batch of handles is sent with the payload`() throws {
        let message = try HubMessage.native(
            format: .apple,
            body: Array(#"{"aps":{}}"#.utf8),
            headers: .apns(pushType: "alert")
        )
        let request = try client().request(for: message, to: .devices(["00fc", "11\"aa"]))
        #expect(request.url.hasSuffix("/Breaking-News/messages/$batch?api-version=2020-06&direct"))
        #expect(request.headers["apns-push-type"] == "alert")
        let type = try #require(request.headers["Content-Type"])
        let boundary = try #require(type.split(separator: "\"").last)
        #expect(type == "multipart/mixed; boundary=\"\(boundary)\"")
        #expect(
            String(decoding: request.body, as: UTF8.self) == """
                --\(boundary)\r
                Content-Type: application/json;charset=utf-8\r
                Content-Disposition: inline; name=notification\r
                \r
                {"aps":{}}\r
                --\(boundary)\r
                Content-Type: application/json\r
                Content-Disposition: inline; name=devices\r
                \r
                ["00fc","11\\"aa"]\r
                --\(boundary)--\r

                """
        )
    }

    @Test func `a message that no hub accepts is refused before anything is sent`() throws {
        let client = try client()
        let native = try HubMessage.native(format: .apple, body: Array("{}".utf8))
        let template = try HubMessage.template(properties: [("a", "b")])
        let wrong: [(HubMessage, HubAudience)] = [
            (template, .device(phone("x"))), (template, .devices(["x"])), (native, .device(phone(""))),
            (native, .device(phone("a\nb"))), (native, .device(.wns(uri: "https://n/1"))),
            (native, .devices([])), (native, .devices(Array(repeating: "x", count: 1001))), (native, .devices(["é"])),
        ]
        for (message, audience) in wrong {
            let error = try #require(throws: HubError.self) { try client.request(for: message, to: audience) }
            #expect(error.code == .invalidMessage)
            #expect(!error.isRetriable)
        }
    }

    @Test(arguments: ["", "a/b", "a b", "ü", "a@b", String(repeating: "a", count: 261)])
    func `names that no hub has are refused`(name: String) throws {
        let connection = try HubConnectionString("Endpoint=sb://h;SharedAccessKeyName=n;SharedAccessKey=k")
        let error = try #require(throws: HubError.self) { try HubClient(connection: connection, hub: name) }
        #expect(error.code == .invalidHubName)
    }
}

/// A clock that stands still until it is set.
private final class TestClock: Sendable {
    private let now = Locked(Timestamp(seconds: 1_767_222_000))

    var read: @Sendable () -> Timestamp { { self.now.withLock { $0 } } }

    func set(_ seconds: Int64) { now.withLock { $0 = Timestamp(seconds: seconds) } }
}

private func phone(_ token: String) -> PushChannel { .apns(deviceToken: token) }
