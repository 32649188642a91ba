#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The maximum number of files and connections that this process may have open.
package enum FileDescriptorLimit {
    /// The current limit.
    package static var current: Int { limits().map { Int(clamping: $0.rlim_cur) } ?? 1024 }

    /// Raises the limit to the highest that the system allows this process.
    ///
    /// Does nothing if that is refused: then a server accepts fewer connections.
    package static func raise() {
        guard var limits = limits(), limits.rlim_cur < limits.rlim_max else { return }
        limits.rlim_cur = limits.rlim_max
        setrlimit(descriptors, &limits)
    }

    /// Returns the number of descriptors that a server may use, so that enough are left for the rest of the process.
    ///
    /// - Parameter wanted: The number without a limit.
    /// - Returns: At least one, at most the wanted number.
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
