/// The past and scheduled changes of a place's offset.
struct TransitionTable: Sendable, Equatable {
    /// The offset before the first change.
    let initialOffset: Int32
    /// The instants of the changes, in seconds since the epoch, ascending.
    let instants: [Int64]
    /// The offset after each of the instants.
    let offsets: [Int32]

    /// The last change; `Int64.min` if there is none.
    var last: Int64 { instants.last ?? .min }

    func period(at seconds: Int64) -> OffsetPeriod {
        var low = 0
        var high = instants.count
        // Finds the number of changes up to the instant.
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
