#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// An instant, in nanoseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// The range is from 1678 to 2262. Text forms are RFC 3339 (``init(rfc3339:)-(String)``, ``rfc3339``) and the date of HTTP
/// headers (``init(httpDate:)``).
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Nanoseconds since the epoch; negative before it.
    public var nanoseconds: Int64

    /// Creates an instant from nanoseconds since the epoch.
    ///
    /// - Parameter nanoseconds: Nanoseconds; negative before 1970.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Creates an instant from milliseconds since the epoch, the unit of Kafka's record times.
    ///
    /// - Parameter milliseconds: Milliseconds; clamped to the range of the type.
    public init(milliseconds: Int64) {
        let (product, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
        self.nanoseconds = overflow ? (milliseconds < 0 ? .min : .max) : product
    }

    /// Creates an instant from seconds since the epoch, the unit of the expiry of SAS tokens.
    ///
    /// - Parameter seconds: Seconds; clamped to the range of the type.
    public init(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        self.nanoseconds = overflow ? (seconds < 0 ? .min : .max) : product
    }

    /// Whole milliseconds since the epoch, rounded down.
    public var milliseconds: Int64 { nanoseconds.flooredDivision(by: 1_000_000) }

    /// Whole seconds since the epoch, rounded down.
    public var seconds: Int64 { nanoseconds.flooredDivision(by: 1_000_000_000) }

    /// Returns the current time by the system's real-time clock.
    public static func now() -> Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Orders by time.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// Returns the instant after a duration, clamped to the range.
    public static func + (left: Timestamp, right: Duration) -> Timestamp {
        Timestamp(nanoseconds: (.nanoseconds(left.nanoseconds) + right).wholeNanoseconds)
    }

    /// Returns the instant before a duration, clamped to the range.
    public static func - (left: Timestamp, right: Duration) -> Timestamp {
        left + (.zero - right)
    }

    /// Returns the time from the right instant to the left one.
    public static func - (left: Timestamp, right: Timestamp) -> Duration {
        .nanoseconds(left.nanoseconds) - .nanoseconds(right.nanoseconds)
    }

    /// Returns the milliseconds since another instant, with their fraction, for people and metrics.
    ///
    /// - Parameter other: The other instant; a later one gives a negative number.
    /// - Returns: The difference, rounded if the instants are centuries apart.
    public func milliseconds(since other: Timestamp) -> Double {
        let (length, overflow) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
        return (overflow ? Double(nanoseconds) - Double(other.nanoseconds) : Double(length)) / 1e6
    }
}

extension Duration {
    /// The length in nanoseconds, clamped to 64 bits.
    public var wholeNanoseconds: Int64 {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *) else {
            return wholeNanosecondsOfComponents
        }
        // Takes a quarter of the time of `components`; always available on Linux.
        return Int64(clamping: attoseconds / 1_000_000_000)
    }

    /// The same, for a standard library without 128-bit integers.
    var wholeNanosecondsOfComponents: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isJustTooLarge) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isTooLarge || isJustTooLarge ? (seconds < 0 ? .min : .max) : sum
    }

    /// The length in seconds, for people and metrics.
    public var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}

extension Int64 {
    func flooredDivision(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
