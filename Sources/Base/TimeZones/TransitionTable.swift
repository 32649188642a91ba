/// The changes of a place's offset that happened, or are known to come.
struct TransitionTable: Sendable, Equatable {
    /// The offset before the first change.
    let initialOffset: Int32
    /// When it changes, in seconds since the epoch, ascending.
    let instants: [Int64]
    /// The offset from each of the instants on.
    let offsets: [Int32]

    /// The last change; the smallest number where there is none.
    var last: Int64 { instants.last ?? .min }

    func period(at seconds: Int64) -> OffsetPeriod {
        var low = 0
        var high = instants.count
        // The number of changes up to the instant.
        while low < high {
            let middle = (low + high) / 2
            if instants[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return OffsetPeriod(
            offset: low == 0 ? initialOffset : offsets[low - 1],
            end: low == instants.count ? .max : instants[low]
        )
    }
}
