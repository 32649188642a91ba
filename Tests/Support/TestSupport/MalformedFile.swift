/// An input of `Tests/Data/malformed` with the decision that the folder's README names.
package struct MalformedFile: Sendable {
    /// Its name.
    package let name: String
    /// One record's value.
    package let bytes: [UInt8]
    /// The reason, such as `invalid.json`; `nil` for the only tolerated input.
    package let reason: String?

    /// The media type that its record needs as the header `content-type`; `nil` for none.
    package var mediaType: String? { name.hasPrefix("26") ? "application/cloudevents+json" : nil }

    /// The only input that is generated and not stored: 300 kB with a summary of 300,000 characters.
    package static let tooBig = "25-too-big.json"

    /// Reads the README's table and each file that it lists.
    ///
    /// - Returns: The files in the order of the table, which is the order of the names.
    /// - Throws: ``DataFolderError`` if a file is missing, or if the table and the folder differ.
    package static func all() throws -> [MalformedFile] {
        let readme = String(decoding: try TestData.bytes(of: "malformed/README.md"), as: UTF8.self)
        let files = try readme.split(separator: "\n").compactMap { line -> MalformedFile? in
            let cells = line.split(separator: "|").map { cell in String(cell.drop { $0 == " " }) }
            guard cells.count == 4, let name = cells[0].split(separator: " ").first.map(String.init), name.contains(".")
            else { return nil }
            let bytes = name == tooBig ? longEvent : try TestData.bytes(of: "malformed/\(name)")
            guard cells[1].split(separator: " ").first.flatMap({ Int($0) }) == bytes.count else {
                throw DataFolderError(file: "\(name) with the size that its README names, not \(bytes.count) bytes:")
            }
            let decision = cells[3].prefix { $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" }
            let reason = decision.hasPrefix("invalid.") ? String(decision) : nil
            return MalformedFile(name: name, bytes: bytes, reason: reason)
        }
        let listed = files.map(\.name).filter { $0 != tooBig }
        guard try listed == TestData.names(in: "malformed") else {
            throw DataFolderError(file: "malformed/ with exactly the files that its README lists:")
        }
        return files
    }

    /// An event that is valid except for its size.
    private static let longEvent = Array(
        """
        {"v": 1, "id": "bad-0001", "source": "https://cms.example.org/desk", "story": "urn:example:story:bad", \
        "revision": 1, "kind": "alert", "published": "2026-03-02T12:00:00Z", "categories": ["world"], \
        "text": {"en": {"headline": "A harmless headline", "summary": "\(String(repeating: "x", count: 300_000))"}}}
        """.utf8
    )
}
