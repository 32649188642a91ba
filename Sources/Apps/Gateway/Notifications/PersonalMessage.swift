import HTTPTransport
import NotificationHubs
import StrictJSON
import XMLText

/// What one user says to another, in the language of each platform.
struct PersonalMessage: Sendable, Equatable {
    /// The most bytes of what a user may say: with the rest, each platform takes it.
    static let maximumTextBytes = 2000

    /// What devices show.
    let text: String

    /// Reads a message from the body of a request.
    ///
    /// - Parameters:
    ///   - body: A JSON string; empty for who says nothing.
    ///   - sender: Who speaks.
    /// - Throws: ``GatewayRefusal``, 400 for another body, and for a text that is empty, too long or has controls.
    init(body: [UInt8], from sender: GatewayUser) throws(GatewayRefusal) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(body, maximumDepth: 2)
        } catch {
            throw .malformed("json", "The body is not JSON: \(error.message), at byte \(error.offset).", path: "")
        }
        guard let words = value.string else {
            throw .malformed("wrong_type", "The body has to be a JSON string, the text of the message.", path: "")
        }
        guard words.utf8.contains(where: { $0 > 0x20 }) else {
            throw .malformed("text_empty", "The text of the message is empty.", path: "")
        }
        guard words.utf8.count <= Self.maximumTextBytes else {
            throw .malformed(
                "text_too_long",
                "The text of the message has at most \(Self.maximumTextBytes) bytes.",
                path: ""
            )
        }
        // A line break and a tab are words' own; other controls could hide or turn around what stands before them.
        guard !words.unicodeScalars.contains(where: \.isControl) else {
            throw .malformed("text_control", "The text of the message has control characters.", path: "")
        }
        text = "From \(sender.name): \(words)"
    }

    /// The message of a user who only tries whether his devices are reached.
    init(greetingFrom sender: GatewayUser) {
        text = "From \(sender.name): Hello"
    }

    /// The message for a platform.
    ///
    /// - Parameter platform: One of those that have native messages here.
    /// - Returns: Exact bytes and headers.
    /// - Throws: ``HubMessageError`` where it is too large.
    func message(for platform: NotificationPlatform) throws(HubMessageError) -> HubMessage {
        switch platform {
        case .apns:
            let headers: HTTPHeaders = [.init("apns-push-type", "alert"), .init("apns-priority", "10")]
            return try HubMessage.native(format: .apple, body: json("aps", "alert"), headers: headers)
        case .gcm: return try HubMessage.native(format: .gcm, body: json("data", "message"))
        case .fcmv1: return try HubMessage.native(format: .fcmv1, body: firebase)
        case .wns: return try HubMessage.native(format: .windows, body: toast)
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
    /// Controls of C0 and C1 but for tab and line feed, and those that turn the direction of what follows around.
    fileprivate var isControl: Bool {
        switch value {
        case 0x09, 0x0A: false
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
