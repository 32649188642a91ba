import HTTPTransport
import HubEmulator
import Testing

/// A request with something wrong, and what the service answers to it.
///
/// Texts are those that the service's pages, its recordings and its SDKs have; where none is known (an empty ``text``, or one
/// that only names the wrong thing) it is held to 400 with some text.
struct MalformedRequest: Sendable, CustomTestStringConvertible {
    /// What a client signs with.
    enum Signer: Sendable {
        case right
        /// A header as it is; nothing for none.
        case header(String?)
        case token(
            url: String = "http://127.0.0.1:8080/breaking-news",
            policy: String = "Full",
            key: String = "full key",
            life: Int64 = 60
        )
    }

    /// What is wrong.
    var what: String
    var status: Int
    /// How the text of the error begins.
    var text: String
    var method = "POST"
    /// Below the hub, or whole where it begins with a slash.
    var path: String
    var headers: HTTPHeaders = []
    var body: [UInt8] = Array(#"{"a":"b"}"#.utf8)
    var signer = Signer.right
    var tier = HubTier.standard

    var testDescription: String { what }

    /// The target of the request line.
    var target: String { path.first == "/" || path == "*" ? path : "/Breaking-News/" + path }
}

/// Header names as tables want them: short.
enum Header {
    static func format(_ value: String) -> HTTPHeaders.Field { .init("ServiceBusNotification-Format", value) }
    static func tags(_ value: String) -> HTTPHeaders.Field { .init("ServiceBusNotification-Tags", value) }
    static func handle(_ value: String) -> HTTPHeaders.Field { .init("ServiceBusNotification-DeviceHandle", value) }
    static func time(_ value: String) -> HTTPHeaders.Field { .init("ServiceBusNotification-ScheduleTime", value) }
    static func type(_ value: String) -> HTTPHeaders.Field { .init("Content-Type", value) }
    static func ifMatch(_ value: String) -> HTTPHeaders.Field { .init("If-Match", value) }
}

extension HTTPHeaders {
    mutating func append(_ field: Field) { append(field.name, field.value) }
}
