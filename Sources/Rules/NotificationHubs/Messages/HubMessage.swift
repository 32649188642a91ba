import NewsflashBasics
public import NewsflashHTTPTransport
import NewsflashStrictJSON

/// A message to push: a body in one format and headers that the hub forwards to the platforms.
///
/// Always valid: at most 64 KB, without headers that the client sets and without headers that cannot be sent.
///
/// ```swift
/// let news = try HubMessage.template(properties: ["headline": "Dam gives way", "section": "world"])
/// let toast = try HubMessage.native("<toast>…</toast>", for: .wns)
/// ```
public struct HubMessage: Sendable, Equatable {
    /// The maximum size of a message in bytes; the handles of a batch do not count.
    public static let maximumBytes = 65_536

    /// The platform of a native message; `nil` for a template message.
    public var platform: PushPlatform? { format.platform }
    /// The format of the body.
    package let format: PushFormat
    /// The content type that the hub requires for the format.
    public let contentType: String
    /// The body.
    public let body: [UInt8]
    /// The headers for the platforms, for example `apns-priority` or `X-WNS-Type`; allowed for template sends too.
    public let headers: HTTPHeaders

    /// Creates a message from a rendered body.
    ///
    /// Checks the size and the headers, but not the content; meant for code that only produces valid bodies. Otherwise use
    /// ``template(properties:headers:)`` or ``native(format:body:headers:)``.
    ///
    /// - Parameters:
    ///   - body: 1 to ``maximumBytes`` bytes.
    ///   - format: The format of the body.
    ///   - headers: The headers for the platforms.
    /// - Throws: ``HubValueError``.
    package init(
        rendered body: [UInt8],
        format: PushFormat = .template,
        headers: HTTPHeaders = []
    ) throws(HubValueError) {
        try Self.checkSize(of: body)
        try PlatformHeaders.check(headers)
        self.format = format
        self.contentType = format.contentType(wnsType: format == .windows ? headers["X-WNS-Type"] : nil)
        self.body = body
        self.headers = headers
    }

    static func checkSize(of body: [UInt8]) throws(HubValueError) {
        guard !body.isEmpty else { throw HubValueError(.messageEmpty, "a message must have a body") }
        guard body.count <= maximumBytes else { throw .tooLarge(body.count) }
    }

    /// Creates a template message from a valid body and valid headers, without checks.
    init(checkedTemplate body: [UInt8], headers: HTTPHeaders = []) {
        format = .template
        contentType = PushFormat.template.contentType(wnsType: nil)
        self.body = body
        self.headers = headers
    }

    /// Creates a message of named properties for the devices' templates.
    ///
    /// Send every property that a template uses: a missing one is an empty text on the device.
    ///
    /// - Parameters:
    ///   - properties: Names and values, in the order of the body: `["headline": "Dam gives way"]`. Names have 1 to 120 of the
    ///     characters `A-Z a-z 0-9 _` and must differ in more than case, because templates ignore case.
    ///   - headers: The headers for the platforms.
    /// - Returns: A message whose body is a JSON object of strings.
    /// - Throws: ``HubValueError`` if a name, a header or the size is invalid.
    public static func template(
        properties: KeyValuePairs<String, String>,
        headers: HTTPHeaders = []
    ) throws(HubValueError) -> HubMessage {
        try template(properties: properties.map { ($0.key, $0.value) }, headers: headers)
    }

    /// Creates a message of named properties whose names are not known at compile time.
    ///
    /// - Parameters:
    ///   - properties: Names and values, as in a dictionary literal.
    ///   - headers: The headers for the platforms.
    /// - Returns: A message whose body is a JSON object of strings.
    /// - Throws: ``HubValueError`` if a name, a header or the size is invalid.
    public static func template(
        properties: [(String, String)],
        headers: HTTPHeaders = []
    ) throws(HubValueError) -> HubMessage {
        var seen: Set<String> = []
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in properties {
            try TemplateProperty.check(name: name)
            guard seen.insert(name.lowercased()).inserted else {
                throw HubValueError(.messageInvalidProperty, "the property \(name) is repeated; names ignore case")
            }
            writer.name(name)
            writer.value(value)
        }
        writer.endObject()
        return try HubMessage(rendered: writer.bytes, format: .template, headers: headers)
    }

