#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// An instant of the monotonic clock, which nobody sets back and which goes on while the machine sleeps.
///
/// The clock is that of `ContinuousClock`. Its own instant has a size that is known only when the program runs, so that all
/// that holds one is copied and compared by way of tables; of this one the compiler knows all.
public struct Instant: Hashable, Comparable, Sendable {
    /// Nanoseconds since the machine was started.
    public var nanoseconds: Int64

    /// Makes an instant from nanoseconds.
    ///
    /// - Parameter nanoseconds: Since the machine was started.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The present.
    public static var now: Instant {
        var time = timespec()
        #if canImport(Glibc)
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        #else
        unsafe clock_gettime(CLOCK_MONOTONIC_RAW, &time)
        #endif
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Orders by time.
    public static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The instant that lies a duration later; held at the ends of the range.
    public static func + (left: Instant, right: Duration) -> Instant {
        let length = right.wholeNanoseconds
        let (sum, overflow) = left.nanoseconds.addingReportingOverflow(length)
        return Instant(nanoseconds: overflow ? (length < 0 ? .min : .max) : sum)
    }

    /// Moves an instant by a duration; holds it at the ends of the range.
    public static func += (left: inout Instant, right: Duration) {
        left = left + right
    }

    /// The instant that lies a duration earlier; held at the ends of the range.
    public static func - (left: Instant, right: Duration) -> Instant {
        left + (.zero - right)
    }

    /// The time from the right instant to the left one.
    public static func - (left: Instant, right: Instant) -> Duration {
        .nanoseconds(left.nanoseconds) - .nanoseconds(right.nanoseconds)
    }
}
