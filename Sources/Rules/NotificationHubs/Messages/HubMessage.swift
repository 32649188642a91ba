public import HTTPTransport
import StrictJSON

/// A message to push: a body in one format and headers that the hub forwards to the platforms.
///
/// Always valid: at most 64 KB, without headers that the client sets and without headers that cannot be sent.
public struct HubMessage: Sendable, Equatable {
    /// The maximum size of a message in bytes; the handles of a batch do not count.
    public static let maximumBytes = 65_536

    /// The format of the body.
    public let format: PushFormat
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
    /// - Throws: ``HubMessageError``.
    public init(
        rendered body: [UInt8],
        format: PushFormat = .template,
        headers: HTTPHeaders = []
    ) throws(HubMessageError) {
        try Self.checkSize(of: body)
        try PlatformHeaders.check(headers)
        self.format = format
        self.contentType = format.contentType(wnsType: format == .windows ? headers["X-WNS-Type"] : nil)
        self.body = body
        self.headers = headers
    }

    static func checkSize(of body: [UInt8]) throws(HubMessageError) {
        guard !body.isEmpty else { throw HubMessageError(.empty, "a message must have a body") }
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
    ///   - properties: Names and values. Names have 1 to 120 of the characters `A-Z a-z 0-9 _` and must differ in more than
    ///     case,
    ///     because templates ignore case.
    ///   - headers: The headers for the platforms.
    /// - Returns: A message whose body is a JSON object of strings.
    /// - Throws: ``HubMessageError`` if a name, a header or the size is invalid.
    public static func template(
        properties: [(String, String)],
        headers: HTTPHeaders = []
    ) throws(HubMessageError) -> HubMessage {
        var seen: Set<String> = []
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in properties {
            try TemplateProperty.check(name: name)
            guard seen.insert(name.lowercased()).inserted else {
                throw HubMessageError(.invalidProperty, "the property \(name) is repeated; names ignore case")
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
    /// - Throws: ``HubMessageError`` if the size or a header is invalid, or if the hub would refuse or drop the body.
    public static func native(
        format: PushFormat,
        body: [UInt8],
        headers: HTTPHeaders = []
    ) throws(HubMessageError) -> HubMessage {
        var headers = headers
        switch format {
        case .template:
            throw HubMessageError(.invalidBody, "template is not a platform: create a template message from properties")
        case .windows:
            if headers["X-WNS-Type"] == nil { headers.append("X-WNS-Type", WNSType(ofBody: body).rawValue) }
        case .windowsphone: break
        default: try NativeBody.check(body, format: format)
        }
        return try HubMessage(rendered: body, format: format, headers: headers)
    }
}
