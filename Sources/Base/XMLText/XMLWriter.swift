/// Writes XML text without white space between elements and without a declaration.
///
/// That what is begun is ended is the caller's part. Characters that XML 1.0 does not know (section 2.2) become U+FFFD.
public struct XMLWriter: Sendable {
    /// What was written so far, in UTF-8.
    public private(set) var bytes: [UInt8] = []

    /// Makes an empty text.
    ///
    /// - Parameter capacity: Bytes to make room for at once.
    public init(reservingCapacity capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Opens an element.
    ///
    /// - Parameters:
    ///   - name: With its prefix; written as it is.
    ///   - attributes: Names and values; values are escaped.
    public mutating func begin(_ name: String, _ attributes: (name: String, value: String)...) {
        openTag(name, attributes)
        raw(">")
    }

    /// Closes an element.
    ///
    /// - Parameter name: The same as in its beginning.
    public mutating func end(_ name: String) {
        raw("</")
        raw(name)
        raw(">")
    }

    /// Writes an element without content, such as `<Expiry i:nil="true"/>`.
    ///
    /// - Parameters:
    ///   - name: With its prefix.
    ///   - attributes: Names and values; values are escaped.
    public mutating func empty(_ name: String, _ attributes: (name: String, value: String)...) {
        openTag(name, attributes)
        raw("/>")
    }

    /// Writes an element that holds only text.
    ///
    /// - Parameters:
    ///   - name: With its prefix.
    ///   - text: Escaped here.
    public mutating func element(_ name: String, _ text: String) {
        begin(name)
        self.text(text)
        end(name)
    }

    /// Writes text.
    ///
    /// - Parameter text: Escaped here.
    public mutating func text(_ text: String) {
        Self.appendText(text, to: &bytes)
    }

    /// Writes text as CDATA sections; a `]]>` in it is split over two of them.
    ///
    /// - Parameter text: Without escapes.
    public mutating func cdata(_ text: String) {
        raw("<![CDATA[")
        var brackets = 0
        for scalar in text.unicodeScalars {
            if scalar == ">", brackets >= 2 { raw("]]><![CDATA[") }
            brackets = scalar == "]" ? brackets + 1 : 0
            append(scalar.isXMLCharacter ? scalar : "\u{FFFD}")
        }
        raw("]]>")
    }

    /// Writes an element with all that is in it.
    ///
    /// - Parameter element: Names are written as they are.
    public mutating func element(_ element: XMLElement) {
        openTag(element.name, element.attributes.map { ($0.name, $0.value) })
        guard !element.children.isEmpty else { return raw("/>") }
        raw(">")
        for child in element.children {
            switch child {
            case .element(let child): self.element(child)
            case .text(let text): self.text(text)
            }
        }
        end(element.name)
    }

    private mutating func openTag(_ name: String, _ attributes: [(name: String, value: String)]) {
        raw("<")
        raw(name)
        for attribute in attributes {
            raw(" ")
            raw(attribute.name)
            raw("=\"")
            Self.appendAttributeValue(attribute.value, to: &bytes)
            raw("\"")
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        bytes.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
    }

    private mutating func raw(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }
}

extension Unicode.Scalar {
    /// XML 1.0, section 2.2, production `Char`.
    fileprivate var isXMLCharacter: Bool {
        switch value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
