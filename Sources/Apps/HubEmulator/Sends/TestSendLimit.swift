import Timestamps

/// How many test sends are allowed in any minute. A step takes the same short time whatever the limit is.
struct TestSendLimit {
    /// What the service allows.
    static let ofTheService = 10

    /// Nothing for no limit.
    let perMinute: Int?
    /// When test sends were made in the last minute, the oldest first, behind those that are over already.
    private var times: [Timestamp] = []
    private var over = 0

    init(perMinute: Int?) {
        self.perMinute = perMinute
    }

    /// Counts a test send.
    ///
    /// - Returns: Whether it is allowed; one that is not does not count.
    mutating func take(now: Timestamp) -> Bool {
        guard let perMinute else { return true }
        // A clock that was set back would keep them for longer than a minute.
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
