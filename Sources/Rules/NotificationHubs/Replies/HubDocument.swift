import NewsflashStrictXML
import NewsflashTimestamps

/// The reason why a document of the hub cannot be decoded. Contains names of elements, but not their texts.
struct HubDocumentError: Error, Equatable {
    var message: String

    init(_ message: String) {
        self.message = message
    }
}

/// An element of the hub's XML. Unknown members are ignored.
struct HubDocument {
    let element: XMLElement

    init(_ element: XMLElement) {
        self.element = element
    }

    /// Decodes a document.
    ///
    /// - Parameters:
    ///   - bytes: The whole document.
    ///   - name: The name of the root, without prefix.
    /// - Throws: ``HubDocumentError`` if it is not XML or is another document.
    init(_ bytes: [UInt8], root name: String) throws(HubDocumentError) {
        do throws(XMLError) {
            element = try XMLReader.read(bytes, maximumDepth: 16)
        } catch {
            throw HubDocumentError(
                "it is not XML at line \(error.line), column \(error.column) [\(error.code.rawValue)]"
            )
        }
        guard element.localName == name else { throw HubDocumentError("its root is not \(name)") }
    }

    /// The text of a member; `nil` if it is absent or nil.
    func text(_ name: String) -> String? {
        guard let member = element.first(name), !["true", "1"].contains(member.attribute("nil")) else { return nil }
        return member.text
    }

    /// The non-negative number in a member; `nil` if it contains none.
    func count(_ name: String) -> Int? {
        text(name).flatMap { Int($0.trimmed) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// The time in a member; the default time zone is UTC.
    func time(_ name: String) -> Timestamp? {
        text(name).flatMap { Timestamp(rfc3339: $0) ?? Timestamp(rfc3339: $0 + "Z") }
    }

    /// The members of a name, in order.
    func elements(_ name: String) -> [HubDocument] {
        element.elements.filter { $0.localName == name }.map { HubDocument($0) }
    }
}
