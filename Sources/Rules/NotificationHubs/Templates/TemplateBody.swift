import NewsflashStrictJSON
import NewsflashStrictXML
import NotificationHubsCore

/// A prepared template body: constant bytes, with the values of a message between them.
///
/// The constant bytes are encoded from the decoded body, and each value is escaped for its position. Therefore the result is
/// always JSON or XML of the same structure, whatever a message contains.
struct TemplateBody: Sendable {
    /// A part of the body.
    enum Piece: Sendable {
        /// Constant bytes.
        case bytes([UInt8])
        /// A JSON string; a number if the expression is `#( )` and its value is a number.
        case json(TemplateExpression)
        /// Text between XML tags.
        case text(TemplateExpression)
        /// The value of an XML attribute.
        case attribute(TemplateExpression)
    }

    /// The parts of the body; two ``Piece/bytes(_:)`` are never adjacent.
    private(set) var pieces: [Piece] = []
    /// The initial capacity for the result, in bytes.
    private var expectedCount = 0

    mutating func append(_ text: String) { append(text.utf8) }

    mutating func append(_ bytes: some Collection<UInt8>) {
        expectedCount += bytes.count
        if case .bytes(var before)? = pieces.last {
            // Removed first, so that the array is not copied.
            pieces.removeLast()
            before.append(contentsOf: bytes)
            pieces.append(.bytes(before))
        } else {
            pieces.append(.bytes(Array(bytes)))
        }
    }

    mutating func append(_ piece: Piece) {
        expectedCount += 128
        pieces.append(piece)
    }

    /// Renders the body.
    ///
    /// - Parameters:
    ///   - values: The values of the message and the device.
    ///   - maximumBytes: The size at which the body is cut off.
    /// - Returns: The body, and whether it is complete.
    func render(_ values: TemplateValues, maximumBytes: Int) -> (bytes: [UInt8], isWhole: Bool) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(expectedCount, maximumBytes))
        for piece in pieces {
            switch piece {
            case .bytes(let constant): bytes.append(contentsOf: constant)
            case .text(let expression):
                XMLWriter.appendText(expression.text(values, maximumBytes: maximumBytes), to: &bytes)
            case .attribute(let expression):
                XMLWriter.appendAttributeValue(expression.text(values, maximumBytes: maximumBytes), to: &bytes)
            case .json(let expression):
                let text = expression.text(values, maximumBytes: maximumBytes)
                if expression.isNumeric, text.isTemplateNumber {
                    bytes.append(contentsOf: text.utf8)
                } else {
                    JSONWriter.appendString(text, to: &bytes)
                }
            }
            guard bytes.count <= maximumBytes else { return (Array(bytes.prefix(maximumBytes)), false) }
        }
        return (bytes, true)
    }
}

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

extension TemplateBody {
    /// Prepares an XML body. Values of attributes and the text of elements without child elements may be expressions.
    ///
    /// - Parameters:
    ///   - root: The root element of the template's body.
    ///   - fields: The reader of the template's fields.
    /// - Throws: ``TemplateError`` for the first invalid field.
    init(xml root: XMLElement, fields: inout TemplateFieldReader) throws(TemplateError) {
        try append(root, at: "/body/\(root.name)", fields: &fields)
    }

    private mutating func append(
        _ element: XMLElement,
        at path: String,
        fields: inout TemplateFieldReader
    ) throws(TemplateError) {
        append("<\(element.name)")
        for attribute in element.attributes {
            append(" \(attribute.name)=\"")
            let place = TemplateFieldReader.place(path, "@\(attribute.name)")
            let expression = try fields.expression(attribute.value, at: place)
            if expression.isLiteral {
                append(attribute: attribute.value)
            } else {
                append(.attribute(expression))
            }
            append("\"")
        }
        guard !element.children.isEmpty else { return append("/>") }
        append(">")
        if element.elements.isEmpty {
            let expression = try fields.expression(element.text, at: path)
            if expression.isLiteral { append(text: element.text) } else { append(.text(expression)) }
        } else {
            try append(element.children, at: path, fields: &fields)
        }
        append("</\(element.name)>")
    }

    private mutating func append(
        _ children: [XMLNode],
        at path: String,
        fields: inout TemplateFieldReader
    ) throws(TemplateError) {
        var counts: [String: Int] = [:]
        for child in children {
            switch child {
            case .text(let text): append(text: text)
            case .element(let element):
                let count = counts[element.name, default: 0] + 1
                counts[element.name] = count
                let step = count == 1 ? element.name : "\(element.name)[\(count)]"
                try append(element, at: TemplateFieldReader.place(path, step), fields: &fields)
            }
        }
    }

    private mutating func append(text: String) {
        var bytes: [UInt8] = []
        XMLWriter.appendText(text, to: &bytes)
        append(bytes)
    }

    private mutating func append(attribute value: String) {
        var bytes: [UInt8] = []
        XMLWriter.appendAttributeValue(value, to: &bytes)
        append(bytes)
    }
}
