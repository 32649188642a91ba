import Locks

/// How a member stands with its group, as far as librdkafka knows.
///
/// From the moment a member asks to join anew until it has its assignment, no commit may be sent in a cooperative group: it
/// may meet the new generation. librdkafka 2.0.2 tells of that moment in its debug lines of the group and, seconds later, in
/// statistics; by callback or event it tells too late. So consumers have those lines (a few a second) switched on.
final class Membership: Sendable {
    private let state: Locked<KafkaGroupState>
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
    var groupState: KafkaGroupState { state.withLock { $0 } }

    /// Whether commits may be sent: the assignment stands.
    var isSettled: Bool { state.withLock { $0.step == "steady" } }

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
        guard facility == "CGRPJOINSTATE", let step = Self.step(in: message) else { return }
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
