/// The processed source offsets of one story: all up to an offset, with exceptions, and a few beyond it.
///
/// The offsets of a story need not be contiguous, because other stories have offsets between them. "All up to" covers only the
/// story's own. The size grows with the open offsets and those found ahead, never with the processed ones.
package struct ProcessedOffsets: Sendable, Equatable {
    /// All the story's offsets up to this one are processed, except those in ``open``; -1 for none.
    package private(set) var through: Int64 = -1
    /// The offsets at or below ``through`` that are not processed, ascending.
    package private(set) var open: [Int64] = []
    /// The processed offsets above ``through``, ascending: events that the priority scan found ahead of the consumer.
    package private(set) var ahead: [Int64] = []

    /// Nothing is processed.
    package init() {}

    /// Restores stored offsets; `nil` if they do not ascend or are on the wrong side of `through`.
    package init?(through: Int64, open: [Int64] = [], ahead: [Int64] = []) {
        guard through >= -1, through < ahead.first ?? .max, open.last ?? -1 <= through, open.first ?? 0 >= 0 else {
            return nil
        }
        for list in [open, ahead] {
            guard zip(list, list.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
        }
        self.through = through
        self.open = open
        self.ahead = ahead
    }

    /// The highest offset that is processed; -1 for none.
    package var highest: Int64 { ahead.last ?? through }

    /// Whether an offset is processed.
    package func contains(_ offset: Int64) -> Bool {
        guard offset >= 0 else { return false }
        return offset <= through ? !open.contains(sorted: offset) : ahead.contains(sorted: offset)
    }

    /// Marks an offset as processed.
    ///
    /// - Parameters:
    ///   - offset: A negative one is ignored.
    ///   - begun: The story's offsets that were read and are not processed, in any order.
    ///   - frontier: The offset after the last one read in the partition.
    package mutating func finish(_ offset: Int64, begun: [Int64], frontier: Int64) {
        guard offset >= 0 else { return }
        if begun.isEmpty, ahead.isEmpty, offset > through, offset < frontier {
            // The usual case: nothing else of the story is in progress.
            through = offset
            return
        }
        if offset <= through {
            open.removeAll { $0 == offset }
        } else if !ahead.contains(sorted: offset) {
            ahead.insert(offset, at: ahead.place(of: offset))
        }
        // Offsets that were read are covered by `through`; offsets beyond the frontier are listed one by one.
        let passed = ahead.place(of: max(frontier, through + 1))
        guard passed > 0 else { return }
        let last = ahead[passed - 1]
        let left = begun.filter { $0 > through && $0 <= last && $0 != offset && !ahead.contains(sorted: $0) }
        ahead.removeFirst(passed)
        open += Set(left).sorted()
        through = last
    }

    /// Lists offsets that were read and are not processed, so that another writer's record does not count for them.
    ///
    /// - Parameters:
    ///   - begun: All of these offsets of the story, in any order.
    ///   - frontier: The offset after the last one read in the partition.
    package mutating func begin(_ begun: [Int64], frontier: Int64) {
        guard let last = begun.lazy.filter({ $0 < frontier }).max(), last > through else { return }
        open += Set(begun).filter { $0 > through && $0 <= last && !ahead.contains(sorted: $0) }.sorted()
        ahead.removeFirst(ahead.place(of: last + 1))
        through = last
    }

    /// Merges the processed offsets of another writer.
    package mutating func formUnion(_ other: ProcessedOffsets) {
        let (low, high) = through <= other.through ? (self, other) : (other, self)
        var merged = high
        merged.open = high.open.filter { !low.contains($0) }
        merged.ahead = Set(high.ahead).union(low.ahead).filter { $0 > high.through }.sorted()
        self = merged
    }

    /// Merges the processed offsets of an earlier owner. They count only for offsets that this owner has not read.
    package mutating func formUnion(ofEarlier other: ProcessedOffsets) {
        let known = through
        open += other.open.filter { $0 > known && !ahead.contains(sorted: $0) }
        through = max(known, other.through)
        ahead = Set(ahead).union(other.ahead).filter { $0 > through }.sorted()
    }
}

extension [Int64] {
    /// The index of the first element that is not below an offset, in an ascending list.
    fileprivate func place(of offset: Int64) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    fileprivate func contains(sorted offset: Int64) -> Bool {
        let index = place(of: offset)
        return index < count && self[index] == offset
    }
}
