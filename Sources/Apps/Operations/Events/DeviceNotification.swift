package import NewsflashStrictJSON
package import NotificationHubs

/// The notification that a device with a template gets for a request.
package struct DeviceNotification: Sendable {
    /// The file of the template.
    package let template: String
    package let platform: PushPlatform
    package let notification: RenderedNotification
    /// Why the push service would reject the notification; `nil` if it would not.
    package let fault: PayloadFault?
    /// The properties without a default that the request does not have, in lower case, sorted.
    package let missing: [String]

    /// Renders the notification.
    ///
    /// - Parameters:
    ///   - body: The body of a template send: a JSON object of strings.
    ///   - template: The device's template.
    ///   - name: The file of the template.
    init(of body: [UInt8], by template: NotificationTemplate, name: String) {
        let members = (try? JSONReader.read(body))?.object ?? []
        let values = TemplateValues(members.map { NamedValue($0.name, $0.value.string ?? "") })
        self.template = name
        platform = template.platform
        notification = template.render(values)
        fault = PayloadCheck.fault(in: notification.body, headers: notification.headers, for: platform)
        missing = template.requiredProperties.filter { values[$0] == nil }.sorted()
    }

    /// The platform's maximum payload size in bytes.
    private var limit: Int { platform.maximumPayloadBytes(headers: notification.headers) }

    /// The notification as text for people: its size, its headers, and its body, which is formatted if it is JSON.
    package var text: String {
        var lines = ["\(template) on \(platform.rawValue): \(notification.body.count) of \(limit) bytes"]
        if let fault { lines.append("would not arrive: \(fault)") }
        if !missing.isEmpty {
            lines.append("empty, because the request has no such property: " + missing.joined(separator: ", "))
        }
        lines += notification.headers.map { "\($0.name): \($0.value)" }
        let body =
            (try? JSONReader.read(notification.body))?.laidOut ?? String(decoding: notification.body, as: UTF8.self)
        return lines.joined(separator: "\n") + "\n\n" + body
    }

    /// Writes the notification as one JSON object, its body byte for byte.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("template", template)
        writer.member("platform", platform.rawValue)
        writer.name("headers")
        writer.beginObject()
        for header in notification.headers { writer.member(header.name, header.value) }
        writer.endObject()
        writer.member("bytes", Int64(notification.body.count))
        writer.member("maximumBytes", Int64(limit))
        writer.member("outcome", fault?.kind.rawValue)
        writer.member("detail", fault?.message)
        writer.member("missing", missing)
        writer.member("body", String(decoding: notification.body, as: UTF8.self))
        writer.endObject()
    }
}
