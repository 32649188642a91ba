#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// How many files and connections this process may have open at once.
package enum FileDescriptorLimit {
    /// How many it may have now.
    package static var current: Int { limits().map { Int(clamping: $0.rlim_cur) } ?? 1024 }

    /// Raises the limit to the highest that the system lets this process have.
    ///
    /// Nothing happens where that is refused: a server takes fewer connections then.
    package static func raise() {
        guard var limits = limits(), limits.rlim_cur < limits.rlim_max else { return }
        limits.rlim_cur = limits.rlim_max
        setrlimit(descriptors, &limits)
    }

    /// How many of its own a server may use, so that what else runs here does not run out.
    ///
    /// - Parameter wanted: Without a limit.
    /// - Returns: At least one, at most what was wanted.
    static func connections(wanted: Int) -> Int {
        let current = current
        return max(1, min(wanted, current - max(32, current / 8)))
    }

    private static func limits() -> rlimit? {
        var limits = rlimit()
        return getrlimit(descriptors, &limits) == 0 ? limits : nil
    }

    #if canImport(Glibc)
    private static let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let descriptors = RLIMIT_NOFILE
    #endif
}
