import Locks
import Threads

/// Looks at regular times whether something hangs, from a thread that nothing else can hold.
///
/// A look asks other threads' state, so it may hang with them. Each look has a thread of its own, and one that does not end
/// is a finding, too.
final class Watchdog: Sendable {
    private struct State {
        var isStopped = false
        var isLooking = false
        /// How often it was time for a look, and the one before had not ended.
        var overdueLooks = 0
    }

    private enum Step {
        case look
        case wait
        case overdue
        case stop
    }

    private let interval: Duration
    /// How many intervals a look may take. They are counted, because a process that stood still finds that any time has passed.
    private let patience: Int
    private let state = Locked(State())
    private let wakeUp = ThreadSemaphore()

    /// Prepares the looks.
    ///
    /// - Parameters:
    ///   - interval: The time between two looks.
    ///   - patience: How long a look may take.
    init(every interval: Duration, patience: Duration) {
        self.interval = interval
        self.patience = max(1, Int((patience / interval).rounded(.up)))
    }

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - look: Looks, and acts on what it sees.
    ///   - overdue: Called once, with the time that has passed, if a look has not ended.
    func start(look: @escaping @Sendable () -> Void, overdue: @escaping @Sendable (Duration) -> Void) {
        startThread(named: "watchdog") { [self] in
            while true {
                _ = wakeUp.wait(within: interval)
                switch next() {
                case .look:
                    startThread(named: "watchdog-look") { [self] in
                        look()
                        state.withLock { $0.isLooking = false }
                    }
                case .wait: continue
                case .overdue: return overdue(interval * patience)
                case .stop: return
                }
            }
        }
    }

    /// Ends the looks.
    func stop() {
        state.withLock { $0.isStopped = true }
        wakeUp.signal()
    }

    private func next() -> Step {
        state.withLock { state in
            guard !state.isStopped else { return .stop }
            guard state.isLooking else {
                state.isLooking = true
                state.overdueLooks = 0
                return .look
            }
            state.overdueLooks += 1
            return state.overdueLooks < patience ? .wait : .overdue
        }
    }
}
