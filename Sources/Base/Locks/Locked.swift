#if !TSAN && !canImport(Darwin)
import Synchronization

/// A value that only one thread touches at a time.
///
/// Hold it for a few instructions: take what you need, leave, then act. Never call out of the closure to code that
/// might take another lock or block.
///
/// Built on `Synchronization.Mutex`; `Locked+Pthread.swift` is the form for Apple's platforms and the thread sanitizer.
public struct Locked<Value: ~Copyable>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>

    /// Makes a lock around a value.
    ///
    /// - Parameter value: The first state of what is protected.
    public init(_ value: consuming sending Value) {
        self.mutex = Mutex(value)
    }

    /// Runs the closure while no other thread is inside.
    ///
    /// - Parameter body: Short work on the value.
    /// - Returns: What the closure returned.
    /// - Throws: What the closure threw.
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock(body)
    }
}
#endif
