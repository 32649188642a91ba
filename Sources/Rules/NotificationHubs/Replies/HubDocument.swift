import StrictXML
import Timestamps

/// The reason why a document of the hub cannot be decoded. Contains names of elements, but not their texts.
struct HubDocumentError: Error, Equatable {
    var message: String

    init(_ message: String) {
        self.message = message
    }
}

/// An element of the hub's XML, decoded strictly: required members must exist, and numbers must be numbers.
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

    /// Returns the text of an optional member.
    ///
    /// - Returns: The text; `nil` if the member is absent or nil.
    /// - Throws: ``HubDocumentError`` if it occurs twice.
    func text(_ name: String) throws(HubDocumentError) -> String? {
        let members = element.elements.filter { $0.localName == name }
        guard members.count <= 1 else { throw HubDocumentError("\(name) is repeated in it") }
        guard let member = members.first, !["true", "1"].contains(member.attribute("nil")) else { return nil }
        return member.text
    }

    /// Returns the text of a required member.
    func required(_ name: String) throws(HubDocumentError) -> String {
        guard let text = try text(name) else { throw HubDocumentError("\(name) is missing in it") }
        return text
    }

    /// Decodes a required non-negative number.
    func count(_ name: String) throws(HubDocumentError) -> Int {
        guard let count = Int(try required(name).trimmed), count >= 0 else {
            throw HubDocumentError("\(name) is not a count")
        }
        return count
    }

    /// Decodes an optional timestamp; the default time zone is UTC.
    func instant(_ name: String) throws(HubDocumentError) -> Timestamp? {
        guard let text = try text(name), !text.isEmpty else { return nil }
        guard let instant = Timestamp(rfc3339: text) ?? Timestamp(rfc3339: text + "Z") else {
            throw HubDocumentError("\(name) is not a timestamp")
        }
        return instant
    }

    /// Returns the members of a list.
    ///
    /// - Parameters:
    ///   - name: The name of each member.
    ///   - list: The name of the list; an absent list is empty.
    /// - Returns: The members, in order.
    /// - Throws: ``HubDocumentError`` if the list occurs twice or contains another element.
    func members(_ name: String, of list: String) throws(HubDocumentError) -> [HubDocument] {
        let lists = element.elements.filter { $0.localName == list }
        guard lists.count <= 1 else { throw HubDocumentError("\(list) is repeated in it") }
        guard let members = lists.first?.elements else { return [] }
        guard members.allSatisfy({ $0.localName == name }) else {
            throw HubDocumentError("\(list) contains other elements than \(name)")
        }
        return members.map { HubDocument($0) }
    }
}
