import NewsflashHTTPTransport
import NewsflashHubEmulator
import Testing

/// A malformed request, and the service's answer to it.
///
/// The texts come from the service's pages, its recordings and its SDKs. If the text is unknown (``text`` is empty
/// or only names the cause), the answer must be 400 with some text.
struct MalformedRequest: Sendable, CustomTestStringConvertible {
    /// The signature of a request.
    enum Signer: Sendable {
        case right
        /// A literal header; `nil` for a request without one.
        case header(String?)
        case token(
            url: String = "http://127.0.0.1:8080/breaking-news",
            policy: String = "Full",
            key: String = "full key",
            life: Int64 = 60
        )
    }

    /// The fault of the request.
    var what: String
    var status: Int
    /// The beginning of the error's text.
    var text: String
    var method = "POST"
    /// The path below the hub, or the whole path if it begins with a slash.
    var path: String
    var headers: HTTPHeaders = []
    var body: [UInt8] = Array(#"{"a":"b"}"#.utf8)
    var signer = Signer.right
    var tier = HubTier.standard

    var testDescription: String { what }

    /// The target of the request line.
    var target: String { path.first == "/" || path == "*" ? path : "/Breaking-News/" + path }
}

/// Short names of headers for the tables.
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
