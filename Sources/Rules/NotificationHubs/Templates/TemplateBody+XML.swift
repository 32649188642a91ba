import StrictXML

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
