/// Why a text is no XML document that ``XMLReader`` takes.
public struct XMLError: Error, Sendable, Equatable, CustomStringConvertible {
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

        /// There is nothing but white space.
        public static let empty = Code(rawValue: "xml_empty")
        /// The text breaks the grammar, or is not UTF-8.
        public static let syntax = Code(rawValue: "xml_syntax")
        /// Elements nest deeper than the caller allows.
        public static let tooDeep = Code(rawValue: "xml_too_deep")
        /// There is a document type declaration; entities of one's own are not read.
        public static let documentType = Code(rawValue: "xml_document_type")
    }

    /// What is wrong.
    public let code: Code
    /// What is wrong, in words.
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

    /// The message with the place and the label.
    public var description: String { "\(message) (line \(line), column \(column)) [\(code.rawValue)]" }
}
