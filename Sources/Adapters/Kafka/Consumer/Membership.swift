import NewsflashBasics

/// The state of a member in its group, as reported by librdkafka.
///
/// In a cooperative group no commit may be sent from the moment a member asks to join again until it has its assignment: the
/// commit may meet the new generation. librdkafka 2.0.2 reports that moment in its debug lines of the group and, seconds later,
/// in statistics; callbacks and events come too late. So consumers enable those lines (a few a second). If they are missing,
/// the phase follows assignments and revocations, and the gate for commits works without it; see ``JoinLines``.
final class Membership: Sendable {
    /// The state of the broker that coordinates the group.
    private enum Coordinator {
        /// No line has reported one.
        case unknown
        /// Not found yet.
        case sought
        case present(since: ContinuousClock.Instant)
        /// Its connection broke then; librdkafka's main thread handles that within a second.
        case doubtful(since: ContinuousClock.Instant)
        case away
        /// Available again since then.
        case back(ContinuousClock.Instant)

        /// When it became available, without interruption since; `nil` if it is unavailable.
        var since: ContinuousClock.Instant? {
            switch self {
            case .unknown, .sought, .away: nil
            case .present(let since), .doubtful(let since), .back(let since): since
            }
        }

        /// Whether lines report that it is unavailable.
        var isMissing: Bool {
            switch self {
            case .sought, .away: true
            case .unknown, .present, .doubtful, .back: false
            }
        }
    }

    private struct Member {
        var group: KafkaGroupState
        var lines = JoinLines()
        /// Whether it has an assignment, which may be empty, according to callbacks.
        var hasAssignment = false
        /// Whether it has ever joined.
        var joined = false
        /// Whether it has ever had an assignment.
        var assigned = false

        /// Sets the phase, which begins now if it is another one.
        mutating func turn(to phase: KafkaGroupState.Phase, step: String? = nil) {
            let since = phase == group.phase ? group.since : .now
            group = KafkaGroupState(phase: phase, since: since, step: step ?? group.step)
        }

        /// Sets the phase according to callbacks if no lines report it.
        mutating func followCallbacks() {
            guard lines.areMissing, group.phase == .joining || group.phase == .steady else { return }
            turn(to: hasAssignment ? .steady : .joining)
        }
    }

    private let coordinator = Locked(Coordinator.unknown)
    /// How long a coordinator that is available again may take to answer the first heartbeat.
    private static let pause = Duration.seconds(1)
    /// How long it may take until a broken connection is noticed.
    private static let doubt = Duration.seconds(2)
    private let member: Locked<Member>
    private let wakeUp: WakeUp

    /// Begins outside of any group.
    ///
    /// - Parameter wakeUp: Signalled when the group is stable, because commits may wait for that.
    init(wakeUp: WakeUp) {
        self.wakeUp = wakeUp
        self.member = Locked(Member(group: KafkaGroupState(phase: .outside, since: .now, step: "init")))
    }

    /// The state of the member.
    var groupState: KafkaGroupState {
        var state = member.withLock { member in
            var state = member.group
            state.isReported = !member.lines.areMissing
            return state
        }
        state.coordinatorSince = coordinator.withLock { $0.since }
        return state
    }

    /// Whether the group is stable according to the lines; true if they are missing.
    var isSettled: Bool { member.withLock { $0.lines.areMissing || $0.group.step == "steady" } }

    /// Whether a commit would go to the coordinator now.
    ///
    /// A commit that waits in librdkafka 2.0.2 for a coordinator may be sent after the session has ended, without the member's
    /// id. A member with a stable name then gets the answer that it was fenced, which ends its client permanently. So no commit
    /// may wait there, and after an outage of the coordinator commits wait for the time of a heartbeat.
    ///
    /// - Returns: False while the coordinator is unavailable and shortly afterwards.
    func hasCoordinator(at now: ContinuousClock.Instant) -> Bool {
        coordinator.withLock { coordinator in
            switch coordinator {
            case .unknown, .sought, .present: true
            case .doubtful(let since): now - since >= Self.doubt
            case .away: false
            case .back(let since): now - since >= Self.pause
            }
        }
    }

