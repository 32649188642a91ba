import Locks
import Timestamps

/// A clock that stands still until it is set.
final class TestClock: Sendable {
    private let time = Locked(Timestamp(seconds: Timestamp.now().seconds))

    var now: Timestamp { time.withLock { $0 } }

    func advance(_ duration: Duration) {
        time.withLock { $0 = $0 + duration }
    }
}
