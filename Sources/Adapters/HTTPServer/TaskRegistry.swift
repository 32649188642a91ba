internal import Locks

/// The tasks that prepare responses, so that the server can end and wait for them.
final class TaskRegistry: Sendable {
    private struct State {
        var isClosed = false
        var next: UInt64 = 0
        var running: [UInt64: Task<Void, Never>] = [:]
    }

    private let state = Locked(State())

    /// Starts a task unless the server is stopping.
    ///
    /// - Parameter work: The work of the task.
    /// - Returns: The task; `nil` if it was not started.
    func start(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never>? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            let id = state.next
            state.next += 1
            // ``finish()`` waits for it. The lock is held until it is registered, so it cannot be removed before.
            let task = Task {
                await work()
                self.remove(id)
            }
            state.running[id] = task
            return task
        }
    }

    /// Cancels all tasks and waits until they have ended.
    func finish() async {
        let running = cancelAll()
        for task in running { await task.value }
    }

    /// Cancels all tasks and prevents new ones.
    ///
    /// - Returns: The tasks that have not ended yet.
    @discardableResult
    func cancelAll() -> [Task<Void, Never>] {
        let running = state.withLock { state in
            state.isClosed = true
            return Array(state.running.values)
        }
        for task in running { task.cancel() }
        return running
    }

    private func remove(_ id: UInt64) {
        state.withLock { $0.running[id] = nil }
    }
}
