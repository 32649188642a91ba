import NotificationHubs
import Testing

@Suite("Payloads checked by the rules of their platform", .timeLimit(.minutes(1)))
struct PayloadCheckTests {
    @Test(arguments: [
        (PushPlatform.apns, 4096), (.fcmv1, 4096), (.gcm, 4096), (.wns, 5120), (.mpns, 3072), (.adm, 6144),
        (.baidu, 4096),
        (.browser, 3993), (.xiaomi, 4096),
    ])
    func `the maximum size of a payload is exactly the platform's`(platform: PushPlatform, limit: Int) {
        #expect(platform.maximumPayloadBytes == limit)
        let frame = #"{"message":{}}"#
        let fitting = frame + String(repeating: " ", count: limit - frame.utf8.count)
        #expect(PayloadCheck.fault(in: Array(fitting.utf8), for: platform) == nil)
        #expect(PayloadCheck.fault(in: Array((fitting + " ").utf8), for: platform)?.kind == .invalidSize)
    }

    @Test func `Apple's calls have a larger maximum`() {
        let payload = Array(("{}" + String(repeating: " ", count: 5118)).utf8)
        let headers = [NamedValue("Apns-Push-Type", "voip")]
        #expect(PayloadCheck.fault(in: payload, headers: headers, for: .apns) == nil)
        #expect(PayloadCheck.fault(in: payload, for: .apns)?.kind == .invalidSize)
        #expect(PayloadCheck.fault(in: payload + [0x20], headers: headers, for: .apns)?.kind == .invalidSize)
    }

    @Test(arguments: [
        (PushPlatform.apns, #"{"aps":{"alert":"x","sound":{"critical":1,"name":"a","volume":0.5}}}"#, true),
        (.apns, "{\"aps\":", false), (.apns, "[]", false), (.apns, "", false), (.apns, "{\"a\":\"\u{1}\"}", false),
        (.gcm, "{\"data\":{\"a\":\"b\"}}", true), (.gcm, "<toast/>", false), (.adm, "{\"data\":{}}", true),
        (.browser, "{\"title\":\"x\"}", true), (.browser, "text", false), (.baidu, "{}", true), (.xiaomi, "{", false),
        (
            .fcmv1, #"{"message":{"notification":{"title":"a","body":"b","image":"c"},"data":{"a":"b"},"android":{}}}"#,
            true
        ),
        (.fcmv1, #"{"notification":{"title":"a"}}"#, false), (.fcmv1, #"{"message":"a"}"#, false),
        (.fcmv1, #"{"message":{"token":"x"}}"#, false), (.fcmv1, #"{"message":{"topic":"x"}}"#, false),
        (.fcmv1, #"{"message":{"condition":"x"}}"#, false),
        (.fcmv1, #"{"message":{"notification":{"channel_id":"x"}}}"#, false),
        (.fcmv1, #"{"message":{"data":{"n":1}}}"#, false), (.fcmv1, ##"{"message":{"data":{"n":"#1"}}}"##, true),
    ])
    func `JSON and Firebase's message are parsed`(platform: PushPlatform, payload: String, isTaken: Bool) {
        let fault = PayloadCheck.fault(in: Array(payload.utf8), for: platform)
        #expect(fault?.kind == (isTaken ? nil : .invalidFormat))
    }

    @Test(arguments: [
        ("wns/toast", "<toast/>", true), ("WNS/Toast", "<?xml version=\"1.0\"?><toast><a/></toast>", true),
        ("wns/tile", "<tile/>", true), ("wns/badge", "<badge value=\"3\"/>", true), ("wns/toast", "<tile/>", false),
        ("wns/toast", "<toast>", false), ("wns/toast", "{}", false), ("wns/toast", "", false),
        ("wns/raw", "any \u{0}", true),
        ("wns/raw", "", true), ("wns/other", "<toast/>", false), (nil, "<toast/>", true), (nil, "<toast>", false),
        (nil, "anything", true),
    ])
    func `the root element must match the type of Windows`(type: String?, payload: String, isTaken: Bool) {
        let headers = type.map { [NamedValue("x-wns-type", $0)] } ?? []
        let fault = PayloadCheck.fault(in: Array(payload.utf8), headers: headers, for: .wns)
        #expect(fault?.kind == (isTaken ? nil : .invalidFormat))
    }

    @Test(arguments: [
        ("toast", "<Notification xmlns=\"WPNotification\"><Toast/></Notification>", true),
        ("token", "<Notification xmlns=\"WPNotification\"><Toast/></Notification>", false),
        ("token", "<Notification xmlns=\"WPNotification\"><Tile/></Notification>", true), ("toast", "<toast/>", false),
        ("toast", "text", false), (nil, "text", true),
    ])
    func `the payload must match the target of Windows Phone`(target: String?, payload: String, isTaken: Bool) {
        let headers = target.map { [NamedValue("X-WindowsPhone-Target", $0)] } ?? []
        let fault = PayloadCheck.fault(in: Array(payload.utf8), headers: headers, for: .mpns)
        #expect(fault?.kind == (isTaken ? nil : .invalidFormat))
    }

    @Test func `an error has the name of its outcome and no text of the payload`() {
        let tooLarge = PayloadCheck.fault(in: [UInt8](repeating: 0x20, count: 5000), for: .apns)
        #expect(
            tooLarge?.description == "the payload has 5000 bytes; apns accepts at most 4096 [InvalidNotificationSize]"
        )
        let broken = PayloadCheck.fault(in: Array("{\"secret".utf8), for: .gcm)
        #expect(broken?.description.hasSuffix("[InvalidNotificationFormat]") == true)
        #expect(broken?.message.contains("secret") == false)
    }
}
