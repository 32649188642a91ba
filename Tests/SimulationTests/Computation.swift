import Dispatch
import TestSupport

/// Computes what takes seconds on two threads of its own: tests of other suites wait for a time, and all tests share a few
/// threads.
enum Computation {
    private static let permits = DispatchSemaphore(value: 2)

    /// Computes a value.
    ///
    /// - Returns: The value that the body returns.
    /// - Throws: `CancellationError` when the test's time is over.
    static func value<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async throws -> Value {
        try await onThread {
            // After that time the test is over, too.
            let isPermitted = permits.wait(timeout: .now() + .seconds(180)) == .success
            defer { if isPermitted { permits.signal() } }
            return body()
        }
    }
}
