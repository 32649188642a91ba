/// A file of `data/malformed` with the decision that the folder's README names.
package struct MalformedFile: Sendable {
    /// Its name.
    package let name: String
    /// One record's value.
    package let bytes: [UInt8]
    /// Such as `invalid.json`; `nil` for the one that is forgiven.
    package let reason: String?

    /// The media type that its record needs as the header `content-type`; `nil` for none.
    package var mediaType: String? { name.hasPrefix("26") ? "application/cloudevents+json" : nil }

    /// Reads the README's table and each file that it lists.
    ///
    /// - Returns: In the order of the table.
    /// - Throws: Where the folder or a file is missing.
    package static func all() throws -> [MalformedFile] {
        let readme = String(decoding: try SharedData.bytes(of: "data/malformed/README.md"), as: UTF8.self)
        return try readme.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { cell in String(cell.drop { $0 == " " }) }
            guard cells.count == 4, let name = cells[0].split(separator: " ").first, name.contains(".") else {
                return nil
            }
            let decision = cells[3].prefix { $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" }
            return MalformedFile(
                name: String(name),
                bytes: try SharedData.bytes(of: "data/malformed/\(name)"),
                reason: decision.hasPrefix("invalid.") ? String(decision) : nil
            )
        }
    }
}
