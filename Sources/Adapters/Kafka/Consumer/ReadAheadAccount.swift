import NewsflashBasics

/// Counts the bytes that were handed over and not yet released.
///
/// The consumer's thread reserves credit before it hands a message over. It is released with the message, on any thread, also
/// long after the consumer was closed.
package final class ReadAheadAccount: Sendable {
    private struct State {
        var inUse = 0
        /// The number of bytes in use below which credit is available again; `nil` if nothing was refused.
        var resumption: Int?
    }

    private let state = Locked(State())
    private let limit: Int
    private let bytesBesideMessage: Int
    private let wake: @Sendable () -> Void

    /// Opens an account.
    ///
    /// - Parameters:
    ///   - readAhead: The limit.
    ///   - wake: Called when there is enough credit again after a refusal.
    package init(_ readAhead: KafkaReadAhead, wake: @escaping @Sendable () -> Void) {
        self.limit = max(0, readAhead.byteLimit)
        // A terabyte is as good as any higher number, and sums cannot overflow.
        self.bytesBesideMessage = min(max(0, readAhead.bytesBesideMessage), 1 << 40)
        self.wake = wake
    }

    /// The bytes in use.
    package var inUse: Int { state.withLock { $0.inUse } }

    /// Whether dequeuing a message is worthwhile: false from a refusal until enough credit is available.
    package var mayHaveCredit: Bool {
        state.withLock { state in state.resumption.map { state.inUse <= $0 } ?? true }
    }

    /// Returns the cost of a message.
    package func cost(ofBytes count: Int) -> Int { count + bytesBesideMessage }

    /// Reserves credit.
    ///
    /// - Parameter cost: See ``cost(ofBytes:)``.
    /// - Returns: Whether there was enough. If not, the closure of ``init(_:wake:)`` is called when that changes.
    package func reserve(_ cost: Int) -> Bool {
        state.withLock { state in
            if let resumption = state.resumption, state.inUse > resumption { return false }
            if state.inUse > 0, cost > limit - state.inUse {
                // Not at the first released byte: each wake-up should yield a batch.
                state.resumption = max(0, min(limit / 4 * 3, limit - cost))
                return false
            }
            state.inUse += cost
            state.resumption = nil
            return true
        }
    }

    /// Releases credit.
    package func release(_ cost: Int) {
        let isEnough = state.withLock { state in
            state.inUse -= cost
            guard let resumption = state.resumption, state.inUse <= resumption else { return false }
            state.resumption = nil
            return true
        }
        if isEnough { wake() }
    }
}
