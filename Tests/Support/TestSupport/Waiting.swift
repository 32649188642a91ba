import NewsflashBasics

/// Waits until a condition is met, for states that nothing reports.
///
/// It pauses between checks, because they would take processor time from the awaited work: a millisecond at first, and up
/// to ten if it waits for long, because many checks ask a broker. Wait on an ``EventLog`` instead if something reports the
/// change.
///
/// - Parameter isMet: Checks the state.
/// - Throws: `CancellationError` when the test's time is over.
package func waitUntil(_ isMet: () async throws -> Bool) async throws {
    try await waitFor { try await isMet() ? () : nil }
}

/// Waits until a value exists, for states that nothing reports.
///
/// - Parameter find: Returns the value, or `nil` if it does not exist yet.
/// - Returns: The first value.
/// - Throws: `CancellationError` when the test's time is over.
package func waitFor<Value>(_ find: () async throws -> Value?) async throws -> Value {
    var pause = Duration.milliseconds(1)
    while true {
        try Task.checkCancellation()
        if let value = try await find() { return value }
        try await Task.sleep(for: pause)
        pause = min(pause * 1.25, .milliseconds(10))
    }
}

/// Runs a blocking closure on its own thread.
///
/// - Returns: The result.
/// - Throws: `CancellationError` when the test's time is over; the thread then continues.
package func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async throws -> Value {
    let ends = EventLog<Value>()
    startThread(named: "blocking") { ends.append(body()) }
    return try await ends.wait { $0.first }
}

/// A value that the tests of one process share.
package final class SharedStart<Value: Sendable>: Sendable {
    private let ends = EventLog<Result<Value, any Error>>()

    /// Starts it in a task that the end of a test does not cancel.
    package init(_ start: @escaping @Sendable () async throws -> Value) {
        Task.detached { [ends] in
            do {
                ends.append(.success(try await start()))
            } catch {
                ends.append(.failure(error))
            }
        }
    }

    /// The result of the start, as soon as it exists.
    ///
    /// - Throws: The error of the start; `CancellationError` when the test's time is over.
    package var value: Value {
        get async throws { try await ends.wait { $0.first }.get() }
    }
}
