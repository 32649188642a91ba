/// Delays commits while a cooperative group changes.
///
///
/// With librdkafka 2.0.2 and the cooperative strategy a commit that meets a new generation of the group costs the member its
/// whole assignment. The dangerous time begins at the first refusal with `REBALANCE_IN_PROGRESS` or at a revocation. It ends
/// with the next assignment; after a revocation with the one after that, because the group then joins once more. A commit
/// inside the revocation itself is safe and does not pass the gate.
package struct CommitGate: Sendable, Equatable {
    private enum State: Equatable {
        case open
        case closed(assignmentsMissing: Int, until: ContinuousClock.Instant)
    }

    private var state = State.open
    private let patience: Duration

    /// Creates an open gate.
    ///
    /// - Parameter patience: The maximum time for which the gate is closed without an assignment. After it commits continue
    ///   even if no assignment comes.
    package init(patience: Duration) {
        self.patience = patience
    }

    /// Whether commits may pass.
    package var isOpen: Bool { state == .open }

    /// Closes the gate, because a commit was refused while the group is changing.
    ///
    /// - Parameter now: The current time.
    package mutating func commitWasRefused(at now: ContinuousClock.Instant) {
        guard isOpen else { return }
        state = .closed(assignmentsMissing: 1, until: now + patience)
    }

    /// Closes the gate, because partitions are revoked.
    ///
    /// - Parameters:
    ///   - isLost: Whether the assignment is already lost, so that there is no second round.
    ///   - now: The current time.
    package mutating func partitionsWereRevoked(isLost: Bool, at now: ContinuousClock.Instant) {
        state = .closed(assignmentsMissing: isLost ? 1 : 2, until: now + patience)
    }

    /// Opens the gate if this is the assignment that it waits for.
    ///
    /// - Parameter now: The current time.
    package mutating func partitionsWereAssigned(at now: ContinuousClock.Instant) {
        guard case .closed(let missing, _) = state else { return }
        state = missing > 1 ? .closed(assignmentsMissing: missing - 1, until: now + patience) : .open
    }

    /// Opens the gate if the assignment that it waits for did not come in time.
    ///
    /// - Parameter now: The current time.
    package mutating func timePassed(to now: ContinuousClock.Instant) {
        guard case .closed(_, let end) = state, now >= end else { return }
        state = .open
    }
}
