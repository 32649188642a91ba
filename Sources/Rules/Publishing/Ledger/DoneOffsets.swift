/// Which source offsets of one story are done: all up to one, and some above it.
///
/// Offsets of a story need not be contiguous, because other stories lie between them. "All up to" speaks of those that are
/// the story's.
package struct DoneOffsets: Sendable, Equatable {
    /// All the story's offsets up to this one are done; -1 for none.
    package private(set) var through: Int64 = -1
    /// The done ones above ``through``, ascending.
    package private(set) var above: [Int64] = []

    /// Makes the state of a story of which nothing is done.
    package init() {}

    /// Takes a state that was stored; `nil` where the numbers are none that ``finish(_:lowestOpen:)`` could have left.
    ///
    /// - Parameters:
    ///   - through: At least -1.
    ///   - above: Ascending, each above `through`.
    package init?(through: Int64, above: [Int64] = []) {
        guard through >= -1, through < above.first ?? .max else { return nil }
        guard zip(above, above.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
        self.through = through
        self.above = above
    }

    /// The highest offset that is done; -1 for none.
    package var highest: Int64 { above.last ?? through }

    /// Whether an offset is done.
    package func contains(_ offset: Int64) -> Bool {
        if offset <= through { return offset >= 0 }
        let index = place(of: offset)
        return index < above.count && above[index] == offset
    }

    /// Marks an offset as done.
    ///
    /// - Parameters:
    ///   - offset: A negative one is ignored.
    ///   - lowestOpen: The story's lowest offset that is begun and not done after this one ended; `nil` where all are.
    ///     ``through`` rises to the highest done one below it.
    package mutating func finish(_ offset: Int64, lowestOpen: Int64?) {
        // Mostly an event ends before the next of its story has come.
        if above.isEmpty, offset > through, offset < lowestOpen ?? .max {
            through = offset
            return
        }
        if offset >= 0, offset > through {
            let index = place(of: offset)
            if index == above.count || above[index] != offset { above.insert(offset, at: index) }
        }
        let passed = lowestOpen.map { place(of: $0) } ?? above.count
        guard passed > 0 else { return }
        through = above[passed - 1]
        above.removeFirst(passed)
    }

    /// Takes up what another record of the same story knows to be done.
    package mutating func formUnion(_ other: DoneOffsets) {
        through = max(through, other.through)
        above = Set(above).union(other.above).filter { $0 > through }.sorted()
    }

    /// The index of the first of ``above`` that is not below an offset.
    private func place(of offset: Int64) -> Int {
        var low = 0
        var high = above.count
        while low < high {
            let middle = (low + high) / 2
            if above[middle] < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
