import NewsflashBasics

/// Checks at regular intervals whether something hangs, on a thread that nothing else can block.
///
/// A check reads the state of other threads, so it may hang with them. Each check runs on a new thread, and a check that does
/// not end is also a finding.
final class Watchdog: Sendable {
    private struct State {
        var isStopped = false
        var isChecking = false
        /// The number of intervals in which the previous check had not ended.
        var overdueChecks = 0
    }

    private enum Step {
        case check
        case wait
        case overdue
        case stop
    }

    private let interval: Duration
    /// The number of intervals that a check may take. Intervals are counted, because after a suspension any time may have
    /// passed.
    private let patience: Int
    private let state = Locked(State())
    private let wakeUp = ThreadSemaphore()

    /// Prepares the checks.
    ///
    /// - Parameters:
    ///   - interval: The time between two checks.
    ///   - patience: The time that a check may take.
    init(every interval: Duration, patience: Duration) {
        self.interval = interval
        self.patience = max(1, Int((patience / interval).rounded(.up)))
    }

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - check: Performs a check and acts on the result.
    ///   - overdue: Called once, with the time that has passed, if a check has not ended.
    func start(check: @escaping @Sendable () -> Void, overdue: @escaping @Sendable (Duration) -> Void) {
        startThread(named: "watchdog") { [self] in
            while true {
                _ = wakeUp.wait(within: interval)
                switch next() {
                case .check:
                    startThread(named: "watchdog-check") { [self] in
                        check()
                        state.withLock { $0.isChecking = false }
                    }
                case .wait: continue
                case .overdue: return overdue(interval * patience)
                case .stop: return
                }
            }
        }
    }

    /// Ends the checks.
    func stop() {
        state.withLock { $0.isStopped = true }
        wakeUp.signal()
    }

    private func next() -> Step {
        state.withLock { state in
            guard !state.isStopped else { return .stop }
            guard state.isChecking else {
                state.isChecking = true
                state.overdueChecks = 0
                return .check
            }
            state.overdueChecks += 1
            return state.overdueChecks < patience ? .wait : .overdue
        }
    }
}
