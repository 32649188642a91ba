import ASCII
import StrictJSON

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
    /// The text of a string or number.
    var word: String? { string ?? number?.text }

    /// The elements of the first of some members that is there: of an array in order, of an object its values.
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

    /// The media type of a part or rendition, in small letters and without parameters such as `charset`.
    var mediaType: String? {
        for name in ["contentType", "contenttype", "mimetype", "mimeType"] {
            guard let type = self[member: name]?.string, !type.isEmpty else { continue }
            return String(type.lowercasedASCII.prefix { $0 != ";" && $0 != " " })
        }
        return nil
    }
}

extension JSONValue {
    /// The type, for a message.
    var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "a truth value"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
