import NewsflashBasics

/// A queue that lets one task at a time proceed, in order of arrival.
///
/// An actor alone does not ensure this: while one call waits for a response, another begins.
final class TaskQueue: Sendable {
    private struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var isTaken = false
        var lastNumber = 0
        var waiting: [Waiter] = []
    }

    private let state = Locked(State())

    /// Waits for the caller's turn.
    ///
    /// - Returns: Whether the caller has the turn, which ``pass()`` ends; false if the task was cancelled before.
    func wait() async -> Bool {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    // A later cancellation finds the continuation, because its handler needs this lock.
                    if Task.isCancelled { return false }
                    guard state.isTaken else {
                        state.isTaken = true
                        return true
                    }
                    state.waiting.append(Waiter(number: number, continuation: continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                guard let place = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
                return state.waiting.remove(at: place)
            }
            waiter?.continuation.resume(returning: false)
        }
    }

    /// Gives the turn to the task that has waited longest.
    func pass() {
        let next = state.withLock { state -> Waiter? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.continuation.resume(returning: true)
    }
}