    /// Creates a message in the format of one platform.
    ///
    /// - Parameters:
    ///   - format: The platform; not ``PushFormat/template``.
    ///   - body: JSON or XML, as the platform requires. JSON is checked, and `fcmv1` must have its outer `message`.
    ///   - headers: The headers for the platform. For Windows, a missing `X-WNS-Type` is derived from the root element.
    /// - Returns: The message.
    /// - Throws: ``HubValueError`` if the size or a header is invalid, or if the hub would refuse or drop the body.
    package static func native(
        format: PushFormat,
        body: [UInt8],
        headers: HTTPHeaders = []
    ) throws(HubValueError) -> HubMessage {
        var headers = headers
        switch format {
        case .template:
            throw HubValueError(
                .messageInvalidBody,
                "template is not a platform: create a template message from properties"
            )
        case .windows:
            if headers["X-WNS-Type"] == nil { headers.append("X-WNS-Type", WNSType(ofBody: body).rawValue) }
        case .windowsphone: break
        default: try NativeBody.check(body, format: format)
        }
        return try HubMessage(rendered: body, format: format, headers: headers)
    }
}

/// The minimum requirements for a platform's payload.
enum NativeBody {
    static func check(_ body: [UInt8], format: PushFormat) throws(HubValueError) {
        guard body.count <= HubMessage.maximumBytes else { throw .tooLarge(body.count) }
        let value: JSONValue
        do {
            value = try JSONReader.read(body)
        } catch {
            throw HubValueError(
                .messageInvalidBody,
                "the \(format.rawValue) payload is not JSON: \(error.code.rawValue) at byte \(error.offset)"
            )
        }
        guard value.object != nil else {
            throw HubValueError(.messageInvalidBody, "the \(format.rawValue) payload is not a JSON object")
        }
        // Without it, the hub accepts the message and sends nothing.
        if format == .fcmv1, value[member: "message"]?.object == nil {
            throw HubValueError(.messageInvalidBody, "the fcmv1 payload has no outer object \"message\"")
        }
    }
}

/// Checks the headers of a message.
enum PlatformHeaders {
    /// Headers set by the client or the transport, or with a meaning that a message must not change.
    private static let reserved: Set<String> = [
        "authorization", "connection", "content-encoding", "content-length", "content-type", "cookie", "expect", "host",
        "proxy-authorization", "te", "trackingid", "trailer", "transfer-encoding", "upgrade", "user-agent",
    ]
    private static let hubPrefix = "servicebusnotification-"
    private static let apnsExpiry = "servicebusnotification-apns-expiry"

    static func check(_ headers: HTTPHeaders) throws(HubValueError) {
        switch headers.validity {
        case .valid: break
        case .invalidName: throw HubValueError(.messageInvalidHeader, "a header's name has invalid characters")
        case .invalidValue(lineAt: var start):
            let name = headers.nextLine(at: &start).map { headers.text($0.name) } ?? ""
            throw HubValueError(.messageInvalidHeader, "the value of the header \(name) is not plain ASCII")
        }
        for field in headers {
            let name = field.name.lowercased()
            guard !reserved.contains(name), !name.hasPrefix(hubPrefix) || name == apnsExpiry else {
                throw HubValueError(.messageInvalidHeader, "the header \(field.name) is reserved for the client")
            }
            // Only visible ASCII, because the hub's handling of other bytes is not documented.
            guard field.value.utf8.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x09 }) else {
                throw HubValueError(.messageInvalidHeader, "the value of the header \(field.name) is not plain ASCII")
            }
        }
    }
}

extension HubValueError {
    static func tooLarge(_ count: Int) -> HubValueError {
        HubValueError(
            .messageTooLarge,
            "the message has \(count) bytes; the hub accepts at most \(HubMessage.maximumBytes)"
        )
    }
}

/// Names of the properties of a template message.
enum TemplateProperty {
    /// The maximum number of characters in a name.
    static let maximumNameLength = 120

    /// Whether templates can refer to a property of this name.
    ///
    /// - Parameter name: The name.
    /// - Returns: Whether it has 1 to ``maximumNameLength`` of the characters `A-Z a-z 0-9 _`.
    static func isValid(name: String) -> Bool {
        (1...maximumNameLength).contains(name.utf8.count) && name.utf8.allSatisfy { $0.isPropertyCharacter }
    }

    static func check(name: String) throws(HubValueError) {
        guard isValid(name: name) else {
            throw HubValueError(
                .messageInvalidProperty,
                "a property's name must have 1 to \(maximumNameLength) of the characters A-Z a-z 0-9 _: "
                    + name.prefix(maximumNameLength)
            )
        }
    }
}

extension UInt8 {
    /// Whether the character is allowed in a property's name.
    var isPropertyCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
        default: isDigit
        }
    }
}
