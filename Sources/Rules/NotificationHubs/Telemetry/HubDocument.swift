import StrictXML
import Timestamps

/// Why a document of the hub cannot be read. Shows names of elements, never their texts.
struct HubDocumentError: Error, Equatable {
    var message: String

    init(_ message: String) {
        self.message = message
    }
}

/// One element of the hub's XML, read strictly: what has to be there is, and numbers are numbers.
struct HubDocument {
    let element: XMLElement

    init(_ element: XMLElement) {
        self.element = element
    }

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - bytes: The whole document.
    ///   - name: What the root is called, without prefix.
    /// - Throws: Where it is no XML or another document.
    init(_ bytes: [UInt8], root name: String) throws(HubDocumentError) {
        do throws(XMLError) {
            element = try XMLReader.read(bytes, maximumDepth: 16)
        } catch {
            throw HubDocumentError(
                "it is no XML at line \(error.line), column \(error.column) [\(error.code.rawValue)]"
            )
        }
        guard element.localName == name else { throw HubDocumentError("its root is not \(name)") }
    }

    /// The text of a member that may be absent.
    ///
    /// - Returns: Nothing where it is absent or nil.
    /// - Throws: Where it stands twice.
    func text(_ name: String) throws(HubDocumentError) -> String? {
        let members = element.elements.filter { $0.localName == name }
        guard members.count <= 1 else { throw HubDocumentError("\(name) stands twice in it") }
        guard let member = members.first, !["true", "1"].contains(member.attribute("nil")) else { return nil }
        return member.text
    }

    /// The text of a member that has to be there.
    func required(_ name: String) throws(HubDocumentError) -> String {
        guard let text = try text(name) else { throw HubDocumentError("\(name) is missing in it") }
        return text
    }

    /// A number of things.
    func count(_ name: String) throws(HubDocumentError) -> Int {
        guard let count = Int(try required(name).trimmed), count >= 0 else {
            throw HubDocumentError("\(name) is no number of things")
        }
        return count
    }

    /// An instant that may be absent; without a zone it is in UTC.
    func instant(_ name: String) throws(HubDocumentError) -> Timestamp? {
        guard let text = try text(name), !text.isEmpty else { return nil }
        guard let instant = Timestamp(rfc3339: text) ?? Timestamp(rfc3339: text + "Z") else {
            throw HubDocumentError("\(name) is no instant")
        }
        return instant
    }

    /// The members of a list.
    ///
    /// - Parameters:
    ///   - name: What each is called.
    ///   - list: What they stand in; absent for none.
    /// - Returns: In order.
    /// - Throws: Where the list stands twice or holds something else.
    func members(_ name: String, of list: String) throws(HubDocumentError) -> [HubDocument] {
        let lists = element.elements.filter { $0.localName == list }
        guard lists.count <= 1 else { throw HubDocumentError("\(list) stands twice in it") }
        guard let members = lists.first?.elements else { return [] }
        guard members.allSatisfy({ $0.localName == name }) else {
            throw HubDocumentError("\(list) holds more than \(name) in it")
        }
        return members.map { HubDocument($0) }
    }
}
