/// Why a text is no connection string. Names the part, never shows a value.
public struct HubConnectionStringError: Error, Sendable, Equatable, CustomStringConvertible {
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

        /// A part is not of the form `Name=Value`.
        public static let syntax = Code(rawValue: "connection_string_syntax")
        /// A part that is needed is not there or has no value.
        public static let missing = Code(rawValue: "connection_string_missing_part")
        /// A part stands twice.
        public static let duplicate = Code(rawValue: "connection_string_duplicate_part")
        /// A part's value cannot be used.
        public static let invalid = Code(rawValue: "connection_string_invalid_part")
    }

    /// What is wrong.
    public let code: Code
    /// The name of the part, such as `Endpoint`, or `part 3`.
    public let part: String
    /// What is wrong and what belongs there.
    public let message: String

    init(_ code: Code, part: String, _ message: String) {
        self.code = code
        self.part = part
        self.message = message
    }

    static func invalid(_ part: String, _ problem: String) -> HubConnectionStringError {
        HubConnectionStringError(.invalid, part: part, "\(part) of the connection string \(problem)")
    }

    /// The message with the label.
    public var description: String { "\(message) [\(code.rawValue)]" }
}
