import Dispatch
import Locks

/// What happened, in order, for tests that wait for something to happen.
package final class EventLog<Event: Sendable>: Sendable {
    private struct Waiter: Sendable {
        let isMet: @Sendable ([Event]) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State: Sendable {
        var events: [Event] = []
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
        var cancelled: Set<Int> = []
    }

    private let state = Locked(State())

    /// Starts empty.
    package init() {}

    /// What happened so far.
    package var events: [Event] { state.withLock { $0.events } }

    /// Notes that something happened, and wakes those who waited for it.
    package func append(_ event: Event) {
        wake { $0.append(event) }
    }

    private func wake(_ change: (inout [Event]) -> Void) {
        let met = state.withLock { state in
            change(&state.events)
            let met = state.waiters.filter { $0.value.isMet(state.events) }
            for number in met.keys { state.waiters[number] = nil }
            return met.values.map(\.continuation)
        }
        for continuation in met { continuation.resume() }
    }

    /// Notes that several things happened together.
    package func append(contentsOf more: [Event]) {
        wake { $0 += more }
    }

    /// Blocks the thread until something has happened, half a minute at most; for slow delegates.
    package func blockingWait() {
        let semaphore = DispatchSemaphore(value: 0)
        let waiting = Task {
            try? await wait { $0.isEmpty ? nil : () }
            semaphore.signal()
        }
        _ = semaphore.wait(timeout: .now() + 30)
        waiting.cancel()
    }

    /// Waits until a number of things has happened.
    ///
    /// - Returns: All that happened by then.
    /// - Throws: `CancellationError` when the test's time is over.
    package func atLeast(_ count: Int) async throws -> [Event] {
        try await wait { $0.count >= count ? $0 : nil }
    }

    /// Waits until enough happened.
    ///
    /// - Parameter find: Looks at everything so far and gives what the test waits for, or nil to wait on.
    /// - Returns: What was found.
    /// - Throws: `CancellationError` when the test's time is over.
    package func wait<Found: Sendable>(for find: @escaping @Sendable ([Event]) -> Found?) async throws -> Found {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard find(state.events) == nil, !state.cancelled.contains(number) else { return true }
                    state.waiters[number] = Waiter(isMet: { find($0) != nil }, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.cancelled.insert(number)
                return state.waiters.removeValue(forKey: number)
            }
            waiter?.continuation.resume()
        }
        guard let found = find(events) else { throw CancellationError() }
        return found
    }
}
