/// An invalid connection string. The error names the part, but not its value.
public struct HubConnectionStringError: Error, Sendable, Equatable, CustomStringConvertible {
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

        /// A part is not of the form `Name=Value`.
        public static let syntax = Code(rawValue: "connection_string_syntax")
        /// A required part is missing or empty.
        public static let missing = Code(rawValue: "connection_string_missing_part")
        /// A part occurs twice.
        public static let duplicate = Code(rawValue: "connection_string_duplicate_part")
        /// A part has an invalid value.
        public static let invalid = Code(rawValue: "connection_string_invalid_part")
    }

    /// The kind of the error.
    public let code: Code
    /// The name of the part, for example `Endpoint` or `part 3`.
    public let part: String
    /// The fault and the expected form.
    public let message: String

    init(_ code: Code, part: String, _ message: String) {
        self.code = code
        self.part = part
        self.message = message
    }

    static func invalid(_ part: String, _ problem: String) -> HubConnectionStringError {
        HubConnectionStringError(.invalid, part: part, "\(part) of the connection string \(problem)")
    }

    /// The message, followed by the code.
    public var description: String { "\(message) [\(code.rawValue)]" }
}
