import NotificationHubsCore
import StrictJSON

extension TemplateBody {
    /// The SDK's message for a body that cannot be decoded.
    private static let unreadable = "Failed to deserialize the body template."

    /// Decodes a JSON body.
    ///
    /// - Parameters:
    ///   - text: The template's body.
    ///   - platform: The platform, for warnings only.
    ///   - fields: The reader of the template's fields.
    /// - Throws: ``TemplateError`` if the body is not a JSON object, and for the first invalid field.
    init(
        json text: String,
        platform: PushPlatform,
        fields: inout TemplateFieldReader
    ) throws(TemplateError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(text)
        } catch {
            throw TemplateError(.invalidBody, "\(Self.unreadable) \(error)", path: "/body", offset: error.offset)
        }
        guard value.object != nil else {
            throw TemplateError(.invalidBody, "\(Self.unreadable) It is not a JSON object", path: "/body")
        }
        try append(value, at: "/body", fields: &fields)
        guard platform == .fcmv1 else { return }
        for fault in FirebaseMessage.faults(in: value, isTemplate: true) { fields.warn(fault, at: "/body") }
    }

    private mutating func append(
        _ value: JSONValue,
        at path: String,
        fields: inout TemplateFieldReader
    ) throws(TemplateError) {
        switch value {
        case .null: append("null")
        case .bool(let value): append(value ? "true" : "false")
        case .number(let number): append(number.text)
        case .string(let text):
            let expression = try fields.expression(text, at: path)
            if expression.isLiteral { append(string: text) } else { append(.json(expression)) }
        case .array(let elements):
            append("[")
            for (index, element) in elements.enumerated() {
                if index > 0 { append(",") }
                try append(element, at: TemplateFieldReader.place(path, String(index)), fields: &fields)
            }
            append("]")
        case .object(let members):
            append("{")
            for (index, member) in members.enumerated() {
                if index > 0 { append(",") }
                let memberPath = TemplateFieldReader.place(path, JSONPointer.escaped(member.name))
                // The SDK decodes such a name as an expression; the hub's handling is not documented.
                if TemplateExpressionParser.isExpression(member.name) {
                    throw TemplateError(
                        .expressionInName,
                        "a name in the body must not begin with $ . % # or {",
                        path: memberPath
                    )
                }
                append(string: member.name)
                append(":")
                try append(member.value, at: memberPath, fields: &fields)
            }
            append("}")
        }
    }

    private mutating func append(string: String) {
        var bytes: [UInt8] = []
        JSONWriter.appendString(string, to: &bytes)
        append(bytes)
    }
}
