import HTTPTransport
import NotificationHubs
import Timestamps

/// Selects the headers of a delivery that are forwarded to the push service.
enum DeliveryHeaders {
    /// Merges the headers of a send and of a template.
    ///
    /// - Parameters:
    ///   - sent: The headers of the send.
    ///   - template: The headers of the template; they take precedence.
    ///   - expiry: The template's expiry: seconds since 1970 or a date.
    ///   - priority: The template's priority.
    ///   - platform: The platform of the device.
    /// - Returns: The headers in order; names in lower case.
    static func joined(
        sent: HTTPHeaders,
        template: [NamedValue] = [],
        expiry: String? = nil,
        priority: String? = nil,
        platform: PushPlatform
    ) -> [NamedValue] {
        var headers: [NamedValue] = []
        var names: Set<String> = []
        func add(_ name: String, _ value: String) {
            let name = name.lowercased()
            guard names.insert(name).inserted else { return }
            headers.append(NamedValue(name, value))
        }
        for header in template { add(header.name, header.value) }
        if platform == .apns {
            if let seconds = expiry.flatMap(Self.seconds) { add("apns-expiration", String(seconds)) }
            if let priority, !priority.isEmpty { add("apns-priority", priority) }
        }
        for field in sent.fields where isFor(platform, field.name.lowercased()) { add(field.name, field.value) }
        if platform == .apns {
            if let seconds = sent["ServiceBusNotification-Apns-Expiry"].flatMap(Self.seconds) {
                add("apns-expiration", String(seconds))
            }
            if let priority = sent["X-Apns-Priority"] { add("apns-priority", priority) }
        }
        return headers
    }

    private static func isFor(_ platform: PushPlatform, _ name: String) -> Bool {
        switch platform {
        case .apns: name.hasPrefix("apns-")
        case .wns: name.hasPrefix("x-wns-")
        case .mpns: name == "x-windowsphone-target" || name == "x-notificationclass"
        case .baidu: name.hasPrefix("x-baidu-")
        case .browser, .fcmv1, .gcm, .adm, .xiaomi: false
        }
    }

    /// Converts an expiry to seconds since 1970. Clients write a number of seconds, a W3C date, or .NET's invariant form
    /// `MM/dd/yyyy HH:mm:ss`.
    static func seconds(_ text: String) -> Int64? {
        if let number = Int64(text) { return number >= 0 ? number : nil }
        if let instant = Timestamp(rfc3339: text) ?? Timestamp(rfc3339: withSeconds(text)) {
            return instant.seconds
        }
        let parts = text.split { !$0.isASCII || !$0.isNumber }
        guard parts.count == 6, text.contains("/"), parts[2].count == 4 else { return nil }
        func two(_ part: Substring) -> String { part.count == 1 ? "0\(part)" : String(part) }
        let date = "\(parts[2])-\(two(parts[0]))-\(two(parts[1]))"
        let time = "\(two(parts[3])):\(two(parts[4])):\(two(parts[5]))"
        return Timestamp(rfc3339: "\(date)T\(time)Z").map(\.seconds)
    }

    /// Adds seconds to the W3C's short form, which omits them: `1997-07-16T19:20+01:00`.
    private static func withSeconds(_ text: String) -> String {
        let start = text.prefix(16)
        return start + ":00" + text.dropFirst(start.count)
    }
}
