import Synchronization

/// Whether a member's group is at rest, as far as librdkafka knows.
///
/// From the moment a member asks to join anew until it has its assignment, no commit may be sent in a cooperative group: it
/// may meet the new generation. librdkafka 2.0.2 tells of that moment in its debug lines of the group and, seconds later, in
/// statistics; by callback or event it tells too late. So consumers of cooperative groups have those lines (a few a second)
/// switched on.
final class Membership: Sendable {
    private let isAtRest = Atomic(false)
    private let wakeUp: WakeUp

    /// Begins outside of any group.
    ///
    /// - Parameter wakeUp: Signalled when the group has come to rest, as commits may wait for that.
    init(wakeUp: WakeUp) {
        self.wakeUp = wakeUp
    }

    /// Whether commits may be sent.
    var isSettled: Bool { isAtRest.load(ordering: .acquiring) }

    /// Looks for a change of state in a line of the log; runs on librdkafka's own thread, before it goes on.
    func read(facility: String, message: String) {
        guard facility == "CGRPJOINSTATE" else { return }
        let isSteady = message.contains(" -> steady ")
        isAtRest.store(isSteady, ordering: .releasing)
        if isSteady { wakeUp.signal() }
    }
}
