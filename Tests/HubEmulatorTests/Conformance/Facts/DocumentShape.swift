import NewsflashHTTPTransport
import NewsflashStrictJSON
import NewsflashStrictXML

/// The elements of a document in their order: `entry(id title content(…))`. A pattern has marks:
/// `Tags?` may be missing, `entry*` may occur any number of times, `{registration}` is any kind of registration.
struct DocumentShape: Equatable, Sendable, CustomStringConvertible {
    enum Count: String {
        case one = ""
        case optional = "?"
        case any = "*"
    }

    var name: String
    var count = Count.one
    var children: [DocumentShape] = []

    /// The shape of a body; `nil` if the body is empty, or neither XML nor a JSON object.
    init?(of body: [UInt8]) {
        guard !body.isEmpty else { return nil }
        if let members = (try? JSONReader.read(body))?.object {
            // The order of members has no meaning in JSON.
            self.init(name: "{}", children: members.map(\.name).sorted().map { DocumentShape(name: $0) })
        } else if let root = try? XMLReader.read(body) {
            self.init(of: root)
        } else {
            return nil
        }
    }

    init(of element: XMLElement) {
        self.init(name: String(element.localName), children: element.elements.map { DocumentShape(of: $0) })
    }

    init(name: String, count: Count = .one, children: [DocumentShape] = []) {
        self.name = name
        self.count = count
        self.children = children
    }

    /// Parses a shape or a pattern.
    init(_ text: String) {
        var rest = Substring(text)
        self = Self.read(&rest)
    }

    private static func read(_ rest: inout Substring) -> DocumentShape {
        let name = rest.prefix { !" ()?*".contains($0) }
        rest = rest[name.endIndex...]
        var shape = DocumentShape(name: String(name))
        if rest.first == "(" {
            rest = rest.dropFirst()
            while let next = rest.first, next != ")" {
                if next == " " { rest = rest.dropFirst() } else { shape.children.append(read(&rest)) }
            }
            rest = rest.dropFirst()
        }
        if let mark = rest.first, let count = Count(rawValue: String(mark)) {
            shape.count = count
            rest = rest.dropFirst()
        }
        return shape
    }

    /// Whether this pattern allows a document's shape.
    func allows(_ shape: DocumentShape) -> Bool {
        if name == "{registration}" { return ServiceFacts.registrationShapes.contains { $0.allows(shape) } }
        guard name == shape.name else { return false }
        var rest = shape.children[...]
        for pattern in children {
            var found = 0
            while let next = rest.first, pattern.allows(next), found == 0 || pattern.count == .any {
                rest = rest.dropFirst()
                found += 1
            }
            if found == 0, pattern.count == .one { return false }
        }
        return rest.isEmpty
    }

    /// The pattern with all its optional elements.
    var whole: DocumentShape {
        DocumentShape(name: name, children: children.map(\.whole))
    }

    var description: String {
        let inner = children.isEmpty ? "" : "(\(children.map(\.description).joined(separator: " ")))"
        return name + inner + count.rawValue
    }
}
