import Locks

/// How a member stands with its group, as far as librdkafka knows.
///
/// From the moment a member asks to join anew until it has its assignment, no commit may be sent in a cooperative group: it
/// may meet the new generation. librdkafka 2.0.2 tells of that moment in its debug lines of the group and, seconds later, in
/// statistics; by callback or event it tells too late. So consumers have those lines (a few a second) switched on.
final class Membership: Sendable {
    /// Whether there is a broker that keeps the group.
    private enum Coordinator {
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
            case .sought, .away: nil
            case .present(let since), .doubtful(let since), .back(let since): since
            }
        }
    }

    private let state: Locked<KafkaGroupState>
    private let coordinator = Locked(Coordinator.sought)
    /// How long a coordinator that came back may take to answer the first heartbeat.
    private static let pause = Duration.seconds(1)
    /// How long it may take until a broken connection is noticed.
    private static let doubt = Duration.seconds(2)
    private let progress = Locked((joined: false, assigned: false))
    private let wakeUp: WakeUp

    /// Begins outside of any group.
    ///
    /// - Parameter wakeUp: Signalled when the group has come to rest, as commits may wait for that.
    init(wakeUp: WakeUp) {
        self.wakeUp = wakeUp
        self.state = Locked(KafkaGroupState(phase: .outside, since: .now, step: "init"))
    }

    /// How the member stands.
    var groupState: KafkaGroupState {
        var state = state.withLock { $0 }
        state.coordinatorSince = coordinator.withLock { $0.since }
        return state
    }

    /// Whether the assignment stands.
    var isSettled: Bool { state.withLock { $0.step == "steady" } }

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
            case .sought, .present: true
            case .doubtful(let since): now - since >= Self.doubt
            case .away: false
            case .back(let since): now - since >= Self.pause
            }
        }
    }

    /// Whether the member has joined and no assignment has come yet, its first.
    ///
    /// A member of a cooperative group that is destroyed then aborts the process in librdkafka 2.0.2 (#4312): its assignor
    /// is there, but not yet what the assignor remembers.
    var waitsForFirstAssignment: Bool { progress.withLock { $0.joined && !$0.assigned } }

    /// Notes that the member is to join.
    func subscribed() { turn(from: [.outside], to: .joining) }

    /// Notes that the member is to leave.
    func isClosing() { turn(from: [.outside, .joining, .steady], to: .leaving) }

    /// Notes that the consumer is closed.
    func hasClosed() { turn(from: KafkaGroupState.Phase.allCases, to: .outside) }

    /// Looks for a change of state in a line of the log; runs on librdkafka's own thread, before it goes on.
    func read(facility: String, message: String) {
        if facility == "FAIL", message.contains("GroupCoordinator") { return doubtCoordinator() }
        guard let step = Self.step(in: message) else { return }
        if facility == "CGRPSTATE" { return look(atCoordinator: step) }
        guard facility == "CGRPJOINSTATE" else { return }
        progress.withLock { progress in
            if step == "wait-metadata" || step == "wait-sync" { progress.joined = true }
            if step == "wait-assign-call" || step == "steady" { progress.assigned = true }
        }
        let isSteady = step == "steady"
        let now = ContinuousClock.now
        state.withLock { state in
            let isMember = state.phase == .joining || state.phase == .steady
            let phase = isMember ? (isSteady ? .steady : .joining) : state.phase
            state = KafkaGroupState(phase: phase, since: phase == state.phase ? state.since : now, step: step)
        }
        if isSteady { wakeUp.signal() }
    }

    private func doubtCoordinator() {
        let now = ContinuousClock.now
        coordinator.withLock { coordinator in
            switch coordinator {
            case .present, .back, .doubtful: coordinator = .doubtful(since: now)
            case .sought, .away: break
            }
        }
    }

    private func look(atCoordinator step: String) {
        let now = ContinuousClock.now
        coordinator.withLock { coordinator in
            switch (coordinator, step) {
            case (.sought, "up"): coordinator = .present(since: now)
            case (.away, "up"): coordinator = .back(now)
            case (.sought, _), (_, "up"): break
            default: coordinator = .away
            }
        }
    }

    private func turn(from phases: [KafkaGroupState.Phase], to phase: KafkaGroupState.Phase) {
        let now = ContinuousClock.now
        state.withLock { state in
            guard phases.contains(state.phase), state.phase != phase else { return }
            state = KafkaGroupState(phase: phase, since: now, step: state.step)
        }
    }

    /// The word after the arrow: `… changed join state wait-sync -> steady (state up)`.
    private static func step(in message: String) -> String? {
        let words = message.split(separator: " ")
        guard let arrow = words.lastIndex(of: "->"), arrow + 1 < words.endIndex else { return nil }
        return String(words[arrow + 1])
    }
}
