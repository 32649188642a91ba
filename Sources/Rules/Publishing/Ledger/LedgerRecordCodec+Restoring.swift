import ASCII
import StrictJSON
import Timestamps

extension LedgerRecordCodec {
    /// What a record of the ledger meant for a table.
    package enum Restored: Sendable, Equatable {
        /// The table has it.
        case known
        /// The table has it, and something of the story waits: here is all of it.
        case unfinished(StoryRecord)
        /// A late writer put it behind a newer record of the story, or the source begins anew. The table was left as it is.
        ///
        /// The record at `newer` has to be read and merged with this one, and what comes of it to be set and written.
        case late(StoryRecord, newer: Int64)
    }

    /// Puts a record into a table without making its texts; for going through a whole ledger.
    ///
    /// All of the record's grammar and its sum are checked, but the single members of texts only by ``decode(_:)``.
    ///
    /// - Parameters:
    ///   - value: The whole value; a tombstone is ``StoryLedgerTable/remove(key:)``.
    ///   - key: The record's key.
    ///   - place: The record's offset in the ledger.
    ///   - table: Unchanged where an error is thrown.
    /// - Returns: Whether there is more to do for it.
    /// - Throws: The first fault with its path.
    package static func restore(
        _ value: Span<UInt8>,
        key: Span<UInt8>,
        place: Int64,
        into table: inout StoryLedgerTable
    ) throws(LedgerRecordError) -> Restored {
        do throws(JSONError) {
            return try restore(try LedgerRecordScan(value), value, key: key, place: place, into: &table)
        } catch {
            throw LedgerRecordError(error, in: value)
        }
    }

    private static func restore(
        _ scan: LedgerRecordScan,
        _ value: Span<UInt8>,
        key: Span<UInt8>,
        place: Int64,
        into table: inout StoryLedgerTable
    ) throws(JSONError) -> Restored {
        guard scan.story.hasBytes(key, in: value) else {
            let cursor = try JSONCursor(value)
            throw cursor.fault(.ledgerKey, at: scan.story.range.lowerBound - 1, "is not the story of the record's key")
        }
        let hash = ByteHash.of(key)
        let index = table.index(of: key, hash: hash)
        if let index, table[index].isAhead(ofThrough: scan.done.through, isKilled: scan.phase == .killed) {
            return .late(try record(scan, value), newer: table[index].ledgerOffset)
        }
        table.note(done: scan.done)
        guard scan.waiting == nil else {
            let record = try record(scan, value)
            table.set(record, of: scan.story.string(value), place: place)
            return .unfinished(record)
        }
        try table.compact.write(scan, value)
        table.note(try pushes(scan.pushes, value), hash: hash)
        let entry = StoryEntry(
            hash: hash,
            ledgerOffset: place,
            through: scan.done.through,
            isKilled: scan.phase == .killed,
            changedAt: scan.changedAt,
            isUnfinished: false
        )
        table.store(entry, at: index)
        return .known
    }
}

extension JSONText {
    /// Whether the string has exactly these bytes.
    fileprivate func hasBytes(_ other: Span<UInt8>, in bytes: Span<UInt8>) -> Bool {
        hasEscapes ? Array(string(bytes).utf8).span.isEqual(to: other) : bytes.extracting(range).isEqual(to: other)
    }
}
