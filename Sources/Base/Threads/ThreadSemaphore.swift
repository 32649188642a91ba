#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Counts signals that threads wait for; for threads of their own, never for those of the cooperative pool.
// Unchecked, because the mutex guards the count.
@safe package final class ThreadSemaphore: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var count = 0

    /// Makes a semaphore without a signal.
    package init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        unsafe condition = .allocate(capacity: 1)
        #if canImport(Glibc)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        // A clock that is set must not stretch a wait.
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
        #else
        unsafe pthread_cond_init(condition, nil)
        #endif
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Lets one waiting thread go on, or the next that comes.
    package func signal() {
        unsafe pthread_mutex_lock(mutex)
        count += 1
        unsafe pthread_cond_signal(condition)
        unsafe pthread_mutex_unlock(mutex)
    }

    /// Waits for a signal and takes it.
    package func wait() {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while count == 0 { unsafe pthread_cond_wait(condition, mutex) }
        count -= 1
    }

    /// Waits for a signal and takes it, but not for longer than that.
    ///
    /// - Parameter patience: How long to wait at most.
    /// - Returns: Whether there was a signal.
    package func wait(within patience: Duration) -> Bool {
        let deadline = ContinuousClock.now + patience
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while count == 0 {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return false }
            waitOnce(left)
        }
        count -= 1
        return true
    }

    /// Waits for a signal or for so long, whichever comes first, or for nothing at all.
    private func waitOnce(_ left: Duration) {
        // An hour at a time, so that no sum can be too large.
        let (seconds, attoseconds) = min(left, .seconds(3600)).components
        #if canImport(Glibc)
        var instant = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &instant)
        instant.tv_sec += Int(seconds)
        instant.tv_nsec += Int(attoseconds / 1_000_000_000)
        if instant.tv_nsec >= 1_000_000_000 {
            instant.tv_sec += 1
            instant.tv_nsec -= 1_000_000_000
        }
        unsafe pthread_cond_timedwait(condition, mutex, &instant)
        #else
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        unsafe pthread_cond_timedwait_relative_np(condition, mutex, &time)
        #endif
    }
}
