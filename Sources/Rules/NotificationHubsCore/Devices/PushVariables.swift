package import StrictJSON

/// Values of a device's own for templates: a JSON object of strings.
package enum PushVariables {
    /// Reads variables.
    ///
    /// - Parameters:
    ///   - value: An object; numbers and truth values are taken by their spelling.
    ///   - path: Where it stands.
    /// - Returns: In the order of the object.
    /// - Throws: For another type.
    package static func read(_ value: JSONValue, at path: String) throws(DeviceError) -> [NamedValue] {
        guard let members = value.object else {
            throw DeviceError(.wrongType, "The push variables are no JSON object.", at: path)
        }
        var variables: [NamedValue] = []
        for member in members {
            let text: String
            switch member.value {
            case .string(let value): text = value
            case .number(let value): text = value.text
            case .bool(let value): text = value ? "true" : "false"
            case .null, .array, .object:
                throw DeviceError(.wrongType, "The value of a push variable is no string.", at: path)
            }
            variables.append(NamedValue(member.name, text))
        }
        return variables
    }
}

extension JSONWriter {
    /// Writes an object of strings.
    mutating func object(_ members: [NamedValue]) {
        beginObject()
        for member in members {
            name(member.name)
            value(member.value)
        }
        endObject()
    }
}
