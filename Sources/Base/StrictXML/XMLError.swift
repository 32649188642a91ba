/// The reason why ``XMLReader`` refuses a text.
public struct XMLError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of error.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The short label for metrics.
        public var rawValue: String

        /// Creates a code.
        ///
        /// - Parameter rawValue: A short label in snake case.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The text is empty or contains only white space.
        public static let empty = Code(rawValue: "xml_empty")
        /// The text violates the grammar, or is not UTF-8.
        public static let syntax = Code(rawValue: "xml_syntax")
        /// Elements are nested deeper than the caller allows.
        public static let tooDeep = Code(rawValue: "xml_too_deep")
        /// The document has a document type declaration, which is refused; custom entities are not supported.
        public static let documentType = Code(rawValue: "xml_document_type")
    }

    /// The kind of error.
    public let code: Code
    /// A description of the error.
    public let message: String
    /// The line, from one.
    public let line: Int
    /// The column in bytes, from one.
    public let column: Int

    init(_ code: Code, _ message: String, line: Int, column: Int) {
        self.code = code
        self.message = message
        self.line = line
        self.column = column
    }

    /// The message with position and code.
    public var description: String { "\(message) (line \(line), column \(column)) [\(code.rawValue)]" }
}
