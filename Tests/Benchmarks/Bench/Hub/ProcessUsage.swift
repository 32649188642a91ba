#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The resources that this process had used at an instant.
struct ProcessUsage {
    let instant: ContinuousClock.Instant
    /// The user and system time of all threads.
    let cpu: Duration

    /// Returns the current usage.
    static func now() -> ProcessUsage {
        var usage = rusage()
        #if canImport(Glibc)
        getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        #else
        getrusage(RUSAGE_SELF, &usage)
        #endif
        return ProcessUsage(instant: .now, cpu: usage.ru_utime.duration + usage.ru_stime.duration)
    }
}

extension timeval {
    fileprivate var duration: Duration { .seconds(Int64(tv_sec)) + .microseconds(Int64(tv_usec)) }
}
