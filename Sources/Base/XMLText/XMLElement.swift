/// An element of an XML document as written: names keep their prefixes, namespace declarations are attributes.
///
/// Nothing is resolved, so that a parsed document is written unchanged. For vocabularies with namespaces compare
/// ``localName``.
public struct XMLElement: Sendable, Equatable {
    /// The name with its prefix, if any.
    public var name: String
    /// The attributes in document order.
    public var attributes: [XMLAttribute]
    /// Elements and text in document order.
    public var children: [XMLNode]

    /// Creates an element.
    ///
    /// - Parameters:
    ///   - name: The name with its prefix.
    ///   - attributes: The attributes in order.
    ///   - children: The children in order.
    public init(_ name: String, attributes: [XMLAttribute] = [], children: [XMLNode] = []) {
        self.name = name
        self.attributes = attributes
        self.children = children
    }

    /// The name without its prefix.
    public var localName: Substring { name.withoutPrefix }

    /// The elements among the children.
    public var elements: [XMLElement] {
        children.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// The joined text of the direct children, without the text of nested elements.
    public var text: String {
        children.reduce(into: "") { text, child in
            if case .text(let part) = child { text += part }
        }
    }

    /// Returns the first child element of a name.
    ///
    /// - Parameter localName: The name without prefix.
    /// - Returns: `nil` if no such element exists.
    public func first(_ localName: String) -> XMLElement? {
        for child in children {
            if case .element(let element) = child, element.localName == localName { return element }
        }
        return nil
    }

    /// Returns the value of an attribute.
    ///
    /// - Parameter localName: The name without prefix.
    /// - Returns: `nil` if no such attribute exists.
    public func attribute(_ localName: String) -> String? {
        attributes.first { $0.name.withoutPrefix == localName }?.value
    }
}

/// A child of an element.
public enum XMLNode: Sendable, Equatable {
    /// An element.
    case element(XMLElement)
    /// Text without escapes, also from a CDATA section. Never empty if parsed by ``XMLReader``.
    case text(String)
}

/// An attribute of an element.
public struct XMLAttribute: Sendable, Equatable {
    /// The name with its prefix.
    public var name: String
    /// The value without escapes.
    public var value: String

    /// Creates an attribute.
    ///
    /// - Parameters:
    ///   - name: The name with its prefix.
    ///   - value: The value without escapes.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension String {
    /// The part after the first colon; the whole string if it has no colon.
    fileprivate var withoutPrefix: Substring {
        guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")) else { return self[...] }
        return self[utf8.index(after: colon)...]
    }
}
