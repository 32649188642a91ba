import ASCII
import StrictJSON

/// A JSON value and its position, for error messages.
struct PlacedJSON {
    let value: JSONValue
    /// The position: a JSON Pointer (RFC 6901).
    let path: String

    init(_ value: JSONValue, at path: String = "") {
        self.value = value
        self.path = path
    }

    /// The member with this name, ignoring case; `nil` if it is absent or null.
    subscript(name: String) -> PlacedJSON? {
        let member =
            value.object?.first { $0.name == name } ?? value.object?.first { $0.name.isEqualIgnoringCase(name) }
        guard let member, !member.value.isNull else { return nil }
        return PlacedJSON(member.value, at: "\(path)/\(JSONPointer.escaped(name))")
    }

    /// The members, each with its position.
    func members(_ what: String) throws(DeviceError) -> [(name: String, value: PlacedJSON)] {
        guard let members = value.object else { throw wrongType(what, "a JSON object") }
        return members.map { ($0.name, PlacedJSON($0.value, at: "\(path)/\(JSONPointer.escaped($0.name))")) }
    }

    func string(_ what: String) throws(DeviceError) -> String {
        guard let text = value.string else { throw wrongType(what, "a string") }
        return text
    }

    func wrongType(_ what: String, _ wanted: String) -> DeviceError {
        DeviceError(.wrongType, "\(what) must be \(wanted).", at: path)
    }

    /// The value that a string contains as JSON, otherwise the value itself: SDKs send structured values as strings of JSON.
    var unwrapped: PlacedJSON {
        guard let text = value.string, let value = try? JSONReader.read(text), value.object != nil || value.array != nil
        else { return self }
        return PlacedJSON(value, at: path)
    }
}

extension String {
    /// Whether two texts are equal except for ASCII case.
    func isEqualIgnoringCase(_ other: String) -> Bool {
        utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
    }
}
