#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Restores default signal handling for the first process of a container, which otherwise ignores unhandled signals.
enum FirstProcess {
    /// Makes terminating signals end the process. Later handlers replace this behaviour.
    ///
    /// - Parameter identifier: The ID of this process; nothing is done unless it is 1.
    static func endAtSignals(identifier: pid_t = getpid()) {
        guard identifier == 1 else { return }
        for number in [SIGHUP, SIGINT, SIGTERM] {
            signal(number) { _exit(128 + $0) }
        }
    }
}
