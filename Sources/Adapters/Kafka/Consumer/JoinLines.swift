/// Whether librdkafka's debug lines report how a member joins its group.
///
/// The wording of those lines is not an interface, so a version of librdkafka may change it. Then nothing would be committed
/// any more, and each member would seem to join forever. So the lines count as missing if none came within a minute after the
/// member subscribed, if an assignment came without one, or while the latest one has an unknown word. An outage of Kafka is not
/// a reason: without a coordinator no member joins, and the lines about the coordinator report that.
struct JoinLines: Sendable {
    private enum State {
        case idle
        case awaited(since: ContinuousClock.Instant)
        case understood
        case missing
    }

    /// How long a member waits for the first line.
    static let patience = Duration.seconds(60)

    /// The steps of a join, as named by versions 2.0.2 to 2.15.
    private static let steps: Set<String> = [
        "init", "wait-join", "wait-metadata", "wait-sync", "wait-assign-call", "wait-unassign-call",
        "wait-unassign-to-complete", "wait-incr-unassign-to-complete", "steady",
    ]

    private var state = State.idle
    private var wasReported = false

    /// Whether the state of the member is known from callbacks alone.
    var areMissing: Bool { if case .missing = state { true } else { false } }

    /// Begins to wait for the first line.
    mutating func subscribed(at now: ContinuousClock.Instant) {
        if case .idle = state { state = .awaited(since: now) }
    }

    /// Records the step in a line.
    mutating func wasRead(_ step: String) {
        state = Self.steps.contains(step) ? .understood : .missing
    }

    /// Records that an assignment came from the group, before which there should have been lines.
    mutating func wasAssigned() {
        if case .awaited = state { state = .missing }
    }

    /// Checks for missing lines.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - isWithoutCoordinator: Whether other lines report that no broker coordinates the group.
    /// - Returns: True once, if the lines are missing.
    mutating func look(at now: ContinuousClock.Instant, isWithoutCoordinator: Bool) -> Bool {
        if case .awaited(let since) = state {
            if isWithoutCoordinator { state = .awaited(since: now) }
            if now - since >= Self.patience, !isWithoutCoordinator { state = .missing }
        }
        guard areMissing, !wasReported else { return false }
        wasReported = true
        return true
    }
}
