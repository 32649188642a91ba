import Synchronization

/// The level of a logger and of all its copies, which may change while they are in use.
package final class LogThreshold: Sendable {
    private let place: Atomic<Int>

    /// Makes a threshold.
    ///
    /// - Parameter level: Entries below are not even made.
    package init(_ level: LogLevel) {
        place = Atomic(level.rank)
    }

    /// Entries below are not even made; whoever logs meanwhile finds the old level or the new one.
    package var level: LogLevel {
        get { LogLevel(rank: place.load(ordering: .relaxed)) }
        set { place.store(newValue.rank, ordering: .relaxed) }
    }
}
