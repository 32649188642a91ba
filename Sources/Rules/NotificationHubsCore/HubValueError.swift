/// An invalid value: a tag, a tag expression, a connection string, a message, or the description of a device.
///
/// ```swift
/// do {
///     _ = try Tag("küche")
/// } catch {
///     print(error.code == .tagInvalidCharacter, error.offset ?? 0)
/// }
/// ```
public struct HubValueError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of an error.
    public typealias Code = HubErrorCode

    /// The kind of the error.
    public let code: Code
    /// The fault and the allowed values. Contains no credentials, no handle of a device and no text of a message.
    public let message: String
    /// The position: the part of a connection string, an element's name in XML, a JSON Pointer (RFC 6901) in JSON; empty for
    /// the whole value.
    public let path: String
    /// The position in a tag or a tag expression, in bytes of UTF-8 from the start of the text.
    public let offset: Int?
    /// The ID of the registration that cannot be read, if its entry of a list has one.
    public let registrationID: String?

    package init(
        _ code: Code,
        _ message: String,
        at path: String = "",
        offset: Int? = nil,
        registrationID: String? = nil
    ) {
        self.code = code
        self.message = message
        self.path = path
        self.offset = offset
        self.registrationID = registrationID
    }

    /// The message with position and code.
    public var description: String {
        let place = path.isEmpty || message.hasPrefix(path) ? "" : " (in \(path))"
        return message + place + (offset.map { " (at byte \($0))" } ?? "") + " [\(code.rawValue)]"
    }
}

/// The kind of a ``HubValueError`` or of a failed call.
///
/// ```swift
/// do {
///     try await hub.deleteInstallation("phone-1")
/// } catch {
///     if error.code == .cancelled { print("nobody waits for it") }
/// }
/// ```
public struct HubErrorCode: RawRepresentable, Hashable, Sendable {
    /// The short label for metrics.
    public var rawValue: String

    /// Creates a code.
    ///
    /// - Parameter rawValue: The label, in snake case.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// Tags.
extension HubErrorCode {
    /// The tag is empty.
    public static let tagEmpty = Self(rawValue: "tag_empty")
    /// There are more than ``Tag/maximumLength`` characters.
    public static let tagTooLong = Self(rawValue: "tag_too_long")
    /// A character is not allowed in a tag.
    public static let tagInvalidCharacter = Self(rawValue: "tag_invalid_character")
}

/// Tag expressions.
extension HubErrorCode {
    /// The expression has no tag. An empty header would mean a broadcast to every device.
    public static let expressionEmpty = Self(rawValue: "expression_empty")
    /// Operators, tags and parentheses are not in a valid order.
    public static let expressionSyntax = Self(rawValue: "expression_syntax")
    /// A tag is too long or has an invalid character.
    public static let expressionInvalidTag = Self(rawValue: "expression_invalid_tag")
    /// There are more tags than the hub accepts: 20 with `||` only, otherwise 6.
    public static let expressionTooManyTags = Self(rawValue: "expression_too_many_tags")
    /// Parentheses are nested too deeply.
    public static let expressionTooDeep = Self(rawValue: "expression_too_deep")
    /// The text exceeds ``TagExpression/maximumLength``.
    public static let expressionTooLong = Self(rawValue: "expression_too_long")
}

/// Connection strings.
extension HubErrorCode {
    /// A part is not of the form `Name=Value`.
    public static let connectionStringSyntax = Self(rawValue: "connection_string_syntax")
    /// A required part is missing or empty.
    public static let connectionStringMissingPart = Self(rawValue: "connection_string_missing_part")
    /// A part occurs twice.
    public static let connectionStringDuplicatePart = Self(rawValue: "connection_string_duplicate_part")
    /// A part has an invalid value.
    public static let connectionStringInvalidPart = Self(rawValue: "connection_string_invalid_part")
}

/// Messages.
extension HubErrorCode {
    /// The message has no body.
    public static let messageEmpty = Self(rawValue: "message_empty")
    /// The body exceeds 65,536 bytes.
    public static let messageTooLarge = Self(rawValue: "message_too_large")
    /// A header cannot be sent, or is reserved for the client.
    public static let messageInvalidHeader = Self(rawValue: "message_invalid_header")
    /// The name of a template property is invalid or occurs twice, or its value is not a text.
    public static let messageInvalidProperty = Self(rawValue: "message_invalid_property")
    /// The body is invalid for the platform.
    public static let messageInvalidBody = Self(rawValue: "message_invalid_body")
    /// The device handles are too few, too many, or one is invalid.
    public static let messageInvalidHandle = Self(rawValue: "message_invalid_handle")
}

/// Registrations, installations and their changes.
extension HubErrorCode {
    /// The text is not valid XML or JSON.
    public static let deviceSyntax = Self(rawValue: "device_syntax")
    /// A required member is missing.
    public static let deviceMissing = Self(rawValue: "device_missing")
    /// A value has the wrong type.
    public static let deviceWrongType = Self(rawValue: "device_wrong_type")
    /// The platform is unknown.
    public static let deviceUnknownPlatform = Self(rawValue: "device_unknown_platform")
    /// A token, ID or URI is invalid for its platform.
    public static let deviceInvalidChannel = Self(rawValue: "device_invalid_channel")
    /// A tag is invalid, or a tag set by the hub is repeated.
    public static let deviceInvalidTag = Self(rawValue: "device_invalid_tag")
    /// There are more tags than ``RegistrationDescription/maximumTags``.
    public static let deviceTooManyTags = Self(rawValue: "device_too_many_tags")
    /// The tags have more bytes than ``RegistrationDescription/maximumTagBytes``.
    public static let deviceTagsTooLarge = Self(rawValue: "device_tags_too_large")
    /// The ID of an installation or user contains an invalid character, or two IDs differ.
    public static let deviceInvalidID = Self(rawValue: "device_invalid_id")
    /// The request sets the expiration, which only the hub may set.
    public static let deviceExpiration = Self(rawValue: "device_expiration")
    /// A template has an invalid name or invalid headers.
    public static let deviceInvalidTemplate = Self(rawValue: "device_invalid_template")
    /// A change refers to an unknown path or operation.
    public static let deviceInvalidPatch = Self(rawValue: "device_invalid_patch")
    /// A list's filter is not supported.
    public static let deviceInvalidFilter = Self(rawValue: "device_invalid_filter")
}

/// Calls.
extension HubErrorCode {
    /// The hub's name is invalid.
    public static let invalidHubName = Self(rawValue: "invalid_hub_name")
    /// The message cannot be sent to this audience; nothing was sent.
    public static let invalidMessage = Self(rawValue: "invalid_message")
    /// The registration, the installation or its ID is invalid; nothing was sent.
    public static let invalidDevice = Self(rawValue: "invalid_device")
    /// The hub refused the request, or the request did not reach it; see ``HubError/status``.
    public static let notAccepted = Self(rawValue: "not_accepted")
    /// The hub exists, but the requested object does not.
    public static let missing = Self(rawValue: "missing")
    /// The hub carried out the operation, but its response has an unexpected form.
    public static let unreadableAnswer = Self(rawValue: "unreadable_answer")
    /// The task was cancelled.
    public static let cancelled = Self(rawValue: "cancelled")
}
