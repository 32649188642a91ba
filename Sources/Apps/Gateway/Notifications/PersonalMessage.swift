import HTTPTransport
import NotificationHubs
import StrictJSON
import XMLText

/// A message from one user to another, encoded for each platform.
struct PersonalMessage: Sendable, Equatable {
    /// The maximum size of the user's text in bytes. A platform may allow less, because its payload escapes some characters.
    static let maximumTextBytes = 2000

    /// The text that devices show: a single line with the sender's name, so that a text cannot imitate another sender.
    let text: String

    /// Decodes a message from a request body.
    ///
    /// - Parameters:
    ///   - body: A JSON string.
    ///   - sender: The sender.
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
    /// - Parameter platform: The platform.
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
        let most = platform.platform.maximumPayloadBytes
        guard body.count <= most else {
            throw .malformed(
                "text_too_long",
                "The payload for \(platform.rawValue) would have \(body.count) bytes; the maximum is \(most).",
                path: ""
            )
        }
        do throws(HubMessageError) {
            return try HubMessage.native(format: platform.platform.format, body: body, headers: headers)
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
