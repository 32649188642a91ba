import NewsflashStrictJSON

/// JSON for people: a value is in one line if it fits, otherwise each member and element has its own line.
enum JSONLayout {
    private static let width = 120

    /// Returns the text of a value.
    static func text(_ value: JSONValue) -> String { text(value, indentation: 0, before: 0) }

    /// Lays out a value that begins in a line.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - indentation: The indentation of the line in which the value begins.
    ///   - before: The number of characters before the value in that line, after the indentation, and of the comma after it.
    /// - Returns: The text, whose further lines have an indentation.
    private static func text(_ value: JSONValue, indentation: Int, before: Int) -> String {
        let compact = compact(value)
        let margin = String(repeating: " ", count: indentation)
        let lines: [String]
        switch value {
        case _ where indentation + before + compact.count <= width: return compact
        case .object(let members):
            lines = members.map { member in
                let name = string(member.name) + ": "
                return name + text(member.value, indentation: indentation + 2, before: name.count + 1)
            }
            return "{\n" + lines.map { "\(margin)  \($0)" }.joined(separator: ",\n") + "\n\(margin)}"
        case .array(let elements):
            lines = elements.map { text($0, indentation: indentation + 2, before: 1) }
            return "[\n" + lines.map { "\(margin)  \($0)" }.joined(separator: ",\n") + "\n\(margin)]"
        case .null, .bool, .number, .string: return compact
        }
    }

    private static func compact(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .number(let number): number.description
        case .string(let text): string(text)
        case .array(let elements): "[" + elements.map(compact).joined(separator: ", ") + "]"
        case .object(let members):
            members.isEmpty
                ? "{}"
                : "{ " + members.map { "\(string($0.name)): \(compact($0.value))" }.joined(separator: ", ") + " }"
        }
    }

    private static func string(_ text: String) -> String {
        var bytes: [UInt8] = []
        JSONWriter.appendString(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
