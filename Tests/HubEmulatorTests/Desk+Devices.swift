import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashStrictJSON
import NotificationHubs
import Testing

/// Checks the status of the answer to a request that prepares a test, because a refused request prepares nothing.
func must(_ answer: HTTPResponse, answer status: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation) {
    let isRight = status.map { $0 == answer.status } ?? (200..<300).contains(answer.status)
    #expect(isRight, "answered \(answer.status): \(answer.text)", sourceLocation: sourceLocation)
}

/// Devices that register at the desk's hub, and the notifications that they received.
extension Desk {
    /// Writes an installation with a template that shows `title`, and expects the status.
    @discardableResult
    func install(
        _ id: String,
        tags: [String] = [],
        platform: String = "apns",
        user: String? = nil,
        body: String = #"{"aps":{"alert":"$(title)"}}"#,
        extra: String = "",
        handle: String? = nil,
        answers status: Int = 200,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> HTTPResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("installationId")
        writer.value(id)
        writer.name("platform")
        writer.value(platform)
        writer.name("pushChannel")
        writer.value(handle ?? Desk.handle(of: id, platform: platform))
        if let user {
            writer.name("userId")
            writer.value(user)
        }
        writer.name("tags")
        writer.beginArray()
        for tag in tags { writer.value(tag) }
        writer.endArray()
        writer.name("templates")
        writer.beginObject()
        writer.name("news")
        writer.beginObject()
        writer.name("body")
        writer.value(body)
        writer.endObject()
        writer.endObject()
        writer.endObject()
        let text = String(decoding: writer.bytes.dropLast(), as: UTF8.self) + extra + "}"
        let answer = device("PUT", "installations/\(id)", body: text)
        must(answer, answer: status, sourceLocation: sourceLocation)
        return answer
    }

    static func handle(of id: String, platform: String) -> String {
        guard platform == "apns" else { return "https://127.0.0.1/\(id)" }
        return id.utf8.map { String($0, radix: 16, uppercase: true) }.joined()
    }

    /// Sends a request of a device.
    func device(_ method: String, _ path: String, headers: HTTPHeaders = [], body: String = "") -> HTTPResponse {
        let mark = path.contains("?") ? "&" : "?"
        return post(
            "/Breaking-News/\(path)\(mark)api-version=2020-06",
            method: method,
            headers: headers,
            body: body,
            format: nil
        )
    }

    /// Sends a template message, and expects the status.
    @discardableResult
    func send(
        _ properties: [String: String] = ["title": "Dam gives way"],
        tags: String? = nil,
        flags: String = "",
        headers: HTTPHeaders = [],
        answers status: Int = 201,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> HTTPResponse {
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in properties.sorted(by: { $0.key < $1.key }) {
            writer.name(name)
            writer.value(value)
        }
        writer.endObject()
        var headers = headers
        if let tags { headers.append("ServiceBusNotification-Tags", tags) }
        let answer = post(
            "/Breaking-News/messages?api-version=2020-06\(flags)",
            headers: headers,
            body: String(decoding: writer.bytes, as: UTF8.self)
        )
        must(answer, answer: status, sourceLocation: sourceLocation)
        return answer
    }

    /// The delivered notifications as installation and payload, in order.
    var arrived: [String] {
        hub.settledDeliveries.filter { $0.outcome == .success }
            .map { "\($0.installationID ?? $0.handle): \($0.notification.text)" }
    }

    /// The installations that received a notification, in order.
    var readers: [String] {
        hub.settledDeliveries.filter { $0.outcome == .success }.compactMap(\.installationID).sorted()
    }
}
