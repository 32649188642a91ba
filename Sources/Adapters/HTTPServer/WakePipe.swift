internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Wakes the server's thread from where it waits.
final class WakePipe: Sendable {
    /// Can be read from a signal until ``clear()``.
    let readEnd: Int32
    private let writeEnd: Int32
    private let isSignalled = Atomic(false)

    /// Makes a pipe; nothing, with `errno` set, where the process has no descriptor left.
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

    /// Wakes the thread, now or when it next waits. On any thread.
    func signal() {
        guard !isSignalled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        var mark: UInt8 = 1
        _ = write(writeEnd, &mark, 1)
    }

    /// Takes the signal. On the thread that waits, before it looks for what it was woken for.
    func clear() {
        var mark: UInt8 = 0
        while read(readEnd, &mark, 1) == 1 {}
        // Last, so that a signal in between is not taken for one that is still to be seen.
        isSignalled.store(false, ordering: .sequentiallyConsistent)
    }
}
