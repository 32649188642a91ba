import Dispatch
import NewsflashBasics

/// A list of events in order, for tests that wait for an event.
package final class EventLog<Event: Sendable>: Sendable {
    private struct Waiter: Sendable {
        /// Checks the events. Returns a closure that wakes the waiter if its condition is met.
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

    /// The events so far.
    package var events: [Event] { state.withLock { $0.events } }

    /// Appends an event, and wakes the waiters whose condition is met.
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

    /// Appends several events at once.
    package func append(contentsOf more: [Event]) {
        wake { $0 += more }
    }

    /// Blocks the thread until the first event, half a minute at most; for slow delegates.
    package func blockingWait() {
        let semaphore = DispatchSemaphore(value: 0)
        let waiting = Task {
            try? await wait { $0.isEmpty ? nil : () }
            semaphore.signal()
        }
        _ = semaphore.wait(timeout: .now() + 30)
        waiting.cancel()
    }

    /// Waits for a number of events.
    ///
    /// - Returns: All events so far.
    /// - Throws: `CancellationError` when the test's time is over.
    package func atLeast(_ count: Int) async throws -> [Event] {
        try await wait { $0.count >= count ? $0 : nil }
    }

    /// Waits until the events meet a condition.
    ///
    /// - Parameter find: Receives all events so far and returns the awaited value, or `nil` to continue waiting.
    /// - Returns: The awaited value.
    /// - Throws: `CancellationError` when the test's time is over.
    package func wait<Found: Sendable>(for find: @escaping @Sendable ([Event]) -> Found?) async throws -> Found {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        // The waiter receives the found value, because more events may arrive before the task continues, and `find` may
        // then fail.
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
