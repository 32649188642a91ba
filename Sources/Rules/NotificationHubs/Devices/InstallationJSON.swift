import StrictJSON

/// Installations in the JSON of the hub's REST interface
/// (https://learn.microsoft.com/rest/api/notificationhubs/create-overwrite-installation).
public enum InstallationJSON {
    /// Reads an installation from the body of a request.
    ///
    /// What only the hub may set (`pushChannelExpired`, `expirationTime`, `lastUpdate`, …) is not looked at, so that
    /// clients can send back what they read. Names of members are compared without case, as the service's own reader does.
    ///
    /// - Parameters:
    ///   - body: A JSON object.
    ///   - id: The id of the request's address; it is kept as it stands there.
    /// - Returns: The installation, checked, but for its templates' expressions.
    /// - Throws: ``DeviceError`` with the text of the answer.
    public static func read(_ body: [UInt8], id: String) throws(DeviceError) -> Installation {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(body)
        } catch {
            throw DeviceError(.syntax, "The request body is not valid JSON: \(error.message).", at: error.path)
        }
        guard value.object != nil else { throw DeviceError(.wrongType, "The installation is no JSON object.") }
        return try InstallationReader(PlacedJSON(value)).installation(id: id)
    }

    /// Writes an installation as the hub shows it: members in the order of recorded answers, and each template's name
    /// among its tags.
    ///
    /// - Parameter installation: What the hub keeps.
    /// - Returns: A JSON object without white space.
    public static func write(_ installation: Installation) -> [UInt8] {
        InstallationWriter().write(installation)
    }
}

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
}

extension String {
    /// Whether two texts differ at most in the case of ASCII letters.
    func isEqualIgnoringCase(_ other: String) -> Bool {
        utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
    }
}
