import Timestamps

/// The sends with unfinished fan-outs. Started ones take turns, so that a small one does not wait for a large one.
struct FanOutQueue {
    /// The maximum number of started fan-outs; each uses four bytes per candidate registration.
    static let mostBegun = 64

    private var begun = FIFOQueue<FanOut>()
    private var waiting = FIFOQueue<FanOut>()
    private var scheduled = ScheduledSends()

    /// The number of sends with unfinished fan-outs, without scheduled ones.
    var count: Int { begun.count + waiting.count }

    /// The time of the next scheduled send.
    var nextDue: Timestamp? { scheduled.nextDue }

    /// Adds a send.
    mutating func append(_ fanOut: FanOut) {
        waiting.append(fanOut)
    }

    /// Adds a scheduled send, which can be cancelled by its id.
    mutating func schedule(_ fanOut: FanOut, id: String, at due: Timestamp) {
        scheduled.insert(ScheduledSends.Entry(due: due, id: id, fanOut: fanOut))
    }

    /// Cancels a scheduled send.
    ///
    /// - Returns: Whether a send with this id was still scheduled in this hub.
    mutating func cancel(sequence: Int64, id: String, hub: String) -> Bool {
        scheduled.remove(sequence) { $0.id == id && $0.fanOut.hub == hub }
    }

    /// Starts the scheduled sends that are due.
    ///
    /// - Returns: Their sequence numbers; at most `limit`.
    mutating func begin(now: Timestamp, limit: Int) -> [Int64] {
        var begun: [Int64] = []
        while begun.count < limit, var fanOut = scheduled.popDue(now: now)?.fanOut {
            begun.append(fanOut.message.sequence)
            // After a suspend of the machine, an overdue send still has the full time limit.
            fanOut.enqueued = now
            waiting.append(fanOut)
        }
        return begun
    }

    /// Removes sends that have waited too long to start.
    ///
    /// - Returns: Their sequence numbers; at most `limit`.
    mutating func abandon(now: Timestamp, limit: Int) -> [Int64] {
        var abandoned: [Int64] = []
        while abandoned.count < limit, waiting.first?.isOverdue(at: now) == true, let fanOut = waiting.popFirst() {
            abandoned.append(fanOut.message.sequence)
        }
        return abandoned
    }

    /// Removes and returns the next send; pass it to ``goOn(_:)`` if it is unfinished.
    mutating func next() -> FanOut? {
        while begun.count < Self.mostBegun, let fanOut = waiting.popFirst() { begun.append(fanOut) }
        return begun.popFirst()
    }

    /// Puts back a send that is unfinished after its turn.
    mutating func goOn(_ fanOut: FanOut) {
        begun.append(fanOut)
    }

    /// Removes all unfinished fan-outs of a hub.
    ///
    /// - Returns: Their sequence numbers.
    mutating func removeAll(of hub: String) -> [Int64] {
        let removed = begun.removeAll { $0.hub == hub } + waiting.removeAll { $0.hub == hub }
        return removed.map(\.message.sequence)
    }

    /// Cancels all scheduled sends of a hub.
    ///
    /// - Returns: Their sequence numbers.
    mutating func cancelAll(of hub: String) -> [Int64] {
        scheduled.removeAll { $0.fanOut.hub == hub }
    }

    mutating func removeAll() {
        self = FanOutQueue()
    }
}
