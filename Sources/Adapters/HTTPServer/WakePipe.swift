internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Wakes the server's thread while it waits.
final class WakePipe: Sendable {
    /// Readable from a signal until ``clear()``.
    let readEnd: Int32
    private let writeEnd: Int32
    private let isSignalled = Atomic(false)

    /// Creates a pipe; fails, with `errno` set, if the process has no descriptor left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Wakes the thread, now or when it waits next. On any thread.
    func signal() {
        guard !isSignalled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        var mark: UInt8 = 1
        _ = write(writeEnd, &mark, 1)
    }

    /// Consumes the signal. On the waiting thread, before it looks for the reason of the wake-up.
    func clear() {
        var mark: UInt8 = 0
        while read(readEnd, &mark, 1) == 1 {}
        // Last, so that a signal in between is not mistaken for one that is not handled yet.
        isSignalled.store(false, ordering: .sequentiallyConsistent)
    }
}
