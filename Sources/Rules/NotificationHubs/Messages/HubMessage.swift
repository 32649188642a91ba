public import HTTPTransport
import StrictJSON

/// What is to be pushed: a body in one format, with the headers that travel on to the platforms.
///
/// Cannot exist beyond 64 KB, with a header that the client itself sets, or with one that cannot be sent.
public struct HubMessage: Sendable, Equatable {
    /// The most bytes that the hub takes in a message; the handles of a batch do not count.
    public static let maximumBytes = 65_536

    /// What the body is written for.
    public let format: PushFormat
    /// As the hub wants it for the format.
    public let contentType: String
    /// The body.
    public let body: [UInt8]
    /// For the platforms, such as `apns-priority` or `X-WNS-Type`; template sends may have them too.
    public let headers: HTTPHeaders

    /// Takes a body that its maker answers for.
    ///
    /// Size and headers are checked, the content is not: for bodies made by code that cannot make wrong ones. Others go
    /// through ``template(properties:headers:)`` and ``native(format:body:headers:)``.
    ///
    /// - Parameters:
    ///   - body: At least one byte and at most ``maximumBytes``.
    ///   - format: What it is written for.
    ///   - headers: For the platforms.
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
        guard !body.isEmpty else { throw HubMessageError(.empty, "a message has a body") }
        guard body.count <= maximumBytes else { throw .tooLarge(body.count) }
    }

    /// Takes a template's properties and headers that are known to be right.
    init(checkedTemplate body: [UInt8], headers: HTTPHeaders = []) {
        format = .template
        contentType = PushFormat.template.contentType(wnsType: nil)
        self.body = body
        self.headers = headers
    }

    /// A message of named properties, for the templates of the devices.
    ///
    /// A property that a template names and the message lacks is an empty text on the device: send all of them.
    ///
    /// - Parameters:
    ///   - properties: Names and values. Names have 1 to 120 of `A-Z a-z 0-9 _` and must differ by more than case, which
    ///     templates ignore.
    ///   - headers: For the platforms.
    /// - Returns: A JSON object of strings.
    /// - Throws: ``HubMessageError`` for a name or for the size.
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
                throw HubMessageError(.invalidProperty, "the property \(name) stands twice; names ignore case")
            }
            writer.name(name)
            writer.value(value)
        }
        writer.endObject()
        return try HubMessage(rendered: writer.bytes, format: .template, headers: headers)
    }

    /// A message in the language of one platform.
    ///
    /// - Parameters:
    ///   - format: The platform; not ``PushFormat/template``.
    ///   - body: JSON or XML as the platform wants it; JSON is read, and `fcmv1` must have its outer `message`.
    ///   - headers: For the platform. For Windows `X-WNS-Type` is found out from the root element where it is missing.
    /// - Returns: The message.
    /// - Throws: ``HubMessageError`` for the size, a header, or a body that the hub would refuse or drop.
    public static func native(
        format: PushFormat,
        body: [UInt8],
        headers: HTTPHeaders = []
    ) throws(HubMessageError) -> HubMessage {
        var headers = headers
        switch format {
        case .template:
            throw HubMessageError(.invalidBody, "template is no platform: use the properties of a template message")
        case .windows:
            if headers["X-WNS-Type"] == nil { headers.append("X-WNS-Type", WNSType(ofBody: body).rawValue) }
        case .windowsphone: break
        default: try NativeBody.check(body, format: format)
        }
        return try HubMessage(rendered: body, format: format, headers: headers)
    }
}
