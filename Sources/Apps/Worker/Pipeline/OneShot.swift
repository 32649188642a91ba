import Locks

/// Something that happens at most once, and that a task may wait for.
package final class OneShot<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiting: [CheckedContinuation<Value?, Never>] = []
        var isCancelled = false
    }

    private let state = Locked(State())

    package init() {}

    /// Lets it happen.
    ///
    /// - Parameter value: What those who wait are given.
    /// - Returns: Whether it had not happened yet; only the first time counts.
    @discardableResult
    package func end(with value: Value) -> Bool {
        let waiting = state.withLock { state -> [CheckedContinuation<Value?, Never>]? in
            guard state.value == nil else { return nil }
            state.value = value
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting ?? [] { continuation.resume(returning: value) }
        return waiting != nil
    }

    /// Waits for it.
    ///
    /// - Returns: The value; `nil` when the waiting task was cancelled first.
    package func wait() async -> Value? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state -> (isOver: Bool, value: Value?) in
                    if state.value != nil || state.isCancelled { return (true, state.value) }
                    state.waiting.append(continuation)
                    return (false, nil)
                }
                if ready.isOver { continuation.resume(returning: ready.value) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                state.isCancelled = true
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume(returning: nil) }
        }
    }
}
