import Locks

/// How a member stands with its group, as far as librdkafka knows.
///
/// From the moment a member asks to join again until it has its assignment, no commit may be sent in a cooperative group: it
/// may meet the new generation. librdkafka 2.0.2 tells of that moment in its debug lines of the group and, seconds later, in
/// statistics; by callback or event it tells too late. So consumers have those lines (a few a second) switched on. If there are
/// none, assignments and revocations tell the phase, and the gate for commits has to do without; see ``JoinLines``.
final class Membership: Sendable {
    /// Whether there is a broker that keeps the group.
    private enum Coordinator {
        /// No line has told of one.
        case unknown
        /// It has never been seen yet.
        case sought
        case present(since: ContinuousClock.Instant)
        /// Its connection broke then; librdkafka's main thread looks once a second what that means.
        case doubtful(since: ContinuousClock.Instant)
        case away
        /// Since then.
        case back(ContinuousClock.Instant)

        /// Since when it has been there without a break; `nil` if it is not.
        var since: ContinuousClock.Instant? {
            switch self {
            case .unknown, .sought, .away: nil
            case .present(let since), .doubtful(let since), .back(let since): since
            }
        }

        /// Whether lines report that it is away.
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
        /// Whether it has an assignment, which may be empty, as far as callbacks tell.
        var hasAssignment = false
        /// Whether it has ever joined.
        var joined = false
        /// Whether it has ever had an assignment.
        var assigned = false

        /// Takes a phase, which begins now if it is another one.
        mutating func turn(to phase: KafkaGroupState.Phase, step: String? = nil) {
            let since = phase == group.phase ? group.since : .now
            group = KafkaGroupState(phase: phase, since: since, step: step ?? group.step)
        }

        /// Takes the phase from the callbacks if no lines tell it.
        mutating func followCallbacks() {
            guard lines.areMissing, group.phase == .joining || group.phase == .steady else { return }
            turn(to: hasAssignment ? .steady : .joining)
        }
    }

    private let coordinator = Locked(Coordinator.unknown)
    /// How long a coordinator that came back may take to answer the first heartbeat.
    private static let pause = Duration.seconds(1)
    /// How long it may take until a broken connection is noticed.
    private static let doubt = Duration.seconds(2)
    private let member: Locked<Member>
    private let wakeUp: WakeUp

    /// Begins outside of any group.
    ///
    /// - Parameter wakeUp: Signalled when the group has come to rest, as commits may wait for that.
    init(wakeUp: WakeUp) {
        self.wakeUp = wakeUp
        self.member = Locked(Member(group: KafkaGroupState(phase: .outside, since: .now, step: "init")))
    }

    /// How the member stands.
    var groupState: KafkaGroupState {
        var state = member.withLock { member in
            var state = member.group
            state.isReported = !member.lines.areMissing
            return state
        }
        state.coordinatorSince = coordinator.withLock { $0.since }
        return state
    }

    /// Whether the group is at rest according to the lines; true if they are missing.
    var isSettled: Bool { member.withLock { $0.lines.areMissing || $0.group.step == "steady" } }

    /// Whether a commit would go to the coordinator now.
    ///
    /// One that waits in librdkafka 2.0.2 for a coordinator may go out after the session has ended, without the member's id. A
    /// member with a stable name is then told that it was fenced, which ends its client for good. So nothing is to wait there,
    /// and a coordinator that came back is given the time of a heartbeat.
    ///
    /// - Parameter now: The present instant.
    /// - Returns: False while it is away and a moment longer.
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

    /// Whether the member has joined and no assignment has come yet, its first.
    ///
    /// A member of a cooperative group that is destroyed then aborts the process in librdkafka 2.0.2 (#4312): its assignor
    /// is there, but not yet what the assignor remembers. Without lines a member that subscribed may have joined.
    var waitsForFirstAssignment: Bool { member.withLock { ($0.joined || $0.lines.areMissing) && !$0.assigned } }

    /// Records that the member is to join.
    func subscribed(at now: ContinuousClock.Instant) {
        member.withLock { member in
            member.lines.subscribed(at: now)
            if member.group.phase == .outside { member.turn(to: .joining) }
        }
    }

    /// Records that the member is to leave.
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

    /// Looks whether librdkafka reports how the member joins.
    ///
    /// - Returns: True once, if it does not.
    func missesLines(at now: ContinuousClock.Instant) -> Bool {
        let isWithoutCoordinator = coordinator.withLock { $0.isMissing }
        return member.withLock { member in
            defer { member.followCallbacks() }
            return member.lines.look(at: now, isWithoutCoordinator: isWithoutCoordinator)
        }
    }

    /// Looks for a change of state in a line of the log; runs on librdkafka's own thread, before it goes on.
    func read(facility: String, message: String) {
        if facility == "FAIL", message.contains("GroupCoordinator") { return doubtCoordinator() }
        guard let step = Self.step(in: message) else { return }
        if facility == "CGRPSTATE" { return look(atCoordinator: step) }
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

    private func look(atCoordinator step: String) {
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

    /// The word after the arrow: `… changed join state wait-sync -> steady (state up)`.
    private static func step(in message: String) -> String? {
        let words = message.split(separator: " ")
        guard let arrow = words.lastIndex(of: "->"), arrow + 1 < words.endIndex else { return nil }
        return String(words[arrow + 1])
    }
}
