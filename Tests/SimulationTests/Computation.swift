import Dispatch

/// Computes what takes seconds on two threads of its own: tests of other suites wait for a time, and all tests share a few
/// threads.
enum Computation {
    private static let queues = [DispatchQueue(label: "computation 0"), DispatchQueue(label: "computation 1")]

    /// Computes a value.
    ///
    /// - Parameters:
    ///   - part: Which of many parts of the work it is; they are shared out.
    ///   - body: The work.
    static func value<Value: Sendable>(
        _ part: Int,
        _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            queues[part % queues.count].async { continuation.resume(returning: body()) }
        }
    }
}
