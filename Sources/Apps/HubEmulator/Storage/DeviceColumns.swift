import NewsflashSQLite
import NewsflashStrictJSON
import NotificationHubs

extension PushChannel {
    /// The parts of the channel as stored in the columns.
    var columns: (handle: String, part2: String?, part3: String?) {
        (parts.first ?? "", parts.dropFirst().first, parts.dropFirst(2).first)
    }

    /// Creates a channel from its columns; `nil` if the platform is not known or a part is missing.
    init?(platform name: String, handle: String, part2: String?, part3: String?) {
        let platform = PushPlatform(rawValue: name)
        let parts = [handle, part2, part3].prefix(platform.facts?.channelElements.count ?? 0).compactMap(\.self)
        guard !parts.isEmpty, parts.count == platform.facts?.channelElements.count else { return nil }
        self.init(platform, parts: parts)
    }
}

extension [Tag] {
    /// The tags, joined by commas.
    var column: String { map(\.description).joined(separator: ",") }
}

extension [NamedValue] {
    /// Names and values alternating, as a JSON array; `nil` if empty.
    var column: String? {
        guard !isEmpty else { return nil }
        var writer = JSONWriter()
        writer.beginArray()
        for pair in self {
            writer.value(pair.name)
            writer.value(pair.value)
        }
        writer.endArray()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Parses the output of ``column``; `nil` if it has another form.
    init?(_ json: JSONValue?) {
        guard let texts = json?.array?.compactMap(\.string), texts.count == json?.array?.count, texts.count % 2 == 0
        else { return nil }
        self = stride(from: 0, to: texts.count, by: 2).map { NamedValue(texts[$0], texts[$0 + 1]) }
    }
}

extension SQLiteRows {
    /// Reads a channel from four columns: platform, handle and two further parts.
    borrowing func channel(_ column: Int) throws(SQLiteError) -> PushChannel {
        guard
            let channel = PushChannel(
                platform: try text(column),
                handle: try text(column + 1),
                part2: try optionalText(column + 2),
                part3: try optionalText(column + 3)
            )
        else { throw mismatch(column, expected: "a known platform and the parts of its channel") }
        return channel
    }

    /// Reads names and values; empty for null.
    borrowing func namedValues(_ column: Int) throws(SQLiteError) -> [NamedValue] {
        guard let text = try optionalText(column) else { return [] }
        guard let values = [NamedValue](try? JSONReader.read(text)) else {
            throw mismatch(column, expected: "names and values")
        }
        return values
    }

    /// Reads secondary tiles; empty for null.
    borrowing func tiles(_ column: Int) throws(SQLiteError) -> [SecondaryTile] {
        guard let text = try optionalText(column) else { return [] }
        guard let tiles = [SecondaryTile](try? JSONReader.read(text)) else {
            throw mismatch(column, expected: "secondary tiles")
        }
        return tiles
    }
}

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
