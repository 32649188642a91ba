import Locks
import Timestamps

/// Runs the fan-out in the background, in portions, and wakes up for scheduled sends.
extension HubEmulator {
    /// The number of registrations checked while the lock is held, which takes a fraction of a millisecond.
    static let portion = 512

    /// Completes all fan-outs that are due; for tests without a server.
    package func settle() {
        while advance() {}
    }

    /// Processes one portion.
    ///
    /// - Returns: Whether more can be done now.
    private func advance() -> Bool {
        let now = configuration.clock()
        let (hasMore, change) = change { hub in
            guard hub.hasWork(now: now) else { return false }
            hub.advance(limit: Self.portion, now: now)
            return hub.hasWork(now: now)
        }
        for continuation in change.awakened { continuation.resume() }
        return hasMore
    }

    /// Starts the runner if there is work, or sets an alarm for the next scheduled send.
    func wakeRunner() {
        guard configuration.fansOutInBackground else { return }
        let now = configuration.clock()
        let (hasWork, due) = state.withLock { ($0.hub.hasWork(now: now), $0.hub.queue.nextDue) }
        if hasWork { startRunner() } else if let due { setAlarm(due, now: now) }
    }

    private func startRunner() {
        runner.withLock { runner in
            guard !runner.isRunning, !runner.isStopped else { return }
            runner.isRunning = true
            runner.task = Task.detached { [weak self] in
                // Each turn holds its own reference, so that the emulator can be deallocated between turns.
                while !Task.isCancelled, self?.advance() == true { await Task.yield() }
                self?.endRun()
            }
        }
    }

    private func endRun() {
        runner.withLock { $0.isRunning = false }
        // Otherwise work that arrived since the last check would never be processed.
        wakeRunner()
    }

    private func setAlarm(_ due: Timestamp, now: Timestamp) {
        runner.withLock { runner in
            guard !runner.isStopped, runner.alarm.map({ due < $0 }) ?? true else { return }
            runner.alarm = due
            runner.alarmTask?.cancel()
            runner.alarmTask = Task.detached { [weak self] in
                try? await Task.sleep(for: due - now)
                guard !Task.isCancelled, let self else { return }
                self.runner.withLock { $0.alarm = nil }
                wakeRunner()
            }
        }
    }

    /// Stops the background tasks.
    func stopRunner() {
        runner.withLock { runner in
            runner.isStopped = true
            runner.task?.cancel()
            runner.alarmTask?.cancel()
            // Otherwise the alarm would seem to be set after a restart.
            runner.alarm = nil
        }
    }

    struct Runner {
        var isRunning = false
        var isStopped = false
        var task: Task<Void, Never>?
        var alarm: Timestamp?
        var alarmTask: Task<Void, Never>?
    }
}
