import NotificationHubs
import SQLite

/// Reads columns of tags. Devices share most of their tags, so each one is validated once and its text is stored once.
struct TagReader {
    /// The maximum number of cached tags; some apps give each device its own tags.
    private static let mostKnown = 100_000

    private var known: [String: Tag] = [:]

    /// Reads the tags of a column.
    mutating func tags(_ column: Int, of rows: borrowing SQLiteRows) throws(SQLiteError) -> [Tag] {
        guard let tags = tags(try rows.text(column)) else { throw rows.mismatch(column, expected: "a list of tags") }
        return tags
    }

    /// Parses a list of tags; `nil` if one is invalid.
    mutating func tags(_ list: String) -> [Tag]? {
        var tags: [Tag] = []
        var rest = list.utf8[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
            guard let tag = tag(String(Substring(rest[..<end]))) else { return nil }
            tags.append(tag)
            rest = rest[end...].dropFirst()
        }
        return tags
    }

    private mutating func tag(_ text: String) -> Tag? {
        if let tag = known[text] { return tag }
        guard let tag = try? Tag(text) else { return nil }
        if known.count < Self.mostKnown { known[text] = tag }
        return tag
    }
}
