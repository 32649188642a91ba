import Locks

/// Locks by key: one task at a time works on a key; others wait in order.
///
/// Covers only this process; changes by other gateway processes are detected after the write.
final class KeyedTurns: Sendable {
    /// The maximum number of tasks that wait for a key; no app causes more.
    private static let mostWaiting = 16

    private typealias Turn = CheckedContinuation<Bool, Never>

    /// The waiting tasks of each locked key.
    private let waiting = Locked<[String: [Turn]]>([:])

    /// Runs work with keys locked.
    ///
    /// - Parameters:
    ///   - keys: The keys, locked in sorted order to prevent deadlocks.
    ///   - work: Runs when all keys are locked.
    /// - Returns: The result of the work.
    /// - Throws: Errors of the work; ``GatewayRefusal``, 503, if too many tasks wait.
    func work<Result>(
        on keys: Set<String>,
        _ work: () async throws(GatewayRefusal) -> Result
    ) async throws(GatewayRefusal) -> Result {
        var locked: [String] = []
        defer { for key in locked { unlock(key) } }
        for key in keys.sorted() {
            guard await lock(key) else {
                throw .unavailable("device_busy", "Too many requests for this device: try again.")
            }
            locked.append(key)
        }
        return try await work()
    }

    private func lock(_ key: String) async -> Bool {
        await withCheckedContinuation { (turn: Turn) in
            let isLocked = waiting.withLock { waiting -> Bool? in
                guard let others = waiting[key] else {
                    waiting[key] = []
                    return true
                }
                guard others.count < Self.mostWaiting else { return false }
                waiting[key] = others + [turn]
                return nil
            }
            if let isLocked { turn.resume(returning: isLocked) }
        }
    }

    private func unlock(_ key: String) {
        let next = waiting.withLock { waiting -> Turn? in
            guard let first = waiting[key]?.first else {
                waiting[key] = nil
                return nil
            }
            waiting[key]?.removeFirst()
            return first
        }
        next?.resume(returning: true)
    }
}
