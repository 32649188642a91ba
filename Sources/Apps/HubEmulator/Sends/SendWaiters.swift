/// Tasks that wait for a send. They are resumed outside the lock that guards this.
struct SendWaiters {
    private struct Waiter {
        var sequence: Int64
        var continuation: CheckedContinuation<Void, Never>
    }

    private var waiters: [UInt64: Waiter] = [:]
    private var lastID: UInt64 = 0

    mutating func makeID() -> UInt64 {
        lastID += 1
        return lastID
    }

    mutating func add(_ continuation: CheckedContinuation<Void, Never>, id: UInt64, sequence: Int64) {
        waiters[id] = Waiter(sequence: sequence, continuation: continuation)
    }

    mutating func remove(id: UInt64) -> CheckedContinuation<Void, Never>? {
        waiters.removeValue(forKey: id)?.continuation
    }

    /// Removes and returns the continuations whose send has arrived.
    mutating func removeReady(last: Int64) -> [CheckedContinuation<Void, Never>] {
        guard !waiters.isEmpty else { return [] }
        let ready = waiters.filter { $0.value.sequence <= last }
        for id in ready.keys { waiters[id] = nil }
        return ready.values.map(\.continuation)
    }
}
