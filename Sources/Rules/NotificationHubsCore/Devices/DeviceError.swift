/// Why the hub does not take a registration, an installation or a change to one. Never shows a handle or a body.
public struct DeviceError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The short label for metrics.
        public var rawValue: String

        /// Makes a code.
        ///
        /// - Parameter rawValue: A short label in snake case.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The text is no XML or JSON.
        public static let syntax = Code(rawValue: "device_syntax")
        /// Something has to be there and is not.
        public static let missing = Code(rawValue: "device_missing")
        /// A value is of another type than it has to be.
        public static let wrongType = Code(rawValue: "device_wrong_type")
        /// No platform is called that.
        public static let unknownPlatform = Code(rawValue: "device_unknown_platform")
        /// A token, id or URI cannot be one of its platform.
        public static let invalidChannel = Code(rawValue: "device_invalid_channel")
        /// A text is no tag, or a tag of the hub stands twice.
        public static let invalidTag = Code(rawValue: "device_invalid_tag")
        /// There are more tags than ``RegistrationDescription/maximumTags``.
        public static let tooManyTags = Code(rawValue: "device_too_many_tags")
        /// The tags have more bytes than ``RegistrationDescription/maximumTagBytes``.
        public static let tagsTooLarge = Code(rawValue: "device_tags_too_large")
        /// The id of an installation or user has a character that it must not have, or two ids differ.
        public static let invalidID = Code(rawValue: "device_invalid_id")
        /// The expiration is the hub's to set.
        public static let expiration = Code(rawValue: "device_expiration")
        /// A template's name or headers are not allowed.
        public static let invalidTemplate = Code(rawValue: "device_invalid_template")
        /// A change names a place or an operation that there is not.
        public static let invalidPatch = Code(rawValue: "device_invalid_patch")
        /// A filter of a list is not understood.
        public static let invalidFilter = Code(rawValue: "device_invalid_filter")
    }

    /// What is wrong.
    public let code: Code
    /// The text for the body of the answer 400; the service's own where it is known.
    public let message: String
    /// Where: an element's name in XML, a JSON Pointer (RFC 6901) in JSON; empty for the whole text.
    public let path: String

    package init(_ code: Code, _ message: String, at path: String = "") {
        self.code = code
        self.message = message
        self.path = path
    }

    /// The message with the place and the label.
    public var description: String { "\(message)\(path.isEmpty ? "" : " (in \(path))") [\(code.rawValue)]" }
}
