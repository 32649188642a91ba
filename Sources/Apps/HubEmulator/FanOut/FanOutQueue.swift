import Timestamps

/// The sends that still have targets to find. Those that have begun take turns, so that a small one is not stuck behind a
/// large one.
struct FanOutQueue {
    /// How many may have begun: each holds four bytes for every registration that it may mean.
    static let mostBegun = 64

    private var begun = WaitingLine<FanOut>()
    private var waiting = WaitingLine<FanOut>()
    private var scheduled = ScheduledSends()

    /// How many sends are on their way.
    var count: Int { begun.count + waiting.count }

    /// When the next scheduled send is due.
    var nextDue: Timestamp? { scheduled.nextDue }

    /// Takes a send in.
    mutating func append(_ fanOut: FanOut) {
        waiting.append(fanOut)
    }

    /// Takes a send in that waits for its time; the id is what it is taken back with.
    mutating func schedule(_ fanOut: FanOut, id: String, at due: Timestamp) {
        scheduled.insert(ScheduledSends.Entry(due: due, id: id, fanOut: fanOut))
    }

    /// Takes a scheduled send back.
    ///
    /// - Returns: Whether it was still waiting, under this id and in this hub.
    mutating func cancel(sequence: Int64, id: String, hub: String) -> Bool {
        scheduled.remove(sequence) { $0.id == id && $0.fanOut.hub == hub }
    }

    /// Lets scheduled sends begin whose time has come.
    ///
    /// - Returns: Their sequence numbers, at most as many as the limit.
    mutating func begin(now: Timestamp, limit: Int) -> [Int64] {
        var begun: [Int64] = []
        while begun.count < limit, var fanOut = scheduled.popDue(now: now)?.fanOut {
            begun.append(fanOut.message.sequence)
            // A machine that slept over the time sends later, and has as long for it as any.
            fanOut.enqueued = now
            waiting.append(fanOut)
        }
        return begun
    }

    /// Takes out those that have waited for too long to begin.
    ///
    /// - Returns: Their sequence numbers, at most as many as the limit.
    mutating func abandon(now: Timestamp, limit: Int) -> [Int64] {
        var abandoned: [Int64] = []
        while abandoned.count < limit, waiting.first?.isOverdue(at: now) == true, let fanOut = waiting.popFirst() {
            abandoned.append(fanOut.message.sequence)
        }
        return abandoned
    }

    /// Takes out the one whose turn it is; ``goOn(_:)`` with it when it has more to do.
    mutating func next() -> FanOut? {
        while begun.count < Self.mostBegun, let fanOut = waiting.popFirst() { begun.append(fanOut) }
        return begun.popFirst()
    }

    /// Takes back what has had its turn and has more to do.
    mutating func goOn(_ fanOut: FanOut) {
        begun.append(fanOut)
    }

    /// Takes out all that look for targets in a hub.
    ///
    /// - Returns: Their sequence numbers.
    mutating func removeAll(of hub: String) -> [Int64] {
        let removed = begun.removeAll { $0.hub == hub } + waiting.removeAll { $0.hub == hub }
        return removed.map(\.message.sequence)
    }

    /// Takes back all that wait for their time in a hub.
    ///
    /// - Returns: Their sequence numbers.
    mutating func cancelAll(of hub: String) -> [Int64] {
        scheduled.removeAll { $0.fanOut.hub == hub }
    }

    mutating func removeAll() {
        self = FanOutQueue()
    }
}
