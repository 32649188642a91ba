/// An event that occurs at most once, and that any number of tasks can wait for.
package final class Promise<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiting: [Int: CheckedContinuation<Value?, Never>] = [:]
        var waiters = 0
    }

    private let state = Locked(State())

    package init() {}

    /// Triggers the event.
    ///
    /// - Parameter value: The value for the waiting tasks.
    /// - Returns: Whether this was the first call; later calls have no effect.
    @discardableResult
    package func end(with value: Value) -> Bool {
        let waiting = state.withLock { state -> [CheckedContinuation<Value?, Never>]? in
            guard state.value == nil else { return nil }
            state.value = value
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting ?? [] { continuation.resume(returning: value) }
        return waiting != nil
    }

    /// Waits for the event.
    ///
    /// - Returns: The value; `nil` if the waiting task was cancelled first, which does not affect other waiting tasks.
    package func wait() async -> Value? {
        let waiter = state.withLock { state in
            state.waiters += 1
            return state.waiters
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state -> (isOver: Bool, value: Value?) in
                    // A later cancellation finds the continuation, because its handler needs this lock.
                    if state.value != nil || Task.isCancelled { return (true, state.value) }
                    state.waiting[waiter] = continuation
                    return (false, nil)
                }
                if ready.isOver { continuation.resume(returning: ready.value) }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: waiter) }?.resume(returning: nil)
        }
    }
}
