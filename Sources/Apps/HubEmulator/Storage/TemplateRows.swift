import NotificationHubs
import SQLite
import Signing
import StrictJSON

/// Writes each distinct template once.
final class TemplateRows {
    private let find: SQLiteStatement
    private let insert: SQLiteStatement

    init(_ database: SQLiteDatabase) throws(SQLiteError) {
        find = try database.prepare("SELECT key FROM templates WHERE digest = ?1")
        insert = try database.prepare(
            """
            INSERT INTO templates(digest, name, body, headers, expiry, priority) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            RETURNING key
            """
        )
    }

    /// Returns the key of a template, and inserts the template if it is new.
    func key(of template: TemplateDescription) throws(SQLiteError) -> Int64 {
        let digest = SQLiteValue.blob(SHA256Digest.hash(of: template.canonicalBytes))
        if let key = try firstInteger(find.rows(digest)) { return key }
        let inserted = try insert.rows(
            digest,
            .text(template.name),
            .text(template.body),
            .text(template.headers.column),
            .text(template.expiry),
            .text(template.priority)
        )
        return try firstInteger(inserted) ?? 0
    }
}

/// All templates of the file during loading, so that devices share their texts.
struct LoadedTemplates {
    private var templates: [Int64: TemplateDescription] = [:]
    private var unused: Set<Int64> = []

    init(_ database: SQLiteDatabase) throws(SQLiteError) {
        var rows = try database.prepare("SELECT key, name, body, headers, expiry, priority FROM templates").rows()
        while try rows.next() {
            let key = try rows.integer(0)
            unused.insert(key)
            templates[key] = TemplateDescription(
                name: try rows.optionalText(1),
                body: try rows.text(2),
                headers: try rows.namedValues(3),
                expiry: try rows.optionalText(4),
                priority: try rows.optionalText(5)
            )
        }
    }

    /// The template whose key a column contains; `nil` for null.
    mutating func template(_ column: Int, of rows: borrowing SQLiteRows) throws(SQLiteError) -> TemplateDescription? {
        guard let key = try rows.optionalInteger(column) else { return nil }
        guard let template = templates[key] else {
            throw rows.mismatch(column, expected: "the key of a template")
        }
        unused.remove(key)
        return template
    }

    /// Deletes the templates from the file that no device uses.
    func dropUnused(of database: SQLiteDatabase) throws(SQLiteError) {
        let delete = try database.prepare("DELETE FROM templates WHERE key = ?1")
        for key in unused { try delete.run(.integer(key)) }
    }
}

extension TemplateDescription {
    /// Bytes that are equal for equal templates only; texts that merely look the same differ.
    fileprivate var canonicalBytes: [UInt8] {
        var writer = JSONWriter()
        writer.beginArray()
        for field in [name, body, expiry, priority] {
            if let field { writer.value(field) } else { writer.null() }
        }
        for header in headers {
            writer.value(header.name)
            writer.value(header.value)
        }
        writer.endArray()
        return writer.bytes
    }
}

/// The first column of the first row, after the statement has completed.
func firstInteger(_ rows: consuming SQLiteRows) throws(SQLiteError) -> Int64? {
    guard try rows.next() else { return nil }
    let value = try rows.integer(0)
    while try rows.next() {}
    return value
}
