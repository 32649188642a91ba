import NotificationHubs
import StrictJSON
import Timestamps

/// An entry of ``StoryRecord/sent`` after one pass, its strings left where they lie.
struct SentScan {
    let hub: JSONText
    let format: JSONText
    let expression: JSONText
    let locale: JSONText?
    /// The array's beginning.
    let categories: JSONCursor?
    let categoryCount: Int
    let isForUsers: Bool
    let revision: Int64
    let at: Timestamp

    /// Reads the element that begins at a cursor.
    init(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) {
        var members = try LedgerMembers<SentMember>(&cursor, bytes)
        var hub: JSONText?
        var format: JSONText?
        var expression: JSONText?
        var locale: JSONText?
        var categories: JSONCursor?
        var categoryCount = 0
        var isForUsers = false
        var revision: Int64?
        var at: Timestamp?
        while let member = try members.next(&cursor, bytes) {
            switch member {
            case .hub: hub = try cursor.text(bytes)
            case .format: format = try cursor.text(bytes)
            case .tags: expression = try cursor.text(bytes)
            case .locale: locale = try cursor.text(bytes)
            case .categories:
                categories = cursor
                try cursor.beginArray(bytes)
                while try cursor.nextElement(bytes) {
                    _ = try cursor.text(bytes)
                    categoryCount += 1
                }
            case .users: isForUsers = try cursor.bool(bytes)
            case .revision: revision = try cursor.count(bytes)
            case .at: at = try cursor.timestamp(bytes)
            }
        }
        guard let hub else { throw members.missing(.hub, cursor) }
        guard let format else { throw members.missing(.format, cursor) }
        guard let expression else { throw members.missing(.tags, cursor) }
        guard let revision else { throw members.missing(.revision, cursor) }
        guard let at else { throw members.missing(.at, cursor) }
        self.hub = hub
        self.format = format
        self.expression = expression
        self.locale = locale
        self.categories = categories
        self.categoryCount = categoryCount
        self.isForUsers = isForUsers
        self.revision = revision
        self.at = at
    }

    /// The expression, held to the hub's limits.
    func tagExpression(_ cursor: JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) -> TagExpression {
        do throws(TagExpressionError) {
            return try TagExpression(parsing: expression.string(bytes))
        } catch {
            throw cursor.fault(.ledgerMember, at: expression.range.lowerBound - 1, error.message)
        }
    }

    /// The entry with strings of its own.
    func entry(_ cursor: JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) -> StoryRecord.Sent {
        var names: [String] = []
        if var categories {
            names.reserveCapacity(categoryCount)
            try categories.beginArray(bytes)
            while try categories.nextElement(bytes) { names.append(try categories.string(bytes)) }
        }
        return StoryRecord.Sent(
            hub: hub.string(bytes),
            format: format.string(bytes),
            expression: try tagExpression(cursor, bytes),
            locale: locale?.string(bytes),
            categories: names,
            isForUsers: isForUsers,
            revision: revision,
            at: at
        )
    }
}
