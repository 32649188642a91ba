import NewsflashHTTPTransport
package import NewsflashTimestamps
package import NotificationHubs

/// The delivery of one send to one device, with its outcome.
package struct Delivery: Sendable {
    /// The sequence number, from one.
    package var sequence: Int64 = 0
    /// The send's ``SendRecord/sequence``.
    package var send: Int64
    /// The hub's id of the notification.
    package var notificationID: String
    /// The hub's name in lower case.
    var hub: String
    /// The time at which the fan-out processed the device.
    package var time: Timestamp
    /// Whether the send named the handle: a direct send or a batch.
    package var isDirect = false
    /// The registration; `nil` for a direct send.
    var registration: RegistrationName?
    /// The installation that the registration, or the handle of a direct send, belongs to.
    package var installationID: String?
    /// The push service.
    package var platform: PushPlatform
    /// The handle of the device.
    package var handle: String
    /// The name of the template, if it has one.
    package var template: String?
    /// The outcome.
    package var outcome: DeliveryOutcome
    /// A probable mistake that concerns only this device.
    var deviceWarning: String?
    /// Headers and body for the push service; shared by all devices that receive the same notification.
    package var notification: PlatformNotification

    /// Probable mistakes.
    package var warnings: [String] { notification.warnings + [deviceWarning].compactMap(\.self) }

    /// The registration's id.
    package var registrationID: String? { registration?.description }
}

/// Headers and body as sent to a push service.
package final class PlatformNotification: Sendable {
    /// The headers, such as `apns-collapse-id`; names in lower case.
    package let headers: [NamedValue]
    /// The payload.
    package let body: [UInt8]
    /// The reason if the platform would reject it.
    package let fault: PayloadFault?
    /// Probable mistakes in its template or headers, and a platform that is retired.
    package let warnings: [String]

    /// Creates a notification and validates it for its platform.
    ///
    /// - Parameters:
    ///   - headers: The headers; names in lower case.
    ///   - body: The payload.
    ///   - platform: The platform.
    ///   - bound: The size in bytes at which rendering stopped, if body or headers are too large for any platform.
    ///   - warnings: Possible mistakes in its template.
    package init(
        headers: [NamedValue],
        body: [UInt8],
        platform: PushPlatform,
        cutAt bound: Int? = nil,
        warnings: [String] = []
    ) {
        self.headers = headers
        self.body = body
        self.warnings = warnings + platform.warnings(headers: headers)
        self.fault =
            if let bound {
                PayloadCheck.fault(ofMoreThan: bound, headers: headers, for: platform)
            } else {
                PayloadCheck.fault(in: body, headers: headers, for: platform)
            }
    }

    /// The payload as text.
    package var text: String { String(decoding: body, as: UTF8.self) }
}

/// The outcome of a notification for one device, with the service's names.
///
/// Source: https://learn.microsoft.com/rest/api/notificationhubs/get-notification-message-telemetry
package struct DeliveryOutcome: RawRepresentable, Hashable, Sendable {
    /// The name in the telemetry.
    package var rawValue: String

    /// Creates an outcome.
    ///
    /// - Parameter rawValue: The name in the telemetry; the service's list is open-ended.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The push service accepted it.
    package static let success = DeliveryOutcome(rawValue: "Success")
    /// The push service does not know the handle any more.
    package static let expiredChannel = DeliveryOutcome(rawValue: "ExpiredChannel")
    /// The payload exceeds the platform's limit.
    package static let invalidNotificationSize = DeliveryOutcome(rawValue: "InvalidNotificationSize")
    /// The platform cannot parse the payload.
    package static let invalidNotificationFormat = DeliveryOutcome(rawValue: "InvalidNotificationFormat")
    /// The same handle already has this notification.
    package static let skipped = DeliveryOutcome(rawValue: "Skipped")
    /// It expired before it could be delivered.
    package static let dropped = DeliveryOutcome(rawValue: "Dropped")

    /// `ExpiredChannel` instead of a success if the handle is dead.
    ///
    /// The outcome of a device that Firebase does not know, as in
    /// https://github.com/Azure/azure-notificationhubs-dotnet/issues/321.
    func unless(_ isDead: Bool) -> DeliveryOutcome { isDead && self == .success ? .expiredChannel : self }

    /// Whether the push service reported the handle as invalid; such outcomes are in the feedback container.
    var isOfDeadChannel: Bool { ["BadChannel", "ExpiredChannel", "WrongToken"].contains(rawValue) }

    /// The text in the response to a test send.
    var sentence: String {
        switch rawValue {
        case "Success": "The Notification was successfully sent to the Push Notification System"
        case "InvalidNotificationSize", "InvalidNotificationFormat": "The Notification payload is invalid"
        case "InvalidCredentials": "The Token obtained from the Token Provider is wrong"
        case "BadChannel", "ExpiredChannel", "WrongToken":
            "The Push Notification System handle for the registration is invalid"
        case "Skipped": "The Notification was skipped, because the handle has it already"
        default: "The Notification could not be sent to the Push Notification System: \(rawValue)"
        }
    }
}

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
        platform.facts?.headerPrefixes.contains { name.hasPrefix($0) } ?? false
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
