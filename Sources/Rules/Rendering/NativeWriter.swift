import NewsflashStrictJSON
import NewsflashStrictXML
import NewsflashTimestamps

/// A writer of payloads in the format of a platform.
///
/// With a summary, the headline is the title and the summary the body. A headline alone is the body, because a title is cut
/// after one line and a body after four.
struct NativeWriter {
    let form: PayloadFormat
    let push: PushTraits

    /// Writes the whole payload.
    func body(headline: String, summary: String?, _ facts: NativeFacts) -> PayloadBytes {
        switch form {
        case .apns: apple(headline, summary, facts)
        case .fcmv1: firebase(headline, summary, facts)
        case .wns: windows(headline, summary, facts)
        case .adm: amazon(headline, summary, facts)
        case .browser: browser(headline, summary, facts)
        // Templates have their own properties.
        case .template: PayloadBytes(bytes: [])
        }
    }

    /// https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification
    private func apple(_ headline: String, _ summary: String?, _ facts: NativeFacts) -> PayloadBytes {
        var writer = JSONWriter(reservingCapacity: 1024)
        writer.beginObject()
        writer.name("aps")
        writer.beginObject()
        writer.name("alert")
        writer.beginObject()
        writer.texts(headline, summary)
        writer.endObject()
        writer.member("interruption-level", push.interruption.appleName)
        if !push.interruption.isQuiet { writer.member("sound", "default") }
        // The app's extension may add the picture or fetch the text; the app itself may do so in the background.
        writer.member("mutable-content", 1)
        if facts.isSecure {
            writer.member("content-available", 1)
        }
        writer.member("thread-id", collapseIDOf: push)
        writer.endObject()
        writer.members(facts.members)
        writer.endObject()
        return PayloadBytes(bytes: writer.finish())
    }

    /// https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages
    private func firebase(_ headline: String, _ summary: String?, _ facts: NativeFacts) -> PayloadBytes {
        var writer = JSONWriter(reservingCapacity: 1024)
        writer.beginObject()
        writer.name("message")
        writer.beginObject()
        writer.name("notification")
        writer.beginObject()
        writer.texts(headline, summary)
        writer.endObject()
        writer.name("android")
        writer.beginObject()
        writer.member("priority", push.interruption.isQuiet ? "normal" : "high")
        let clockPart = writer.bytes.count
        writer.member("ttl", "\(push.seconds(atMost: 2_419_200))s")
        let rest = writer.bytes.count
        writer.member("collapse_key", collapseIDOf: push)
        writer.name("notification")
        writer.beginObject()
        writer.member("tag", collapseIDOf: push)
        writer.member("notification_priority", push.interruption.androidPriority)
        if !push.interruption.isQuiet { writer.member("sound", "default") }
        if let image = facts.image { writer.member("image", image) }
        writer.endObject()
        writer.endObject()
        writer.name("data")
        writer.beginObject()
        var facts = facts
        facts.image = nil
        writer.members(facts.members)
        writer.member("interruption", push.interruption.appleName)
        writer.endObject()
        writer.endObject()
        writer.endObject()
        return PayloadBytes(bytes: writer.finish(), clockPart: clockPart..<rest)
    }

