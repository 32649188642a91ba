/// Why bytes are no JSON text.
///
/// Says where, never what stood there: the text may be news under embargo.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What went wrong, closed enough to decide on, open enough to grow.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The short label for metrics.
        public var rawValue: String

        /// Makes a code.
        ///
        /// - Parameter rawValue: A short label in snake case.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is no byte, or nothing but white space.
        public static let empty = Code(rawValue: "empty")
        /// The bytes are not UTF-8.
        public static let invalidUTF8 = Code(rawValue: "invalid_utf8")
        /// The grammar of RFC 8259 is broken, or a surrogate stands alone.
        public static let syntax = Code(rawValue: "syntax")
        /// An object has a name twice.
        public static let duplicateMember = Code(rawValue: "duplicate_member")
        /// More arrays and objects lie in each other than allowed.
        public static let tooDeep = Code(rawValue: "too_deep")
        /// Something follows the first value.
        public static let trailingData = Code(rawValue: "trailing_data")
    }

    /// What went wrong.
    public var code: Code
    /// The byte where it was seen, counted from 0.
    public var offset: Int
    /// The value that was being read, as a JSON Pointer (RFC 6901); empty for the whole text.
    ///
    /// Its names are those of the text, of any length and content: bound it before you show it.
    public var path: String
    /// For a person; quotes nothing of the text.
    public var message: String

    init(_ code: Code, at offset: Int, _ message: String, path: String = "") {
        self.code = code
        self.offset = offset
        self.path = path
        self.message = message
    }

    /// The message with its place and label.
    public var description: String {
        "\(message) at byte \(offset)\(path.isEmpty ? "" : " in \(path)") [\(code.rawValue)]"
    }

    /// The same fault seen from the array or object around it.
    func inside(_ step: String) -> JSONError {
        JSONError(code, at: offset, message, path: "/" + JSONPointer.escaped(step) + path)
    }
}

/// The text form of a place in a JSON text (RFC 6901).
public enum JSONPointer {
    /// One step of a pointer, with `~` and `/` escaped.
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
