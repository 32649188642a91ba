/// An element of an XML document as it was written: names keep their prefixes, declarations of namespaces are attributes.
///
/// Nothing is resolved, so that what was read is written again the same. Whoever reads a vocabulary with namespaces
/// compares ``localName``.
public struct XMLElement: Sendable, Equatable {
    /// The name with its prefix, where it has one.
    public var name: String
    /// In the order of the document.
    public var attributes: [XMLAttribute]
    /// Elements and text in the order of the document.
    public var children: [XMLNode]

    /// Makes an element.
    ///
    /// - Parameters:
    ///   - name: With its prefix.
    ///   - attributes: In order.
    ///   - children: In order.
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

    /// The text of the children that are text, joined; that of elements below is not in it.
    public var text: String {
        children.reduce(into: "") { text, child in
            if case .text(let part) = child { text += part }
        }
    }

    /// The first child element of a name.
    ///
    /// - Parameter localName: Without prefix.
    /// - Returns: Nothing where there is none.
    public func first(_ localName: String) -> XMLElement? {
        for child in children {
            if case .element(let element) = child, element.localName == localName { return element }
        }
        return nil
    }

    /// The value of an attribute.
    ///
    /// - Parameter localName: Without prefix.
    /// - Returns: Nothing where there is none.
    public func attribute(_ localName: String) -> String? {
        attributes.first { $0.name.withoutPrefix == localName }?.value
    }
}

/// What stands inside an element.
public enum XMLNode: Sendable, Equatable {
    /// An element.
    case element(XMLElement)
    /// Text without escapes; that of a CDATA section too. Never empty in what ``XMLReader`` gives.
    case text(String)
}

/// A name and value in an element's tag.
public struct XMLAttribute: Sendable, Equatable {
    /// The name with its prefix.
    public var name: String
    /// The value without escapes.
    public var value: String

    /// Makes an attribute.
    ///
    /// - Parameters:
    ///   - name: With its prefix.
    ///   - value: Without escapes.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension String {
    /// What follows the first colon; all of it where there is none.
    fileprivate var withoutPrefix: Substring {
        guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")) else { return self[...] }
        return self[utf8.index(after: colon)...]
    }
}
