package import NewsflashTimestamps

/// Determines the offset that may be committed for one partition, while its records end in any order.
///
/// This is the lowest offset that is not processed yet. Offsets need not be contiguous: compaction and transaction markers
/// leave gaps, which are skipped.
package struct OffsetTracker: Sendable {
    private struct Entry: Sendable {
        var offset: Int64
        /// When its record was written; `nil` if unknown.
        var time: Timestamp?
        var isDone: Bool
    }

    /// Records that were begun and are not below the watermark, ascending.
    private var entries = RingQueue<Entry>()
    /// The number of records that are not processed.
    package private(set) var openCount = 0
    /// The watermark that ``beginCommit()`` returned last, and does not return again.
    private var begun: Int64?

    /// The offset to commit: all records at lower offsets are processed. `nil` before the first processed record.
    package private(set) var watermark: Int64?

    package init() {}

    /// The offset after the last record that was begun; `nil` before the first.
    package var frontier: Int64? { last.map { $0.offset + 1 } ?? watermark }

    private var last: Entry? { entries.isEmpty ? nil : entries[entries.count - 1] }

    /// When the oldest unprocessed record was written; `nil` if all are processed, or the time is unknown.
    package var oldestOpenTime: Timestamp? { entries.first?.time }

    /// The relation of an offset to the ones begun before.
    package enum Beginning: Sendable, Equatable {
        case new
        /// At or below an earlier offset: the log was cut, or created again.
        case rewind(from: Int64)
    }

    /// Begins a record.
    ///
    /// - Returns: Whether its offset is above every offset begun before. A rewind changes nothing.
    package mutating func begin(_ offset: Int64, writtenAt time: Timestamp? = nil) -> Beginning {
        if let last, offset <= last.offset { return .rewind(from: last.offset) }
        if let watermark, offset < watermark { return .rewind(from: watermark - 1) }
        entries.append(Entry(offset: offset, time: time, isDone: false))
        openCount += 1
        return .new
    }

    /// Marks a record as processed, and moves the watermark if it was the lowest open one. An offset that was not begun is
    /// ignored.
    package mutating func complete(_ offset: Int64) {
        guard let index = index(of: offset), entries[index]?.isDone == false else { return }
        entries[index]?.isDone = true
        openCount -= 1
        while let first = entries.first, first.isDone {
            watermark = first.offset + 1
            _ = entries.popFirst()
        }
    }

    /// Begins a commit.
    ///
    /// - Returns: The offset to commit; `nil` if it has not moved since the last call.
    package mutating func beginCommit() -> Int64? {
        guard let watermark, watermark != begun else { return nil }
        begun = watermark
        return watermark
    }

    /// Makes the current watermark available again, because its commit failed.
    package mutating func forgetCommit() {
        begun = nil
    }

    private func index(of offset: Int64) -> Int? {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if let entry = entries[middle], entry.offset < offset { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low]?.offset == offset ? low : nil
    }
}
