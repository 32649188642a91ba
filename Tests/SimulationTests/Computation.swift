import Dispatch
import NewsflashTestSupport

#if canImport(Glibc)
import Glibc
#endif

/// Computes long work on two threads of its own, with the lowest priority: tests of other suites wait for a time, and
/// all tests share a few threads.
enum Computation {
    private static let permits = DispatchSemaphore(value: 2)

    /// Computes a value.
    ///
    /// - Returns: The value of the body.
    /// - Throws: `CancellationError` when the test's time is over.
    static func value<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async throws -> Value {
        try await onThread {
            // After that time the test has ended, too.
            let isPermitted = permits.wait(timeout: .now() + .seconds(600)) == .success
            defer { if isPermitted { permits.signal() } }
            #if canImport(Glibc)
            // On Linux this sets the priority of this thread only.
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
            #endif
            return body()
        }
    }
}
