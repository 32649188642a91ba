import NewsflashBasics
import NewsflashTimestamps

/// A clock that stands still until it is set.
final class TestClock: Sendable {
    private let time = Locked(Timestamp(seconds: Timestamp.now().seconds))
    private let count = Locked(0)

    var now: Timestamp { time.withLock { $0 } }

    /// The number of times that it was set.
    var advances: Int { count.withLock { $0 } }

    func advance(_ duration: Duration) {
        count.withLock { $0 += 1 }
        time.withLock { $0 = $0 + duration }
    }
}
