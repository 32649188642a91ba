import Timestamps

/// A limit of test sends per minute. Each operation takes amortized constant time, regardless of the limit.
struct TestSendLimit {
    /// The limit of the service.
    static let ofTheService = 10

    /// The limit; `nil` for none.
    let perMinute: Int?
    /// The times of test sends in the last minute, the oldest first, after `over` expired ones.
    private var times: [Timestamp] = []
    private var over = 0

    init(perMinute: Int?) {
        self.perMinute = perMinute
    }

    /// Counts a test send unless the limit is reached.
    ///
    /// - Returns: Whether it is allowed; a refused one does not count.
    mutating func acquire(now: Timestamp) -> Bool {
        guard let perMinute else { return true }
        // If the clock was set back, the times would count for longer than a minute.
        if let last = times.last, last > now { reset() }
        while over < times.count, times[over] + .seconds(60) <= now { over += 1 }
        if over > 64, over > times.count / 2 {
            times.removeFirst(over)
            over = 0
        }
        guard times.count - over < perMinute else { return false }
        times.append(now)
        return true
    }

    mutating func reset() {
        times = []
        over = 0
    }
}
