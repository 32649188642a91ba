import NewsflashHTTPTransport
import NewsflashStrictJSON
import NewsflashXMLText
import NotificationHubs

/// Sends messages from user to user.
struct NotificationController: Sendable {
    let hub: GatewayHub
    let mayNotifyOthers: @Sendable (GatewayUser) -> Bool
    /// Whether a user exists, if this server can determine it.
    let isUser: @Sendable (GatewayUser) -> Bool

    /// Sends a message to all devices of a user on one platform.
    ///
    /// - Parameters:
    ///   - platform: The platform of the devices.
    ///   - recipient: The user to notify.
    ///   - isTest: Whether the hub sends at once and returns the outcomes. They contain handles, so a test is allowed only for
    ///     the
    ///     sender's own devices.
    ///   - body: A JSON string.
    ///   - sender: The signed-in user.
    /// - Returns: The hub's outcome as XML for a test, otherwise `nil`.
    /// - Throws: ``GatewayRefusal``.
    func send(
        on platform: NotificationPlatform,
        to recipient: GatewayUser,
        isTest: Bool,
        _ body: [UInt8],
        from sender: GatewayUser
    ) async throws(GatewayRefusal) -> [UInt8]? {
        guard recipient == sender || mayNotifyOthers(sender) else {
            throw .forbidden("not_a_sender", "This user may not notify other users.")
        }
        guard !isTest || recipient == sender else {
            throw .forbidden("foreign_test", "A test returns handles, so it is allowed only for your own devices.")
        }
        let message = try PersonalMessage(body: body, from: sender).message(for: platform)
        // Devices of a former user may still have the tag.
        guard recipient == sender || isUser(recipient) else {
            throw GatewayRefusal(404, "no_such_user", "No user has this name.")
        }
        let audience = HubAudience.tags(TagExpression(recipient.tag))
        guard isTest else {
            _ = try await hub.send { hub throws(HubError) in try await hub.send(message, to: audience) }
            return nil
        }
        return try await hub.send { hub throws(HubError) in try await hub.test(message, to: audience).document }
    }

    /// The results of a message on each platform.
    struct Report: Sendable, Equatable {
        /// The platforms for which the hub accepted the message.
        var accepted: [NotificationPlatform] = []
        /// The failures in the order of the platforms; with `send_uncertain` the hub may have accepted the message.
        var failed: [(platform: NotificationPlatform, refusal: GatewayRefusal)] = []

        static func == (left: Report, right: Report) -> Bool {
            left.accepted == right.accepted && left.failed.elementsEqual(right.failed, by: ==)
        }
    }

    /// Sends a message to all devices of its sender, on all platforms.
    ///
    /// - Parameters:
    ///   - body: A JSON string; empty for a greeting, as sent by the app of the first tutorial.
    ///   - sender: The signed-in user.
    /// - Returns: The platforms for which the hub accepted the message, at least one, and the failures.
    /// - Throws: ``GatewayRefusal`` if the hub accepted it for no platform: the refusal with `send_uncertain` if there is one,
    ///   otherwise the first.
    func sendToSelf(_ body: [UInt8], from sender: GatewayUser) async throws(GatewayRefusal) -> Report {
        let words = body.isEmpty ? PersonalMessage(greetingFrom: sender) : try PersonalMessage(body: body, from: sender)
        let audience = HubAudience.tags(TagExpression(sender.tag))
        var report = Report()
        for platform in NotificationPlatform.allCases {
            do throws(GatewayRefusal) {
                let message = try words.message(for: platform)
                _ = try await hub.send { hub throws(HubError) in try await hub.send(message, to: audience) }
                report.accepted.append(platform)
            } catch {
                report.failed.append((platform, error))
            }
        }
        let refusals = report.failed.map(\.refusal)
        if report.accepted.isEmpty,
            let refusal = refusals.first(where: { $0.label == "send_uncertain" }) ?? refusals.first
        {
            throw refusal
        }
        return report
    }
}

/// A message from one user to another, encoded for each platform.
struct PersonalMessage: Sendable, Equatable {
    /// The maximum size of the user's text in bytes. A platform may allow less, because its payload escapes some characters.
    static let maximumTextBytes = 2000

