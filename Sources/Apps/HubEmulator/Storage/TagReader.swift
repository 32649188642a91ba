import NotificationHubs
import SQLite

/// Reads columns of tags. Devices share most of theirs: each is checked once, and its text is in memory once.
struct TagReader {
    /// So many different tags are remembered; some apps give each device tags of its own.
    private static let mostKnown = 100_000

    private var known: [String: Tag] = [:]

    /// The tags that a column lists.
    mutating func tags(_ column: Int, of rows: borrowing SQLiteRows) throws(SQLiteError) -> [Tag] {
        guard let tags = tags(try rows.text(column)) else { throw rows.mismatch(column, expected: "a list of tags") }
        return tags
    }

    /// The tags of a list; nothing where one is none.
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
