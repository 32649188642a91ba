import Locks

/// The bytes that were handed over and not yet let go.
///
/// The consumer's thread takes credit before it hands a message over; the message gives it back at its end, on any thread,
/// also when the consumer is long closed.
package final class ReadAheadAccount: Sendable {
    private struct State {
        var inUse = 0
        /// Where taking goes on; nil while nothing was refused.
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
    ///   - wake: Wakes whoever was refused credit, once there is enough.
    package init(_ readAhead: KafkaReadAhead, wake: @escaping @Sendable () -> Void) {
        self.limit = max(0, readAhead.byteLimit)
        // A terabyte is as good as any number above it, and sums of them cannot overflow.
        self.bytesBesideMessage = min(max(0, readAhead.bytesBesideMessage), 1 << 40)
        self.wake = wake
    }

    /// The bytes that are out.
    package var inUse: Int { state.withLock { $0.inUse } }

    /// Whether it is worth to look for a message: false from a refusal until enough came back.
    package var mayHaveCredit: Bool {
        state.withLock { state in state.resumption.map { state.inUse <= $0 } ?? true }
    }

    /// What a message costs.
    package func cost(ofBytes count: Int) -> Int { count + bytesBesideMessage }

    /// Takes credit.
    ///
    /// - Parameter cost: See ``cost(ofBytes:)``.
    /// - Returns: Whether there was enough. If not, ``init(_:wake:)``'s closure is called once that changes.
    package func take(_ cost: Int) -> Bool {
        state.withLock { state in
            if let resumption = state.resumption, state.inUse > resumption { return false }
            if state.inUse > 0, cost > limit - state.inUse {
                // Not at the first byte that comes back: each wake-up is to be worth a batch.
                state.resumption = max(0, min(limit / 4 * 3, limit - cost))
                return false
            }
            state.inUse += cost
            state.resumption = nil
            return true
        }
    }

    /// Gives credit back.
    ///
    /// - Parameter cost: What was taken.
    package func giveBack(_ cost: Int) {
        let isEnough = state.withLock { state in
            state.inUse -= cost
            guard let resumption = state.resumption, state.inUse <= resumption else { return false }
            state.resumption = nil
            return true
        }
        if isEnough { wake() }
    }
}