    /// The text that devices show: a single line with the sender's name, so that a text cannot imitate another sender.
    let text: String

    /// Decodes a message from a request body.
    ///
    /// - Throws: ``GatewayRefusal``, 400, if the body is not a JSON string, or if the text is empty, too long or contains
    ///   control
    ///   characters.
    init(body: [UInt8], from sender: GatewayUser) throws(GatewayRefusal) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(body, maximumDepth: 2)
        } catch {
            throw .malformed("json", "The body is not JSON: \(error.message), at byte \(error.offset).", path: "")
        }
        guard let words = value.string else {
            throw .malformed("wrong_type", "The body must be a JSON string: the text of the message.", path: "")
        }
        guard words.utf8.count <= Self.maximumTextBytes else {
            throw .malformed(
                "text_too_long",
                "The text of the message has at most \(Self.maximumTextBytes) bytes.",
                path: ""
            )
        }
        // Control characters could hide or reverse the sender's name. Line breaks and tabs become blanks.
        guard !words.unicodeScalars.contains(where: \.isControl) else {
            throw .malformed("text_control", "The text of the message has control characters.", path: "")
        }
        let line = words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !line.isEmpty else { throw .malformed("text_empty", "The text of the message is empty.", path: "") }
        text = "From \(sender.name): \(line)"
    }

    /// The message of a user who tests whether his devices are reached.
    init(greetingFrom sender: GatewayUser) {
        text = "From \(sender.name): Hello"
    }

    /// Returns the message for a platform.
    ///
    /// - Returns: The native message.
    /// - Throws: ``GatewayRefusal``, 400, if the platform's payload would be too large.
    func message(for platform: NotificationPlatform) throws(GatewayRefusal) -> HubMessage {
        let body: [UInt8]
        var headers: HTTPHeaders = []
        switch platform {
        case .apns:
            headers = [.init("apns-push-type", "alert"), .init("apns-priority", "10")]
            body = json("aps", "alert")
        case .gcm: body = json("data", "message")
        case .fcmv1: body = firebase
        case .wns: body = toast
        }
        let most = platform.format.platform?.maximumPayloadBytes ?? body.count
        guard body.count <= most else {
            throw .malformed(
                "text_too_long",
                "The payload for \(platform.rawValue) would have \(body.count) bytes; the maximum is \(most).",
                path: ""
            )
        }
        do throws(HubValueError) {
            return try HubMessage.native(format: platform.format, body: body, headers: headers)
        } catch {
            throw .malformed("message", "The platform does not accept the message.", path: "")
        }
    }

    /// `{"outer":{"inner":"text"}}`.
    private func json(_ outer: StaticString, _ inner: StaticString) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: text.utf8.count + 32)
        writer.beginObject()
        writer.name(outer)
        writer.beginObject()
        writer.member(inner, text)
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }

    private var firebase: [UInt8] {
        var writer = JSONWriter(reservingCapacity: 2 * text.utf8.count + 80)
        writer.beginObject()
        writer.name("message")
        writer.beginObject()
        writer.name("notification")
        writer.beginObject()
        writer.member("body", text)
        writer.endObject()
        writer.name("data")
        writer.beginObject()
        writer.member("message", text)
        writer.endObject()
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }

    private var toast: [UInt8] {
        var bytes = Array(#"<toast><visual><binding template="ToastText01"><text id="1">"#.utf8)
        XMLWriter.appendText(text, to: &bytes)
        bytes += Array("</text></binding></visual></toast>".utf8)
        return bytes
    }
}

extension Unicode.Scalar {
    /// Whether the character is a C0 or C1 control, except tab and line breaks, or changes the text direction.
    fileprivate var isControl: Bool {
        switch value {
        case 0x09, 0x0A, 0x0D, 0x85: false
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

/// The platforms of the parameter `pns`.
enum NotificationPlatform: String, Sendable, CaseIterable {
    case apns
    case gcm
    case fcmv1
    case wns

    /// The format of its native messages.
    var format: PushFormat {
        switch self {
        case .apns: .apple
        case .gcm: .gcm
        case .fcmv1: .fcmv1
        case .wns: .windows
        }
    }

    /// All names, for messages.
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
