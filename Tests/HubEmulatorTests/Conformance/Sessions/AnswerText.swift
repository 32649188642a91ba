import NewsflashStrictJSON
import NewsflashStrictXML

/// An answer's body as lines that are equal for two answers of the same meaning.
///
/// Ids, times and hosts are replaced; everything else stays. XML: an element or attribute a line, with its path, in the
/// order of the document. The entries of a feed are sorted, because their order depends on their ids. JSON: a value a
/// line, sorted.
struct AnswerText {
    /// The texts to replace with the same name on both sides.
    let replacements: [(text: String, name: String)]

    func lines(of body: String) -> [String] {
        if body.isEmpty { return [] }
        if body.hasPrefix("{") || body.hasPrefix("["), let value = try? JSONReader.read(body) {
            return Self.lines(of: value, path: "").sorted()
        }
        guard let root = try? XMLReader.read(body) else {
            // The feedback container's address contains a secret.
            return body.hasPrefix("http") ? ["{url}"] : [neutral(body)]
        }
        let cdata = body.split(separator: "<![CDATA[", omittingEmptySubsequences: false).count - 1
        return lines(of: root, path: "", scope: [:]) + ["CDATA sections = \(cdata)"]
    }

    /// Replaces the parts of a text that differ from answer to answer.
    func neutral(_ text: String) -> String {
        var text = replacements.reduce(text) { text, replacement in
            replacement.text.isEmpty ? text : text.replacing(replacement.text, with: replacement.name)
        }
        text = text.replacing(/TrackingId:[-0-9a-f]{36}_G[0-9]+,TimeStamp:[0-9\/]+ [0-9:]+ [AP]M/) { _ in "{tracking}" }
        text = text.replacing(/continuationtoken=[^&]+/.ignoresCase()) { _ in "continuationtoken={token}" }
        // The year 9999 is the only constant year of the service.
        return text.replacing(/([0-9]{4})-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?/) { match in
            match.output.1 == "9999" ? String(match.output.0) : match.output.2 == nil ? "{time}" : "{time}.{fraction}"
        }
    }

    private func lines(of element: XMLElement, path: String, scope: [String: String]) -> [String] {
        var scope = scope
        for attribute in element.attributes {
            if attribute.name == "xmlns" { scope[""] = attribute.value }
            if attribute.name.hasPrefix("xmlns:") { scope[String(attribute.name.dropFirst(6))] = attribute.value }
        }
        func expanded(_ name: String, isAttribute: Bool = false) -> String {
            let parts = name.split(separator: ":", maxSplits: 1)
            let prefix = parts.count == 2 ? String(parts[0]) : ""
            guard let space = scope[prefix], !(isAttribute && prefix.isEmpty) else { return name }
            return "{\(Self.short[space] ?? space)}\(parts.last ?? "")"
        }
        let path = "\(path)/\(expanded(element.name))"
        let isSecret = ["PrimaryKey", "SecondaryKey"].contains(element.localName)
        var result = element.elements.isEmpty ? ["\(path) = \(isSecret ? "{key}" : neutral(element.text))"] : [path]
        result += element.attributes.filter { !$0.name.hasPrefix("xmlns") }
            .map { "\(path)@\(expanded($0.name, isAttribute: true)) = \(neutral($0.value))" }.sorted()
        let children = element.elements.map { ($0.localName, lines(of: $0, path: path, scope: scope)) }
        if element.localName == "feed" {
            let entries = children.filter { $0.0 == "entry" }.map(\.1).sorted { $0.lexicographicallyPrecedes($1) }
            return result + children.filter { $0.0 != "entry" }.flatMap(\.1) + entries.flatMap { $0 }
        }
        return result + children.flatMap(\.1)
    }

    private static let short = [
        "http://www.w3.org/2005/Atom": "atom",
        "http://schemas.microsoft.com/ado/2007/08/dataservices/metadata": "metadata",
        "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect": "connect",
        "http://www.w3.org/2001/XMLSchema-instance": "instance",
    ]

    private static func lines(of value: JSONValue, path: String) -> [String] {
        switch value {
        case .object(let members):
            ["\(path): object"] + members.flatMap { lines(of: $0.value, path: "\(path)/\($0.name)") }
        case .array(let elements):
            ["\(path): array"] + elements.enumerated().flatMap { lines(of: $1, path: "\(path)/\($0)") }
        case .string(let text):
            // These times are the service's own; the values of a client are returned unchanged.
            ["\(path): string \(path == "/lastUpdate" || path == "/lastActiveOn" ? "{time}" : text)"]
        case .number(let number): ["\(path): number \(number.text)"]
        case .bool(let truth): ["\(path): \(truth)"]
        case .null: ["\(path): null"]
        }
    }
}