    /// https://learn.microsoft.com/windows/apps/design/shell/tiles-and-notifications/toast-schema
    private func windows(_ headline: String, _ summary: String?, _ facts: NativeFacts) -> PayloadBytes {
        var writer = XMLWriter(reservingCapacity: 1024)
        writer.begin("toast", ("launch", facts.launchText))
        writer.begin("visual")
        writer.begin("binding", ("template", "ToastGeneric"))
        writer.element("text", headline)
        if let summary { writer.element("text", summary) }
        if let image = facts.image { writer.empty("image", ("placement", "hero"), ("src", image)) }
        writer.end("binding")
        writer.end("visual")
        if push.interruption.isQuiet {
            writer.empty("audio", ("silent", "true"))
        } else {
            writer.empty("audio", ("src", "ms-winsoundevent:Notification.Default"))
        }
        writer.end("toast")
        return PayloadBytes(bytes: Array(#"<?xml version="1.0" encoding="utf-8"?>"#.utf8) + writer.bytes)
    }

    /// https://developer.amazon.com/docs/adm/send-message.html
    private func amazon(_ headline: String, _ summary: String?, _ facts: NativeFacts) -> PayloadBytes {
        var writer = JSONWriter(reservingCapacity: 1024)
        writer.beginObject()
        writer.name("data")
        writer.beginObject()
        writer.texts(headline, summary)
        writer.members(facts.members)
        writer.member("interruption", push.interruption.appleName)
        writer.member("collapse_id", collapseIDOf: push)
        writer.endObject()
        writer.member("consolidationKey", collapseIDOf: push)
        let clockPart = writer.bytes.count
        writer.member("expiresAfter", max(1, push.seconds(atMost: 2_678_400)))
        let rest = writer.bytes.count
        writer.endObject()
        return PayloadBytes(bytes: writer.finish(), clockPart: clockPart..<rest)
    }

    /// The members are those of `showNotification` (Notifications API), so that a service worker can pass them on unchanged. If
    /// the event has a link, `web_push` and `notification` follow, the declarative form: a browser that supports it shows the
    /// notification without a service worker (https://w3c.github.io/push-api/#declarative-push-message). The form requires a
    /// link; without one, and for an event with secure text, the service worker shows the notification.
    private func browser(_ headline: String, _ summary: String?, _ facts: NativeFacts) -> PayloadBytes {
        var writer = JSONWriter(reservingCapacity: 1024)
        writer.beginObject()
        writer.member("title", headline)
        if let summary { writer.member("body", summary) }
        writer.member("tag", collapseIDOf: push)
        writer.member("renotify", !push.interruption.isQuiet)
        writer.member("silent", push.interruption.isQuiet)
        if let image = facts.image { writer.member("image", image) }
        writer.name("data")
        writer.beginObject()
        var facts = facts
        facts.image = nil
        writer.members(facts.members)
        let clockPart = writer.bytes.count
        writer.member("expires", max(0, push.expires.seconds))
        let rest = writer.bytes.count
        writer.endObject()
        if let url = facts.declaredURL {
            writer.member("web_push", 8030)
            writer.name("notification")
            writer.beginObject()
            writer.member("title", headline)
            if let summary { writer.member("body", summary) }
            writer.member("navigate", url)
            writer.member("lang", facts.language)
            // As for every other platform: the direction of the first letter.
            writer.member("dir", "auto")
            writer.member("tag", collapseIDOf: push)
            writer.member("renotify", !push.interruption.isQuiet)
            writer.member("silent", push.interruption.isQuiet)
            writer.endObject()
        }
        writer.endObject()
        return PayloadBytes(bytes: writer.finish(), clockPart: clockPart..<rest)
    }

    /// The number of times that the payload contains the texts.
    func copies(_ facts: NativeFacts) -> Int { form == .browser && facts.declaredURL != nil ? 2 : 1 }
}

extension NativeFacts {
    /// The launch argument of a Windows app: `id=…&story=…`, with `& = % +` and blanks percent-encoded in values.
    fileprivate var launchText: String {
        members.filter { "\($0.name)" != "image" }
            .map { "\($0.name)=\($0.value.launchEscaped)" }
            .joined(separator: "&")
    }
}

extension String {
    fileprivate var launchEscaped: String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "%": escaped += "%25"
            case "&": escaped += "%26"
            case "=": escaped += "%3D"
            case "+": escaped += "%2B"
            case " ": escaped += "%20"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

extension InterruptionLevel {
    /// The priority in Firebase's `AndroidNotification`.
    fileprivate var androidPriority: String {
        switch self {
        case .passive: "PRIORITY_LOW"
        case .active: "PRIORITY_DEFAULT"
        case .timeSensitive: "PRIORITY_HIGH"
        }
    }
}

extension PushTraits {
    /// The lifetime in seconds, at most the limit of a platform.
    fileprivate func seconds(atMost limit: Int64) -> Int64 { min(secondsToLive, limit) }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: StaticString, _ value: String) {
        self.name(name)
        self.value(value)
    }

    fileprivate mutating func member(_ name: StaticString, collapseIDOf push: PushTraits) {
        member(name, plainAtMost: 16) { $0.append(hexadecimalDigitsOf: push.collapseNumber) }
    }

    fileprivate mutating func members(_ members: [(name: StaticString, value: String)]) {
        for (name, value) in members { member(name, value) }
    }

    /// Writes a headline as the title, or as the body if there is no summary.
    fileprivate mutating func texts(_ headline: String, _ summary: String?) {
        guard let summary else { return member("body", headline) }
        member("title", headline)
        member("body", summary)
    }
}
