import NewsflashStrictXML

/// A registration in an Atom entry of a recorded answer.
struct RecordedEntry {
    /// The entry's title: the registration's id.
    let id: String
    /// The number in `a:etag`; `nil` if absent.
    let etag: Int?
    /// The element inside `content`, such as `AppleRegistrationDescription`.
    let description: XMLElement

    init?(_ element: XMLElement) {
        guard element.localName == "entry", let title = element.first("title"),
            let description = element.first("content")?.elements.first
        else { return nil }
        self.id = title.text
        self.etag = element.attribute("etag").flatMap { Int($0.filter(\.isNumber)) }
        self.description = description
    }

    /// The tags, in order.
    var tags: [String] {
        description.first("Tags")?.text.split(separator: ",").map { String($0.trimmingBlanks) } ?? []
    }

    /// The value of a tag that the hub gives for installations and users, such as `$InstallationId:{…}`.
    func systemTag(_ name: String) -> String? {
        let prefix = "$\(name):{"
        return tags.first { $0.hasPrefix(prefix) && $0.hasSuffix("}") }.map {
            String($0.dropFirst(prefix.count).dropLast())
        }
    }

    /// The client's document: the entry without the elements that only the service sets.
    var requestBody: [UInt8] {
        var content = description
        content.children.removeAll { node in
            guard case .element(let element) = node else { return false }
            return ["ETag", "ExpirationTime", "RegistrationId", "AuthorizationRules", "JobId"].contains(
                element.localName
            )
        }
        return Self.requestBody(content)
    }

    /// The description of a hub without any settings.
    static var emptyHub: [UInt8] {
        let space = XMLAttribute("xmlns", "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect")
        return requestBody(XMLElement("NotificationHubDescription", attributes: [space]))
    }

    private static func requestBody(_ content: XMLElement) -> [UInt8] {
        var writer = XMLWriter()
        writer.begin("entry", ("xmlns", "http://www.w3.org/2005/Atom"))
        writer.begin("content", ("type", "application/xml"))
        writer.element(content)
        writer.end("content")
        writer.end("entry")
        return writer.bytes
    }
}

/// The kind of an answer's body.
enum RecordedBody {
    case empty
    case json
    case entry(RecordedEntry)
    case feed([RecordedEntry])
    /// Another document, by the name of its root.
    case xml(root: String)
    case other

    init(_ text: String) {
        if text.isEmpty {
            self = .empty
        } else if text.hasPrefix("{") {
            self = .json
        } else if let root = try? XMLReader.read(text) {
            if let entry = RecordedEntry(root) {
                self = .entry(entry)
            } else if root.localName == "feed" {
                self = .feed(root.elements.compactMap { RecordedEntry($0) })
            } else {
                self = .xml(root: String(root.localName))
            }
        } else {
            self = .other
        }
    }

    /// The entries of an answer, in order.
    var entries: [RecordedEntry] {
        switch self {
        case .entry(let entry): [entry]
        case .feed(let entries): entries
        default: []
        }
    }
}

extension StringProtocol {
    var trimmingBlanks: SubSequence {
        let start = firstIndex { $0 != " " } ?? endIndex
        let end = lastIndex { $0 != " " }.map { index(after: $0) } ?? endIndex
        return start < end ? self[start..<end] : self[endIndex...]
    }
}
