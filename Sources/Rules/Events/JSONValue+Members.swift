import NewsflashBasics
import NewsflashStrictJSON

extension JSONValue {
    /// Returns the value of a member; `nil` if it is missing or null.
    func present(_ name: String) -> JSONValue? {
        guard let value = self[member: name], !value.isNull else { return nil }
        return value
    }

    /// Returns the same object with the members that it lacks; a value that is not an object stays as it is.
    func completed(with others: [JSONMember]) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members + others.filter { self[member: $0.name] == nil })
    }
}

extension JSONValue {
    /// Returns the value of a member; `nil` if it is missing or null. If no member has the name, the first one that differs
    /// only in case counts.
    func present(anyCase name: String) -> JSONValue? {
        if let value = present(name) { return value }
        let wanted = name.lowercasedASCII
        return object?.first { member in
            member.name.utf8.count == wanted.utf8.count && !member.value.isNull && member.name.lowercasedASCII == wanted
        }?.value
    }

    /// Whether it contains a date, a time of day or a number of seconds since 1970, judged by its look.
    var mentionsTime: Bool { mentionsTime(depth: 0) }

    private func mentionsTime(depth: Int) -> Bool {
        guard depth < 3 else { return true }
        switch self {
        case .null, .bool: return false
        case .number(let number): return number.double >= 100_000_000
        case .string(let text): return text.mentionsTime
        case .array(let elements): return elements.contains { $0.mentionsTime(depth: depth + 1) }
        case .object(let members): return members.contains { $0.value.mentionsTime(depth: depth + 1) }
        }
    }
}

extension String {
    /// Whether it contains two digits, one of `:`, `.`, `-`, `/` and `h`, and a digit in sequence, or eight digits.
    fileprivate var mentionsTime: Bool {
        var digits = 0
        var isBehindMark = false
        for byte in utf8 {
            if byte.isDigit {
                if isBehindMark { return true }
                digits += 1
                if digits == 8 { return true }
            } else {
                isBehindMark = digits >= 2 && ":.-/h".utf8.contains(byte)
                digits = 0
            }
        }
        return false
    }
}

extension JSONValue {
    /// The text of a string or number.
    var word: String? { string ?? number?.text }

    /// The elements of the first of the given members that is an array or an object; of an object, its values.
    func elements(_ names: String...) -> [JSONValue] {
        for name in names {
            switch self[member: name] {
            case .array(let elements): return elements
            case .object(let members): return members.map(\.value)
            default: continue
            }
        }
        return []
    }

    /// The media type of a part or rendition, in lower case and without parameters such as `charset`.
    var mediaType: String? {
        for name in ["contentType", "contenttype", "mimetype", "mimeType"] {
            guard let type = self[member: name]?.string, !type.isEmpty else { continue }
            return String(type.lowercasedASCII.prefix { $0 != ";" && $0 != " " })
        }
        return nil
    }
}

extension JSONValue {
    /// The name of the type, for a message.
    var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
