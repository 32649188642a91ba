#if TSAN || canImport(Darwin)
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// Unchecked, because the pthread mutex guards the pointers: `value` is only touched inside `withLock`.
/// A value that only one thread accesses at a time.
///
/// Hold the lock for a few instructions: copy what you need, leave, then act. The closure must not call code that might
/// take another lock or block.
///
/// Built on a pthread mutex, for two reasons. `Synchronization.Mutex` requires iOS 18 and macOS 15. On Linux it uses a
/// futex, which the thread sanitizer (`-Xswiftc -DTSAN`) does not recognize: it would report every access as a race.
@safe public struct Locked<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    /// Creates a lock around a value.
    ///
    /// - Parameter value: The initial value.
    public init(_ value: consuming sending Value) {
        unsafe self.mutex = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        unsafe self.value = .allocate(capacity: 1)
        unsafe self.value.initialize(to: value)
    }

    deinit {
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Runs the closure while no other thread is inside.
    ///
    /// - Parameter body: A short operation on the value.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure.
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try unsafe body(&value.pointee)
    }
}
#endif
