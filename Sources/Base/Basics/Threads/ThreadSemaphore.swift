#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A counting semaphore for dedicated threads; never use it on threads of the cooperative pool.
// Unchecked, because the mutex guards the count.
@safe package final class ThreadSemaphore: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var count = 0

    /// Creates a semaphore without a signal.
    package init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        unsafe condition = .allocate(capacity: 1)
        #if canImport(Glibc)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        // A monotonic clock, so that setting the system time does not prolong a wait.
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

    /// Wakes one waiting thread, or lets the next one that waits continue at once.
    package func signal() {
        unsafe pthread_mutex_lock(mutex)
        count += 1
        unsafe pthread_cond_signal(condition)
        unsafe pthread_mutex_unlock(mutex)
    }

    /// Waits for a signal and consumes it.
    package func wait() {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while count == 0 { unsafe pthread_cond_wait(condition, mutex) }
        count -= 1
    }

    /// Waits for a signal and consumes it, for a limited time.
    ///
    /// - Parameter patience: The maximum time to wait.
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

    /// Waits for a signal or the timeout; may wake spuriously.
    private func waitOnce(_ left: Duration) {
        // At most an hour at a time, to avoid overflow.
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
