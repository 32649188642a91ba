/// Holds commits back while a cooperative group changes.
///
/// With librdkafka 2.0.2 and the cooperative strategy a commit that meets a new generation of the group costs the member
/// its whole assignment. The dangerous time begins at the first refusal with `REBALANCE_IN_PROGRESS` or at a revocation,
/// and ends with the next assignment; after a revocation with the one after that, since the group then joins once more.
/// A commit inside the revocation itself is safe and does not pass the gate.
package struct CommitGate: Sendable, Equatable {
    private enum State: Equatable {
        case open
        case closed(assignmentsMissing: Int, until: ContinuousClock.Instant)
    }

    private var state = State.open
    private let patience: Duration

    /// Makes an open gate.
    ///
    /// - Parameter patience: How long the gate stays shut at most without an assignment, so that commits go on should one
    ///   never come.
    package init(patience: Duration) {
        self.patience = patience
    }

    /// Whether commits may pass.
    package var isOpen: Bool { state == .open }

    /// Shuts the gate because the group said that it is changing.
    ///
    /// - Parameter now: The present instant.
    package mutating func commitWasRefused(at now: ContinuousClock.Instant) {
        guard isOpen else { return }
        state = .closed(assignmentsMissing: 1, until: now + patience)
    }

    /// Shuts the gate because partitions leave.
    ///
    /// - Parameters:
    ///   - isLost: Whether the assignment is lost already, so that there is no second round.
    ///   - now: The present instant.
    package mutating func partitionsWereRevoked(isLost: Bool, at now: ContinuousClock.Instant) {
        state = .closed(assignmentsMissing: isLost ? 1 : 2, until: now + patience)
    }

    /// Opens the gate when this is the assignment it waits for.
    ///
    /// - Parameter now: The present instant.
    package mutating func partitionsWereAssigned(at now: ContinuousClock.Instant) {
        guard case .closed(let missing, _) = state else { return }
        state = missing > 1 ? .closed(assignmentsMissing: missing - 1, until: now + patience) : .open
    }

    /// Opens the gate when the assignment it waits for did not come.
    ///
    /// - Parameter now: The present instant.
    package mutating func timePassed(to now: ContinuousClock.Instant) {
        guard case .closed(_, let end) = state, now >= end else { return }
        state = .open
    }
}
