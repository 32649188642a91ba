import NewsflashHTTPTransport
import NewsflashHubRecordings
import NewsflashTimestamps

/// Derives the request of a send from the session's name, because the answer contains neither format nor audience.
struct SendSynthesis {
    let context: SessionContext
    let call: HubRecording
    let target: RecordedTarget

    /// A format with the minimal message for it. The first format whose words are in the session's name applies.
    private struct Format {
        let words: [String]
        let value: String
        var contentType = "application/json;charset=utf-8"
        let body: String
        var headers: HTTPHeaders = []
        var handle = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"
    }

    private static let formats = [
        Format(words: ["Template"], value: "template", body: #"{"prop1":"value1"}"#),
        Format(words: ["FcmV1"], value: "fcmv1", body: #"{"message":{"data":{"message":"m"}}}"#, handle: "fcm-1"),
        Format(words: ["Gcm", "Fcm"], value: "gcm", body: #"{"data":{"message":"m"}}"#, handle: "gcm-1"),
        Format(
            words: ["Windows", "Wns"],
            value: "windows",
            contentType: "application/xml",
            body: "<toast><visual><binding template=\"ToastText01\"><text id=\"1\">m</text></binding></visual></toast>",
            headers: [.init("X-WNS-Type", "wns/toast")],
            handle: "https://db5p.notify.windows.com/?token=1"
        ),
        Format(
            words: ["Mpns"],
            value: "windowsphone",
            contentType: "application/xml;charset=utf-8",
            body:
                "<wp:Notification xmlns:wp=\"WPNotification\"><wp:Toast><wp:Text1>m</wp:Text1></wp:Toast></wp:Notification>",
            headers: [.init("X-WindowsPhone-Target", "toast"), .init("X-NotificationClass", "2")],
            handle: "http://sn1.notify.live.net/throttledthirdparty/1"
        ),
        Format(
            words: ["Adm"],
            value: "adm",
            body: #"{"data":{"key1":"value1"}}"#,
            handle: "amzn1.adm-registration.v2.123"
        ),
        Format(
            words: ["Baidu"],
            value: "baidu",
            body: #"{"title":"t","description":"d"}"#,
            headers: [.init("X-Baidu-Message-Type", "1")],
            handle: "user-channel"
        ),
        Format(
            words: ["Browser"],
            value: "browser",
            body: #"{"title":"t"}"#,
            headers: [.init("P256DH", "BPub"), .init("Auth", "secret")],
            handle: "https://push.example.org/1"
        ),
        Format(words: ["Xiaomi"], value: "xiaomi", body: "{}", handle: "xiaomi-1"),
        Format(words: [""], value: "apple", body: #"{"aps":{"alert":"alert!"}}"#),
    ]

    private var format: Format? {
        Self.formats.first { $0.words.contains { word in word.isEmpty || context.has(word) } }
    }

    var request: ScriptedRequest? {
        guard let format else { return nil }
        var request = ScriptedRequest(method: "POST", target: call.target, headers: format.headers)
        request.headers.append("ServiceBusNotification-Format", format.value)
        request.body = Array(format.body.utf8)
        var contentType = format.contentType
        if target.id == "$batch" {
            contentType = "multipart/mixed; boundary=\"nh-batch-multipart-boundary\""
            request.body = Self.batch(format)
        } else if target.hasParameter("direct") {
            request.headers.append("ServiceBusNotification-DeviceHandle", format.handle)
        } else if context.has("ByUserId") {
            request.headers.append("ServiceBusNotification-Tags", "$UserId:{reader-1}")
        } else if context.has("TagExpression") || context.has("Tags") {
            request.headers.append("ServiceBusNotification-Tags", "tag1 && !tag2")
        }
        if target.collection == "schedulednotifications" {
            request.headers.append("ServiceBusNotification-ScheduleTime", scheduleTime)
        }
        request.headers.append("Content-Type", contentType)
        if context.has("ListenOnly") { request.signer = .listenOnly }
        return request
    }

    /// Ten minutes after the call, as .NET writes it: without a zone.
    private var scheduleTime: String {
        let sent = call["Date"].flatMap { Timestamp(httpDate: $0) } ?? Timestamp(seconds: 0)
        return String((sent + .seconds(600)).rfc3339.prefix(19))
    }

    /// A batch in the layout of .NET.
    private static func batch(_ format: Format) -> [UInt8] {
        let boundary = "--nh-batch-multipart-boundary"
        let lines = [
            boundary, "Content-Type: \(format.contentType)", "Content-Disposition: inline; name=notification", "",
            format.body,
            boundary, "Content-Type: application/json; charset=utf-8", "Content-Disposition: inline; name=devices", "",
            "[\"\(format.handle)\",\"\(format.handle)\"]",
            boundary + "--", "",
        ]
        return Array(lines.joined(separator: "\r\n").utf8)
    }
}
