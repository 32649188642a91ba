package import Timestamps

/// One instant by two clocks, which the types hold apart.
///
/// Delays of ours (retries, probes, commits) run on ``instant``, which nobody sets back. What people wrote (published,
/// embargo, expires) is compared with ``wall``.
package struct Moment: Hashable, Sendable {
    /// The monotonic clock; it goes on while the machine sleeps.
    package var instant: Instant
    /// The civil clock; it may jump when someone sets it.
    package var wall: Timestamp

    package init(instant: Instant, wall: Timestamp) {
        self.instant = instant
        self.wall = wall
    }

    /// The present by the system's clocks.
    package static func now() -> Moment {
        Moment(instant: .now, wall: .now())
    }

    /// The moment that lies a duration later, if nobody sets the civil clock.
    package static func + (left: Moment, right: Duration) -> Moment {
        Moment(instant: left.instant + right, wall: left.wall + right)
    }

    /// When the monotonic clock will show what the civil clock shows then, if nobody sets it.
    package func instant(of wall: Timestamp) -> Instant {
        instant + (wall - self.wall)
    }

    /// What the civil clock will show at an instant, for people; if nobody sets it.
    package func wall(of instant: Instant) -> Timestamp {
        wall + (instant - self.instant)
    }
}
