import NewsflashHTTPTransport
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HubMessageTests {
    @Test func `the properties of a template message are written as a JSON object of strings`() throws {
        let message = try HubMessage.template(properties: [("headline", "\"Quoted\"\n"), ("pt_BR", "é 1")])
        #expect(String(decoding: message.body, as: UTF8.self) == #"{"headline":"\"Quoted\"\n","pt_BR":"é 1"}"#)
        #expect(message.format == .template)
        #expect(message.contentType == "application/json;charset=utf-8")
    }

    @Test(arguments: ["", "pt-BR", "a b", "größe", String(repeating: "a", count: 121)])
    func `names that templates cannot use are refused`(name: String) throws {
        let error = try #require(throws: HubValueError.self) {
            try HubMessage.template(properties: [(name, "")])
        }
        #expect(error.code == .messageInvalidProperty)
    }

    @Test func `names that differ only in case are refused`() throws {
        let error = try #require(throws: HubValueError.self) {
            try HubMessage.template(properties: [("a", "1"), ("A", "2")])
        }
        #expect(error.code == .messageInvalidProperty)
        _ = try HubMessage.template(properties: [(String(repeating: "a", count: 120), "1")])
    }

    @Test func `a message may have 64 KB and not a byte more`() throws {
        let most = [UInt8](repeating: 0x20, count: 65_536)
        #expect(try HubMessage(rendered: most).body.count == 65_536)
        #expect(
            try #require(throws: HubValueError.self) { try HubMessage(rendered: most + [0x20]) }.code
                == .messageTooLarge
        )
        #expect(try #require(throws: HubValueError.self) { try HubMessage(rendered: []) }.code == .messageEmpty)
        let error = try #require(throws: HubValueError.self) {
            try HubMessage.native(format: .apple, body: most + [0x20])
        }
        #expect(error.code == .messageTooLarge)
    }

    @Test(arguments: natives)
    func `each platform has its content type and headers`(
        format: PushFormat,
        body: String,
        contentType: String,
        wnsType: String?
    ) throws {
        let message = try HubMessage.native(format: format, body: Array(body.utf8))
        #expect(message.contentType == contentType)
        #expect(message.headers["x-wns-type"] == wnsType)
        #expect(message.body == Array(body.utf8))
    }

    @Test(
        arguments: [
            (PushFormat.apple, "{"), (.apple, "[]"), (.fcmv1, #"{"notification":{}}"#), (.fcmv1, #"{"message":1}"#),
            (.adm, "hello"), (.template, "{}"),
        ])
    func `payloads that the platform would never show are refused`(format: PushFormat, body: String) throws {
        let error = try #require(throws: HubValueError.self) {
            try HubMessage.native(format: format, body: Array(body.utf8))
        }
        #expect(error.code == .messageInvalidBody)
    }

    @Test(
        arguments: [
            ("Authorization", "x"), ("content-length", "1"), ("ServiceBusNotification-Tags", "x"), ("X-A", "a\r\nb"),
            ("X-A", "é"), ("X A", "1"), ("", "1"),
        ])
    func `headers that belong to the client or cannot be sent are refused`(name: String, value: String) throws {
        let error = try #require(throws: HubValueError.self) {
            try HubMessage(rendered: [0x7B, 0x7D], headers: [.init(name, value)])
        }
        #expect(error.code == .messageInvalidHeader)
    }

    @Test func `the headers of Apple and Windows are written`() throws {
        let apns = try HTTPHeaders.apns(
            pushType: "alert",
            priority: 10,
            expiration: Timestamp(seconds: 1_767_229_200),
            collapseID: "news-n-123",
            topic: "org.example.news"
        )
        #expect(
            apns == [
                .init("apns-push-type", "alert"), .init("apns-priority", "10"), .init("apns-expiration", "1767229200"),
                .init("apns-collapse-id", "news-n-123"), .init("apns-topic", "org.example.news"),
            ]
        )
        #expect(try HTTPHeaders.apns().fields.isEmpty)
        #expect(throws: HubValueError.self) { try HTTPHeaders.apns(priority: 7) }
        #expect(throws: HubValueError.self) { try HTTPHeaders.apns(collapseID: String(repeating: "é", count: 33)) }
        let wns = HTTPHeaders.wns(type: "wns/raw", timeToLive: .seconds(3600), tag: "n123", group: "story")
        #expect(
            wns == [
                .init("X-WNS-Type", "wns/raw"), .init("X-WNS-TTL", "3600"), .init("X-WNS-Tag", "n123"),
                .init("X-WNS-Group", "story"),
            ]
        )
    }

    @Test func `raw notifications of Windows are sent as bytes, whatever their content`() throws {
        let message = try HubMessage.native(
            format: .windows,
            body: Array("<toast/>".utf8),
            headers: .wns(type: "wns/raw")
        )
        #expect(message.contentType == "application/octet-stream")
        #expect(message.headers.fields.count == 1)
    }

    @Test func `format values are parsed in any case, and fcm is unknown`() {
        #expect(PushFormat(headerValue: "FcmV1") == .fcmv1)
        #expect(PushFormat(headerValue: "template") == .template)
        #expect(PushFormat(headerValue: "fcm") == nil)
    }
}

private let json = "application/json;charset=utf-8"
private let natives: [(PushFormat, String, String, String?)] = [
    (.apple, #"{"aps":{"alert":"x"}}"#, json, nil),
    (.fcmv1, #"{"message":{"data":{"a":"b"}}}"#, json, nil),
    (.gcm, #"{"data":{}}"#, json, nil),
    (.adm, #"{"data":{}}"#, json, nil),
    (.baidu, #"{"title":"x"}"#, json, nil),
    (.browser, #"{"title":"x"}"#, json, nil),
    (.xiaomi, #"{"title":"x"}"#, json, nil),
    (.windows, "<toast launch=\"x\"/>", "application/xml", "wns/toast"),
    (.windows, "\u{FEFF}<?xml version=\"1.0\"?>\n<!-- > <badge/> -->\n<tile>", "application/xml", "wns/tile"),
    (.windows, "<badge value='1'/>", "application/xml", "wns/badge"),
    (.windowsphone, "<wp:Notification/>", "application/xml;charset=utf-8", nil),
]
