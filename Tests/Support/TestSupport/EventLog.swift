import Dispatch
import Locks

/// What happened, in order, for tests that wait for something to happen.
package final class EventLog<Event: Sendable>: Sendable {
    private struct Waiter: Sendable {
        /// Looks at the events; gives what wakes the waiter if it found what it waits for.
        let find: @Sendable ([Event]) -> (@Sendable () -> Void)?
        let cancel: @Sendable () -> Void
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
        let found = state.withLock { state in
            change(&state.events)
            let found = state.waiters.compactMapValues { $0.find(state.events) }
            for number in found.keys { state.waiters[number] = nil }
            return found.values
        }
        for wake in found { wake() }
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
        // More events may come before the task goes on, and `find` may not hold for them: the waiter gets what was found.
        let found: Found? = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Found?, Never>) in
                let waiter = Waiter(
                    find: { events in
                        guard let found = find(events) else { return nil }
                        return { continuation.resume(returning: found) }
                    },
                    cancel: { continuation.resume(returning: nil) }
                )
                let wake: (@Sendable () -> Void)? = state.withLock { state in
                    if let wake = waiter.find(state.events) { return wake }
                    if state.cancelled.contains(number) { return waiter.cancel }
                    state.waiters[number] = waiter
                    return nil
                }
                wake?()
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.cancelled.insert(number)
                return state.waiters.removeValue(forKey: number)
            }
            waiter?.cancel()
        }
        guard let found else { throw CancellationError() }
        return found
    }
}
