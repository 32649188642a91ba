/// The reason why the hub rejects a registration, an installation or a change to one. Contains no handle and no body.
public struct DeviceError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of the error.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The short label for metrics.
        public var rawValue: String

        /// Creates a code.
        ///
        /// - Parameter rawValue: The label, in snake case.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The text is not valid XML or JSON.
        public static let syntax = Code(rawValue: "device_syntax")
        /// A required member is missing.
        public static let missing = Code(rawValue: "device_missing")
        /// A value has the wrong type.
        public static let wrongType = Code(rawValue: "device_wrong_type")
        /// The platform is unknown.
        public static let unknownPlatform = Code(rawValue: "device_unknown_platform")
        /// A token, ID or URI is invalid for its platform.
        public static let invalidChannel = Code(rawValue: "device_invalid_channel")
        /// A tag is invalid, or a tag set by the hub is repeated.
        public static let invalidTag = Code(rawValue: "device_invalid_tag")
        /// There are more tags than ``RegistrationDescription/maximumTags``.
        public static let tooManyTags = Code(rawValue: "device_too_many_tags")
        /// The tags have more bytes than ``RegistrationDescription/maximumTagBytes``.
        public static let tagsTooLarge = Code(rawValue: "device_tags_too_large")
        /// The ID of an installation or user contains an invalid character, or two IDs differ.
        public static let invalidID = Code(rawValue: "device_invalid_id")
        /// The request sets the expiration, which only the hub may set.
        public static let expiration = Code(rawValue: "device_expiration")
        /// A template has an invalid name or invalid headers.
        public static let invalidTemplate = Code(rawValue: "device_invalid_template")
        /// A change refers to an unknown path or operation.
        public static let invalidPatch = Code(rawValue: "device_invalid_patch")
        /// A list's filter is not supported.
        public static let invalidFilter = Code(rawValue: "device_invalid_filter")
    }

    /// The kind of the error.
    public let code: Code
    /// The text of the 400 response; the service's own text if known.
    public let message: String
    /// The position: an element's name in XML, a JSON Pointer (RFC 6901) in JSON; empty for the whole text.
    public let path: String

    package init(_ code: Code, _ message: String, at path: String = "") {
        self.code = code
        self.message = message
        self.path = path
    }

    /// The message with path and code.
    public var description: String { "\(message)\(path.isEmpty ? "" : " (in \(path))") [\(code.rawValue)]" }
}
