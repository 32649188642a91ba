import NewsflashBasics
import NewsflashTimestamps

/// A clock that only changes when it is set.
final class SetClock: Sendable {
    private let now = Locked(Desk.now)

    var read: @Sendable () -> Timestamp { { self.now.withLock { $0 } } }

    func set(_ instant: Timestamp) { now.withLock { $0 = instant } }
}
