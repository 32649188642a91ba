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
        var taken: [String] = []
        defer { for key in taken { giveBack(key) } }
        for key in keys.sorted() {
            guard await take(key) else {
                throw .unavailable("device_busy", "Too many requests for this device: try again.")
            }
            taken.append(key)
        }
        return try await work()
    }

    private func take(_ key: String) async -> Bool {
        await withCheckedContinuation { (turn: Turn) in
            let isTaken = waiting.withLock { waiting -> Bool? in
                guard let others = waiting[key] else {
                    waiting[key] = []
                    return true
                }
                guard others.count < Self.mostWaiting else { return false }
                waiting[key] = others + [turn]
                return nil
            }
            if let isTaken { turn.resume(returning: isTaken) }
        }
    }

    private func giveBack(_ key: String) {
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
