package import NewsflashTimestamps

/// One instant on two clocks, which have different types.
///
/// Our delays (retries, probes, commits) use ``instant``, which nobody sets back. Times that people wrote (published, embargo,
/// expires) are compared with ``wall``.
package struct Moment: Hashable, Sendable {
    /// The monotonic clock. It also advances while the machine sleeps.
    package var instant: Instant
    /// The civil clock; it may jump when someone sets it.
    package var wall: Timestamp

    package init(instant: Instant, wall: Timestamp) {
        self.instant = instant
        self.wall = wall
    }

    /// The current time of the system's clocks.
    package static func now() -> Moment {
        Moment(instant: .now, wall: .now())
    }

    /// The moment a duration later, if nobody sets the civil clock.
    package static func + (left: Moment, right: Duration) -> Moment {
        Moment(instant: left.instant + right, wall: left.wall + right)
    }

    /// Converts a civil time to the monotonic clock, if nobody sets the civil clock.
    package func instant(of wall: Timestamp) -> Instant {
        instant + (wall - self.wall)
    }

    /// Converts an instant to the civil clock, for people, if nobody sets that clock.
    package func wall(of instant: Instant) -> Timestamp {
        wall + (instant - self.instant)
    }
}
