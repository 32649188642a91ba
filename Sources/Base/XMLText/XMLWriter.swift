/// Writes XML without white space between elements and without a declaration.
///
/// The caller must end what it begins. Characters that XML 1.0 does not allow (section 2.2) become U+FFFD.
public struct XMLWriter: Sendable {
    /// The text written so far, in UTF-8.
    public private(set) var bytes: [UInt8] = []

    /// Creates an empty text.
    ///
    /// - Parameter capacity: The initial capacity in bytes.
    public init(reservingCapacity capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Begins an element.
    ///
    /// - Parameters:
    ///   - name: The name with its prefix; written unchanged.
    ///   - attributes: Names and values; values are escaped.
    public mutating func begin(_ name: String, _ attributes: (name: String, value: String)...) {
        openTag(name, attributes)
        raw(">")
    }

    /// Ends an element.
    ///
    /// - Parameter name: The name given at its beginning.
    public mutating func end(_ name: String) {
        raw("</")
        raw(name)
        raw(">")
    }

    /// Writes an element without content, such as `<Expiry i:nil="true"/>`.
    ///
    /// - Parameters:
    ///   - name: The name with its prefix.
    ///   - attributes: Names and values; values are escaped.
    public mutating func empty(_ name: String, _ attributes: (name: String, value: String)...) {
        openTag(name, attributes)
        raw("/>")
    }

    /// Writes an element that contains only text.
    ///
    /// - Parameters:
    ///   - name: The name with its prefix.
    ///   - text: The text, which is escaped.
    public mutating func element(_ name: String, _ text: String) {
        begin(name)
        self.text(text)
        end(name)
    }

    /// Writes text.
    ///
    /// - Parameter text: The text, which is escaped.
    public mutating func text(_ text: String) {
        Self.appendText(text, to: &bytes)
    }

    /// Writes text as CDATA sections; a `]]>` in it is split between two sections.
    ///
    /// - Parameter text: The text without escapes.
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

    /// Writes an element with all of its content.
    ///
    /// - Parameter element: The element; names are written unchanged.
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
    /// Whether the scalar is in the production `Char` of XML 1.0, section 2.2.
    fileprivate var isXMLCharacter: Bool {
        switch value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
