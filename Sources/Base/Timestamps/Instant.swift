#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// An instant of the monotonic clock, which cannot be set and continues while the machine sleeps.
///
/// Uses the clock of `ContinuousClock`. The size of that type's instant is only known at run time, so types that contain it
/// are copied and compared through witness tables; this type avoids that.
public struct Instant: Hashable, Comparable, Sendable {
    /// Nanoseconds since the machine was started.
    public var nanoseconds: Int64

    /// Creates an instant from nanoseconds.
    ///
    /// - Parameter nanoseconds: Nanoseconds since the machine was started.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The current instant.
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

    /// Returns the instant after a duration, clamped to the range.
    public static func + (left: Instant, right: Duration) -> Instant {
        let length = right.wholeNanoseconds
        let (sum, overflow) = left.nanoseconds.addingReportingOverflow(length)
        return Instant(nanoseconds: overflow ? (length < 0 ? .min : .max) : sum)
    }

    /// Adds a duration, clamped to the range.
    public static func += (left: inout Instant, right: Duration) {
        left = left + right
    }

    /// Returns the instant before a duration, clamped to the range.
    public static func - (left: Instant, right: Duration) -> Instant {
        left + (.zero - right)
    }

    /// Returns the time from the right instant to the left one.
    public static func - (left: Instant, right: Instant) -> Duration {
        .nanoseconds(left.nanoseconds) - .nanoseconds(right.nanoseconds)
    }
}