    /// Whether the member has joined and its first assignment has not come yet.
    ///
    /// Destroying a member of a cooperative group then aborts the process in librdkafka 2.0.2 (#4312): the assignor exists, but
    /// not yet its state. Without lines a member that subscribed may have joined.
    var waitsForFirstAssignment: Bool { member.withLock { ($0.joined || $0.lines.areMissing) && !$0.assigned } }

    /// Records that the member will join.
    func subscribed(at now: ContinuousClock.Instant) {
        member.withLock { member in
            member.lines.subscribed(at: now)
            if member.group.phase == .outside { member.turn(to: .joining) }
        }
    }

    /// Records that the member will leave.
    func isClosing() {
        member.withLock { if $0.group.phase != .outside { $0.turn(to: .leaving) } }
    }

    /// Records that the consumer is closed.
    func hasClosed() { member.withLock { $0.turn(to: .outside) } }

    /// Records that the group gave the member an assignment, which may be empty; runs on the consumer's thread.
    func wasAssigned() {
        member.withLock { member in
            (member.hasAssignment, member.assigned) = (true, true)
            member.lines.wasAssigned()
            member.followCallbacks()
        }
    }

    /// Records that the group took partitions from the member; runs on the consumer's thread.
    func wasRevoked() {
        member.withLock { member in
            member.hasAssignment = false
            member.followCallbacks()
        }
    }

    /// Checks whether librdkafka reports how the member joins.
    ///
    /// - Returns: True once, if it does not.
    func missesLines(at now: ContinuousClock.Instant) -> Bool {
        let isWithoutCoordinator = coordinator.withLock { $0.isMissing }
        return member.withLock { member in
            defer { member.followCallbacks() }
            return member.lines.check(at: now, isWithoutCoordinator: isWithoutCoordinator)
        }
    }

    /// Looks for a change of state in a log line; runs on librdkafka's own thread, before that continues.
    func read(facility: String, message: String) {
        if facility == "FAIL", message.contains("GroupCoordinator") { return doubtCoordinator() }
        guard let step = Self.step(in: message) else { return }
        if facility == "CGRPSTATE" { return record(coordinatorStep: step) }
        guard facility == "CGRPJOINSTATE" else { return }
        let mayCommit = member.withLock { member in
            if step == "wait-metadata" || step == "wait-sync" { member.joined = true }
            if step == "wait-assign-call" || step == "steady" { member.assigned = true }
            let isMember = member.group.phase == .joining || member.group.phase == .steady
            member.turn(to: isMember ? (step == "steady" ? .steady : .joining) : member.group.phase, step: step)
            member.lines.wasRead(step)
            member.followCallbacks()
            return step == "steady" || member.lines.areMissing
        }
        if mayCommit { wakeUp.signal() }
    }

    private func doubtCoordinator() {
        let now = ContinuousClock.now
        coordinator.withLock { coordinator in
            switch coordinator {
            case .present, .back, .doubtful: coordinator = .doubtful(since: now)
            case .unknown, .sought, .away: break
            }
        }
    }

    private func record(coordinatorStep step: String) {
        let now = ContinuousClock.now
        coordinator.withLock { coordinator in
            switch (coordinator, step) {
            case (.unknown, "up"), (.sought, "up"): coordinator = .present(since: now)
            case (.away, "up"): coordinator = .back(now)
            case (.unknown, _), (.sought, _): coordinator = .sought
            case (_, "up"): break
            default: coordinator = .away
            }
        }
    }

    /// Returns the word after the arrow: `… changed join state wait-sync -> steady (state up)`.
    private static func step(in message: String) -> String? {
        let words = message.split(separator: " ")
        guard let arrow = words.lastIndex(of: "->"), arrow + 1 < words.endIndex else { return nil }
        return String(words[arrow + 1])
    }
}

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
    mutating func check(at now: ContinuousClock.Instant, isWithoutCoordinator: Bool) -> Bool {
        if case .awaited(let since) = state {
            if isWithoutCoordinator { state = .awaited(since: now) }
            if now - since >= Self.patience, !isWithoutCoordinator { state = .missing }
        }
        guard areMissing, !wasReported else { return false }
        wasReported = true
        return true
    }
}
