/// The reason why bytes are not valid JSON.
///
/// Contains the position, never the content: the text may be news under embargo.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of error; more kinds may be added.
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
        public static let empty = Code(rawValue: "empty")
        /// The bytes are not UTF-8.
        public static let invalidUTF8 = Code(rawValue: "invalid_utf8")
        /// The text violates the grammar of RFC 8259, or contains an unpaired surrogate.
        public static let syntax = Code(rawValue: "syntax")
        /// An object contains a name twice.
        public static let duplicateMember = Code(rawValue: "duplicate_member")
        /// Arrays and objects are nested deeper than allowed.
        public static let tooDeep = Code(rawValue: "too_deep")
        /// More data follows the first value.
        public static let trailingData = Code(rawValue: "trailing_data")
    }

    /// The kind of error.
    public var code: Code
    /// The index of the byte at which the error was detected, from 0.
    public var offset: Int
    /// The value that contains the error, as a JSON Pointer (RFC 6901); empty for the whole text.
    ///
    /// Its names come from the text and may have any length and content: limit it before you show it.
    public var path: String
    /// A text for people; does not quote the input.
    public var message: String

    init(_ code: Code, at offset: Int, _ message: String, path: String = "") {
        self.code = code
        self.offset = offset
        self.path = path
        self.message = message
    }

    /// The message with position and code.
    public var description: String {
        "\(message) at byte \(offset)\(path.isEmpty ? "" : " in \(path)") [\(code.rawValue)]"
    }

    /// Returns the same error with a path that begins one level further out.
    func inside(_ step: String) -> JSONError {
        JSONError(code, at: offset, message, path: "/" + JSONPointer.escaped(step) + path)
    }
}

/// JSON Pointer, the text form of a position in a JSON document (RFC 6901).
public enum JSONPointer {
    /// Returns one step of a pointer, with `~` and `/` escaped.
    ///
    /// - Parameter step: A member's name or an element's index.
    /// - Returns: The step without the slash before it.
    public static func escaped(_ step: String) -> String {
        guard step.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return step }
        var result = ""
        for scalar in step.unicodeScalars {
            switch scalar {
            case "~": result += "~0"
            case "/": result += "~1"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
