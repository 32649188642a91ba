import Synchronization

/// The level shared by a logger and its copies, which may change at any time.
package final class LogThreshold: Sendable {
    private let place: Atomic<Int>

    /// Creates a threshold.
    ///
    /// - Parameter level: The lowest level that is logged.
    package init(_ level: LogLevel) {
        place = Atomic(level.rank)
    }

    /// The lowest level that is logged. Concurrent logging uses either the old or the new level.
    package var level: LogLevel {
        get { LogLevel(rank: place.load(ordering: .relaxed)) }
        set { place.store(newValue.rank, ordering: .relaxed) }
    }
}
