package import StrictJSON

/// A device's own values for templates: a JSON object of strings.
package enum PushVariables {
    /// Decodes push variables.
    ///
    /// - Parameters:
    ///   - value: An object; numbers and booleans are kept as their text.
    ///   - path: The position in the document, for errors.
    /// - Returns: The variables, in the order of the object.
    /// - Throws: ``DeviceError`` if a value has another type.
    package static func read(_ value: JSONValue, at path: String) throws(DeviceError) -> [NamedValue] {
        guard let members = value.object else {
            throw DeviceError(.wrongType, "The push variables are not a JSON object.", at: path)
        }
        var variables: [NamedValue] = []
        for member in members {
            let text: String
            switch member.value {
            case .string(let value): text = value
            case .number(let value): text = value.text
            case .bool(let value): text = value ? "true" : "false"
            case .null, .array, .object:
                throw DeviceError(.wrongType, "The value of a push variable is not a string.", at: path)
            }
            variables.append(NamedValue(member.name, text))
        }
        return variables
    }
}

extension JSONWriter {
    /// Encodes an object of strings.
    mutating func object(_ members: [NamedValue]) {
        beginObject()
        for member in members {
            name(member.name)
            value(member.value)
        }
        endObject()
    }
}
