import Threads

/// Waits until a condition is met, for states that nothing reports.
///
/// A millisecond lies between two looks: a loop without a pause takes the processor from what it waits for. Wait on an
/// ``EventLog`` instead if something reports the change.
///
/// - Parameter isMet: Looks at the state.
/// - Throws: `CancellationError` when the test's time is over.
package func waitUntil(_ isMet: () async throws -> Bool) async throws {
    try await waitFor { try await isMet() ? () : nil }
}

/// Waits until there is a value, for states that nothing reports.
///
/// - Parameter find: Looks for it; `nil` if it is not there yet.
/// - Returns: The first value.
/// - Throws: `CancellationError` when the test's time is over.
package func waitFor<Value>(_ find: () async throws -> Value?) async throws -> Value {
    while true {
        try Task.checkCancellation()
        if let value = try await find() { return value }
        try await Task.sleep(for: .milliseconds(1))
    }
}

/// Runs what blocks on a thread of its own.
///
/// - Returns: The result.
/// - Throws: `CancellationError` when the test's time is over; the thread is left behind then.
package func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async throws -> Value {
    let ends = EventLog<Value>()
    startThread(named: "blocking") { ends.append(body()) }
    return try await ends.wait { $0.first }
}

/// Something that the tests of one process share.
package final class SharedStart<Value: Sendable>: Sendable {
    private let ends = EventLog<Result<Value, any Error>>()

    /// Starts it, in a task that the end of no test cancels.
    package init(_ start: @escaping @Sendable () async throws -> Value) {
        Task.detached { [ends] in
            do {
                ends.append(.success(try await start()))
            } catch {
                ends.append(.failure(error))
            }
        }
    }

    /// The result of the start, as soon as it is there.
    ///
    /// - Throws: Why it could not be started; `CancellationError` when the test's time is over.
    package var value: Value {
        get async throws { try await ends.wait { $0.first }.get() }
    }
}
