package import NewsflashStrictJSON
package import NewsflashTimestamps

/// A device's own values for templates: a JSON object of strings.
package enum PushVariables {
    /// Decodes push variables.
    ///
    /// - Parameters:
    ///   - value: An object; numbers and booleans are kept as their text.
    ///   - path: The position in the document, for errors.
    /// - Returns: The variables, in the order of the object.
    /// - Throws: ``HubValueError`` if a value has another type.
    package static func read(_ value: JSONValue, at path: String) throws(HubValueError) -> [NamedValue] {
        guard let members = value.object else {
            throw HubValueError(.deviceWrongType, "The push variables are not a JSON object.", at: path)
        }
        var variables: [NamedValue] = []
        for member in members {
            let text: String
            switch member.value {
            case .string(let value): text = value
            case .number(let value): text = value.text
            case .bool(let value): text = value ? "true" : "false"
            case .null, .array, .object:
                throw HubValueError(.deviceWrongType, "The value of a push variable is not a string.", at: path)
            }
            variables.append(NamedValue(member.name, text))
        }
        return variables
    }
}

extension PushVariables {
    /// Keeps the push variables of a response: a value that is not a string is kept as its JSON.
    package static func keep(_ value: JSONValue) -> [NamedValue] {
        (value.object ?? []).map { member in
            if let text = member.value.string { return NamedValue(member.name, text) }
            var writer = JSONWriter()
            writer.value(member.value)
            return NamedValue(member.name, String(decoding: writer.bytes, as: UTF8.self))
        }
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

/// A name and a value in an ordered list: a push variable, or a header of a template.
///
/// ```swift
/// let header = NamedValue("X-WNS-Type", "wns/toast")
/// ```
public struct NamedValue: Hashable, Sendable {
    /// The name, as given.
    public var name: String
    /// The value.
    public var value: String

    /// Creates a pair.
    ///
    /// - Parameters:
    ///   - name: The name, as it will be written.
    ///   - value: The value; may be empty.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// The expiration of a registration or installation, in the service's format.
package enum ExpirationText {
    /// Never, as observed in registrations.
    static let never = "9999-12-31T23:59:59.999Z"
    /// Never, as observed in installations and their registrations.
    static let neverOfInstallation = "9999-12-31T23:59:59.9999999Z"

    /// Whether a text means never: it is empty, or is on the last day of .NET's calendar with any fraction and zone.
    package static func isNever(_ text: String) -> Bool { text.isEmpty || text.hasPrefix("9999-12-31T") }

    /// Whether a text is a time, or means never.
    static func isReadable(_ text: String) -> Bool {
        do throws(HubValueError) {
            _ = try read(text, at: "")
            return true
        } catch {
            return false
        }
    }

    /// Decodes an expiration. Responses to writes have no time zone and mean UTC.
    ///
    /// - Parameters:
    ///   - text: The text; `nil` means never.
    ///   - path: The position in the document, for errors.
    /// - Returns: The expiration; `nil` means never.
    /// - Throws: ``HubValueError`` if the text is not a timestamp.
    package static func read(_ text: String?, at path: String) throws(HubValueError) -> Timestamp? {
        guard let text, !isNever(text) else { return nil }
        guard let expiration = Timestamp(rfc3339: text) ?? Timestamp(rfc3339: text + "Z") else {
            throw HubValueError(.deviceWrongType, "The expiration is not a timestamp.", at: path)
        }
        return expiration
    }
}
