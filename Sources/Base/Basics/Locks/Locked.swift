#if !TSAN && !canImport(Darwin)
import Synchronization

/// A value that only one thread accesses at a time.
///
/// Hold the lock for a few instructions: copy what you need, leave, then act. The closure must not call code that might
/// take another lock or block.
///
/// Built on `Synchronization.Mutex`; `Locked+Pthread.swift` is for Apple's platforms and the thread sanitizer.
public struct Locked<Value: ~Copyable>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>

    /// Creates a lock around a value.
    ///
    /// - Parameter value: The initial value.
    public init(_ value: consuming sending Value) {
        self.mutex = Mutex(value)
    }

    /// Runs the closure while no other thread is inside.
    ///
    /// - Parameter body: A short operation on the value.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure.
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock(body)
    }
}
#endif
