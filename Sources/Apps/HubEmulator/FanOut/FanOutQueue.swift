import Timestamps

/// The sends that still have targets to find. They take turns, so that a small one is not stuck behind a large one.
struct FanOutQueue {
    private var waiting: [FanOut?] = []
    /// Those before it have had their turn.
    private var first = 0
    private var scheduled: [(due: Timestamp, fanOut: FanOut)] = []

    /// How many sends are on their way.
    var count: Int { waiting.count - first }

    /// When the next scheduled send is due.
    var nextDue: Timestamp? { scheduled.first?.due }

    mutating func append(_ fanOut: FanOut) {
        waiting.append(fanOut)
    }

    mutating func schedule(_ fanOut: FanOut, at due: Timestamp) {
        let index = scheduled.firstIndex { $0.due > due } ?? scheduled.endIndex
        scheduled.insert((due, fanOut), at: index)
    }

    /// Takes a scheduled send back.
    ///
    /// - Returns: Whether it was still waiting.
    mutating func cancel(sequence: Int64) -> Bool {
        guard let index = scheduled.firstIndex(where: { $0.fanOut.message.sequence == sequence }) else { return false }
        scheduled.remove(at: index)
        return true
    }

    /// Lets scheduled sends begin whose time has come.
    ///
    /// - Returns: Their sequence numbers.
    mutating func begin(now: Timestamp) -> [Int64] {
        var begun: [Int64] = []
        while let first = scheduled.first, first.due <= now {
            scheduled.removeFirst()
            waiting.append(first.fanOut)
            begun.append(first.fanOut.message.sequence)
        }
        return begun
    }

    /// Takes out the one whose turn it is; ``append(_:)`` it again when it has more to do.
    mutating func next() -> FanOut? {
        guard first < waiting.count else { return nil }
        let next = waiting[first].take()
        first += 1
        // Not with each turn: behind a large send there may be thousands.
        if first > 64, first * 2 > waiting.count {
            waiting.removeFirst(first)
            first = 0
        }
        return next
    }

    mutating func removeAll() {
        waiting = []
        first = 0
        scheduled = []
    }
}
