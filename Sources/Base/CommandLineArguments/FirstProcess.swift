#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What the system does for every process but the first of a container: it ends at a signal that it does not handle.
enum FirstProcess {
    /// Lets the signals that ask for an end bring it about; whoever handles one by itself does so from then on.
    ///
    /// - Parameter identifier: Of this process; with any other than 1 there is nothing to do.
    static func endAtSignals(identifier: pid_t = getpid()) {
        guard identifier == 1 else { return }
        for number in [SIGHUP, SIGINT, SIGTERM] {
            signal(number) { _exit(128 + $0) }
        }
    }
}
