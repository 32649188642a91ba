import ASCII
import StrictJSON

/// A JSON value and its place, to tell where something is wrong.
struct PlacedJSON {
    let value: JSONValue
    /// A JSON Pointer (RFC 6901).
    let path: String

    init(_ value: JSONValue, at path: String = "") {
        self.value = value
        self.path = path
    }

    /// A member that is there and not null, by its name without regard to case.
    subscript(name: String) -> PlacedJSON? {
        let member =
            value.object?.first { $0.name == name } ?? value.object?.first { $0.name.isEqualIgnoringCase(name) }
        guard let member, !member.value.isNull else { return nil }
        return PlacedJSON(member.value, at: "\(path)/\(JSONPointer.escaped(name))")
    }

    /// The members, each with its own place.
    func members(_ what: String) throws(DeviceError) -> [(name: String, value: PlacedJSON)] {
        guard let members = value.object else { throw wrongType(what, "a JSON object") }
        return members.map { ($0.name, PlacedJSON($0.value, at: "\(path)/\(JSONPointer.escaped($0.name))")) }
    }

    func string(_ what: String) throws(DeviceError) -> String {
        guard let text = value.string else { throw wrongType(what, "a string") }
        return text
    }

    func wrongType(_ what: String, _ wanted: String) -> DeviceError {
        DeviceError(.wrongType, "\(what) has to be \(wanted).", at: path)
    }

    /// What a text holds where it is JSON: SDKs send structures as the text of their JSON.
    var unwrapped: PlacedJSON {
        guard let text = value.string, let value = try? JSONReader.read(text), value.object != nil || value.array != nil
        else { return self }
        return PlacedJSON(value, at: path)
    }
}

extension String {
    /// Whether two texts differ at most in the case of ASCII letters.
    func isEqualIgnoringCase(_ other: String) -> Bool {
        utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
    }
}
