public import NewsflashHTTPTransport
import NewsflashStrictJSON
public import NotificationHubsCore

extension HubMessage {
    /// Creates a message in the format of one platform.
    ///
    /// ```swift
    /// let alert = try HubMessage.native(#"{"aps":{"alert":"Dam gives way"}}"#, for: .apns)
    /// ```
    ///
    /// - Parameters:
    ///   - body: JSON or XML, as the platform requires. JSON is checked, and `fcmv1` must have its outer `message`.
    ///   - platform: The platform.
    ///   - headers: The headers for the platform. For Windows, a missing `X-WNS-Type` is derived from the root element.
    /// - Returns: The message.
    /// - Throws: ``HubValueError`` if the size or a header is invalid, or if the hub would refuse or drop the body.
    public static func native(
        _ body: String,
        for platform: PushPlatform,
        headers: HTTPHeaders = []
    ) throws(HubValueError) -> HubMessage {
        try native(bytes: Array(body.utf8), for: platform, headers: headers)
    }

    /// Creates a message in the format of one platform from bytes, for example `[UInt8]` or `Data`.
    ///
    /// - Parameters:
    ///   - body: JSON or XML, as the platform requires.
    ///   - platform: The platform.
    ///   - headers: The headers for the platform.
    /// - Returns: The message.
    /// - Throws: ``HubValueError`` if the size or a header is invalid, or if the hub would refuse or drop the body.
    public static func native(
        bytes body: some Sequence<UInt8>,
        for platform: PushPlatform,
        headers: HTTPHeaders = []
    ) throws(HubValueError) -> HubMessage {
        guard let format = platform.format else {
            throw HubValueError(.messageInvalidBody, "the platform \(platform.rawValue) is not known")
        }
        return try native(format: format, body: Array(body), headers: headers)
    }

    /// Creates a message in the JSON format of one platform from a value of your own type.
    ///
    /// ```swift
    /// struct Push: Codable {
    ///     struct Details: Codable { var alert: String }
    ///     var aps: Details
    /// }
    /// let push = try HubMessage.native(encoding: Push(aps: .init(alert: "Dam gives way")), for: .apns)
    /// ```
    ///
    /// - Parameters:
    ///   - value: The payload; encoded with `JSONEncoder` and sorted names.
    ///   - platform: The platform.
    ///   - headers: The headers for the platform.
    /// - Returns: The message.
    /// - Throws: ``HubValueError`` if the value cannot be encoded, the size or a header is invalid, or the hub would refuse or
    ///   drop the body.
    public static func native(
        encoding value: some Encodable,
        for platform: PushPlatform,
        headers: HTTPHeaders = []
    ) throws(HubValueError) -> HubMessage {
        try native(bytes: EncodedJSON.bytes(value), for: platform, headers: headers)
    }

    /// Creates a message of named properties from a value of your own type.
    ///
    /// ```swift
    /// struct News: Codable {
    ///     var headline: String
    ///     var section: String?
    /// }
    /// let news = try HubMessage.template(encoding: News(headline: "Dam gives way"))
    /// ```
    ///
    /// - Parameters:
    ///   - value: A value whose members are texts, numbers or booleans; a member that is `nil` is left out. A dictionary works
    ///     too. The names are sorted in the body.
    ///   - headers: The headers for the platforms.
    /// - Returns: A message whose body is a JSON object of strings.
    /// - Throws: ``HubValueError`` if the value cannot be encoded, or if a member, a name, a header or the size is invalid.
    public static func template(
        encoding value: some Encodable,
        headers: HTTPHeaders = []
    ) throws(HubValueError) -> HubMessage {
        guard let members = try EncodedJSON.value(value).object else {
            throw HubValueError(.messageInvalidBody, "the properties of a message must be an object")
        }
        var properties: [(String, String)] = []
        for member in members {
            switch member.value {
            case .string(let text): properties.append((member.name, text))
            case .number(let number): properties.append((member.name, number.text))
            case .bool(let value): properties.append((member.name, value ? "true" : "false"))
            case .null: break
            case .array, .object:
                throw HubValueError(.messageInvalidProperty, "the property \(member.name.prefix(120)) is not a text")
            }
        }
        return try template(properties: properties, headers: headers)
    }
}
