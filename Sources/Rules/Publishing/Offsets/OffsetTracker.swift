package import Timestamps

/// Says how far one partition may be committed, while its records end in any order.
///
/// What may be committed is the lowest offset that is not yet done. Offsets need not be contiguous: compaction and
/// transaction markers leave gaps, which are passed over.
package struct OffsetTracker: Sendable {
    private struct Entry: Sendable {
        var offset: Int64
        /// When its record was written; nil where nobody said.
        var time: Timestamp?
        var isDone: Bool
    }

    /// Begun and not yet passed by the watermark, ascending.
    private var entries = RingQueue<Entry>()
    /// How many of these are not done.
    package private(set) var openCount = 0
    /// Taken by ``takeCommit()`` and not to be taken again.
    private var taken: Int64?

    /// The offset to commit: the one after the last record below which all are done; `nil` before the first.
    package private(set) var watermark: Int64?

    package init() {}

    /// The offset after the last record that was taken up; `nil` before the first.
    package var frontier: Int64? { last.map { $0.offset + 1 } ?? watermark }

    private var last: Entry? { entries.isEmpty ? nil : entries[entries.count - 1] }

    /// When the first record was written that is not done; `nil` where all are, or nobody said.
    package var oldestOpenTime: Timestamp? { entries.first?.time }

    /// What an offset is beside those taken up before.
    package enum Beginning: Sendable, Equatable {
        case new
        /// At or below one that was taken up before: the log was cut, or made anew.
        case rewind(from: Int64)
    }

    /// Takes up a record.
    ///
    /// - Returns: Whether it lies above every offset begun before; of a rewind nothing is noted.
    package mutating func begin(_ offset: Int64, writtenAt time: Timestamp? = nil) -> Beginning {
        if let last, offset <= last.offset { return .rewind(from: last.offset) }
        if let watermark, offset < watermark { return .rewind(from: watermark - 1) }
        entries.append(Entry(offset: offset, time: time, isDone: false))
        openCount += 1
        return .new
    }

    /// Marks a record as done, and moves the watermark if it was the lowest open one. An offset that was not begun is ignored.
    package mutating func complete(_ offset: Int64) {
        guard let index = index(of: offset), entries[index]?.isDone == false else { return }
        entries[index]?.isDone = true
        openCount -= 1
        while let first = entries.first, first.isDone {
            watermark = first.offset + 1
            _ = entries.popFirst()
        }
    }

    /// The offset to commit, where it moved since it was last taken.
    package mutating func takeCommit() -> Int64? {
        guard let watermark, watermark != taken else { return nil }
        taken = watermark
        return watermark
    }

    /// Lets the present watermark be taken again, because its commit failed.
    package mutating func forgetCommit() {
        taken = nil
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
